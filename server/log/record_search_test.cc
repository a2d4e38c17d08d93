#include "server/log/record_search.h"

#include <gtest/gtest.h>

#include "server/log/batch_samples.h"

namespace dohle::log {
namespace {

TEST(RecordSearch, finds_the_first_record_that_is_late_enough) {
  for (const auto codec : {codec::Compression::none, codec::Compression::gzip, codec::Compression::zstd}) {
    const codec::Blob bytes =
        samples::batch({.records = 5, .timestamp_ms = 100, .base_offset = 10, .compression = codec});
    EXPECT_EQ(**find_record(bytes, 0, 0), (TimestampOffset{100, 10}));
    EXPECT_EQ(**find_record(bytes, 102, 0), (TimestampOffset{102, 12}));
    EXPECT_EQ(**find_record(bytes, 102, 14), (TimestampOffset{104, 14}));
    EXPECT_FALSE(*find_record(bytes, 105, 0));
    EXPECT_EQ(**find_max_timestamp(bytes), (TimestampOffset{104, 14}));
  }
}

TEST(RecordSearch, records_that_can_not_be_read_are_corrupt) {
  codec::Blob bytes = samples::batch({.records = 2});
  bytes[61] = 0xff;
  EXPECT_FALSE(find_record(bytes, 0, 0));
  EXPECT_FALSE(find_record({}, 0, 0));
}

}  // namespace
}  // namespace dohle::log
