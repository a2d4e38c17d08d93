#include "server/log/batch_header.h"

#include <gtest/gtest.h>

#include "server/log/batch_samples.h"

namespace dohle::log {
namespace {

TEST(BatchHeader, every_field_of_format_2) {
  const codec::Blob bytes = samples::batch({.records = 3,
                                            .timestamp_ms = 1000,
                                            .base_offset = 40,
                                            .leader_epoch = 5,
                                            .producer_id = 9,
                                            .producer_epoch = 2,
                                            .sequence = 11,
                                            .transactional = true,
                                            .compression = codec::Compression::gzip});
  const auto header = BatchHeader::read(bytes);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->base_offset, 40);
  EXPECT_EQ(header->size_bytes, bytes.size());
  EXPECT_EQ(header->leader_epoch, 5);
  EXPECT_EQ(header->next_offset(), 43);
  EXPECT_EQ(header->base_timestamp_ms, 1000);
  EXPECT_EQ(header->max_timestamp_ms, 1002);
  EXPECT_EQ(header->producer_id, 9);
  EXPECT_EQ(header->producer_epoch, 2);
  EXPECT_EQ(header->base_sequence, 11);
  EXPECT_EQ(header->record_count, 3);
  EXPECT_EQ(header->compression(), 1);
  EXPECT_TRUE(header->transactional());
  EXPECT_FALSE(header->control());
  EXPECT_TRUE(BatchHeader::read(samples::marker(1, 0, true))->control());
}

TEST(BatchHeader, a_stamp_changes_offset_and_epoch_only) {
  codec::Blob bytes = samples::batch({.records = 2});
  codec::Blob before = bytes;
  stamp(bytes, 0x0102030405060708, 9);
  EXPECT_EQ(BatchHeader::read(bytes)->base_offset, 0x0102030405060708);
  EXPECT_EQ(BatchHeader::read(bytes)->leader_epoch, 9);
  stamp(bytes, 0, -1);
  EXPECT_EQ(bytes, before);
}

TEST(BatchHeader, messages_of_format_1_have_the_offset_of_their_last_record) {
  codec::Blob bytes(34);
  bytes[7] = 77;
  bytes[11] = 22;
  bytes[16] = 1;
  bytes[25] = 5;
  const auto header = BatchHeader::read(bytes);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->magic, 1);
  EXPECT_EQ(header->last_offset(), 77);
  EXPECT_EQ(header->max_timestamp_ms, 5);
  EXPECT_EQ(header->leader_epoch, -1);
  EXPECT_FALSE(header->has_producer_id());
}

TEST(BatchHeader, sizes_that_no_batch_can_have_are_refused) {
  const codec::Blob good = samples::batch({.records = 2});
  EXPECT_FALSE(BatchHeader::read(codec::Bytes(good).subspan(0, 60)));
  for (const std::uint8_t size : {0, 13, 14, 48}) {
    codec::Blob bad = good;
    bad[11] = size;
    EXPECT_FALSE(BatchHeader::read(bad)) << static_cast<int>(size);
  }
  codec::Blob negative = good;
  negative[8] = 0x80;
  EXPECT_FALSE(BatchHeader::read(negative));
}

}  // namespace
}  // namespace dohle::log
