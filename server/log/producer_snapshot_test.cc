#include "server/log/producer_snapshot.h"

#include <gtest/gtest.h>

namespace dohle::log {
namespace {

TEST(ProducerSnapshot, without_producers_it_has_ten_bytes) {
  // 00000000000000000120.snapshot of plain-0, as Apache Kafka 4.4.0 wrote it: version 1, CRC-32C of four zeros, 0
  // entries.
  EXPECT_EQ(encode_producer_snapshot({}), (codec::Blob{0, 1, 0x48, 0x67, 0x4b, 0xc7, 0, 0, 0, 0}));
}

TEST(ProducerSnapshot, what_is_written_is_read) {
  ProducerEntry entry;
  entry.producer_id = 7;
  entry.coordinator_epoch = 2;
  for (int i = 0; i < 3; ++i) entry.add_batch(5, {i, 10 + i, 0, 100 + i});
  entry.transaction_first_offset = 11;
  ProducerEntry without_batches;
  without_batches.producer_id = 8;
  without_batches.epoch = 1;
  without_batches.last_timestamp_ms = 9;
  const codec::Blob bytes = encode_producer_snapshot({{7, entry}, {8, without_batches}});
  EXPECT_EQ(bytes.size(), 10U + 2 * 46);
  auto read = decode_producer_snapshot(bytes);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 2U);
  std::ranges::sort(*read, {}, &ProducerEntry::producer_id);
  entry.batches.clear();
  entry.batches.push_back({2, 12, 0, 102});
  EXPECT_EQ((*read)[0], entry) << "only the last batch is kept";
  EXPECT_EQ((*read)[1], without_batches);
}

TEST(ProducerSnapshot, damage_is_corrupt) {
  ProducerEntry entry;
  entry.producer_id = 7;
  const codec::Blob good = encode_producer_snapshot({{7, entry}});
  for (std::size_t i = 0; i < good.size(); ++i) {
    codec::Blob bad = good;
    bad[i] ^= 1;
    EXPECT_FALSE(decode_producer_snapshot(bad)) << i;
    EXPECT_FALSE(decode_producer_snapshot(codec::Bytes(good).subspan(0, i))) << i;
  }
}

}  // namespace
}  // namespace dohle::log
