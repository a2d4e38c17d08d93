#include "protocol/record_batch.h"

#include <limits>

#include "gtest/gtest.h"
#include "protocol/record_batch_vectors.h"

namespace dohle::protocol {
namespace {

using testing::batch_vector;

TEST(record_batch, reads_all_fields_of_kafkas_batches) {
  const codec::Blob bytes = batch_vector("transactional");
  ASSERT_GE(bytes.size(), record_batch_overhead) << "testdata/record_batch_vectors.txt was not found";
  const RecordBatch batch(bytes);
  EXPECT_EQ(batch.base_offset(), 5);
  EXPECT_EQ(batch.last_offset(), 8);
  EXPECT_EQ(batch.last_offset_delta(), 3);
  EXPECT_EQ(batch.partition_leader_epoch(), 0);
  EXPECT_EQ(batch.producer_id(), 4711);
  EXPECT_EQ(batch.producer_epoch(), 3);
  EXPECT_EQ(batch.base_sequence(), std::numeric_limits<std::int32_t>::max() - 1);
  EXPECT_EQ(batch.last_sequence(), 1) << "sequences wrap";
  EXPECT_EQ(batch.base_timestamp(), 1700000000000);
  EXPECT_EQ(batch.max_timestamp(), 1700000000005);
  EXPECT_EQ(batch.record_count(), 4);
  EXPECT_EQ(batch.compression(), codec::Compression::none);
  EXPECT_EQ(batch.timestamp_type(), TimestampType::create_time);
  EXPECT_TRUE(batch.is_transactional());
  EXPECT_FALSE(batch.is_control());
  EXPECT_FALSE(batch.delete_horizon_ms());
  EXPECT_TRUE(batch.has_producer_id());
  EXPECT_TRUE(batch.crc_is_valid());
}

TEST(record_batch, reads_attributes_of_kafkas_batches) {
  const codec::Blob append_time = batch_vector("log-append-time");
  EXPECT_EQ(RecordBatch(append_time).timestamp_type(), TimestampType::log_append_time);
  EXPECT_EQ(RecordBatch(append_time).max_timestamp(), 1800000000000);
  EXPECT_EQ(RecordBatch(append_time).last_sequence(), no_sequence);
  const codec::Blob horizon = batch_vector("delete-horizon-with-holes");
  EXPECT_EQ(RecordBatch(horizon).delete_horizon_ms(), 1650000000000);
  EXPECT_EQ(RecordBatch(horizon).last_offset(), 400);
  const codec::Blob commit = batch_vector("commit");
  EXPECT_TRUE(RecordBatch(commit).is_control());
  const codec::Blob zstd = batch_vector("zstd");
  EXPECT_EQ(RecordBatch(zstd).compression(), codec::Compression::zstd);
}

TEST(record_batch, a_changed_byte_breaks_the_checksum_only_where_it_counts) {
  codec::Blob bytes = batch_vector("plain");
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] ^= 1;
    const bool covered = i >= 17;
    EXPECT_EQ(RecordBatch(bytes).crc_is_valid(), !covered) << i;
    bytes[i] ^= 1;
  }
}

TEST(record_batch, offsets_and_epoch_are_stamped_without_the_checksum) {
  codec::Blob bytes = batch_vector("plain");
  MutableRecordBatch batch(bytes);
  batch.set_last_offset(1003);
  batch.set_partition_leader_epoch(77);
  EXPECT_EQ(batch.base_offset(), 1000);
  EXPECT_EQ(batch.partition_leader_epoch(), 77);
  EXPECT_TRUE(batch.crc_is_valid());
}

// "log-append-time" is "plain" with another type, maximum, offset and epoch.
TEST(record_batch, stamping_makes_what_kafka_makes) {
  codec::Blob bytes = batch_vector("plain");
  bytes[21] = 0x80;  // a bit without meaning, which the rewrite drops
  MutableRecordBatch batch(bytes);
  batch.set_max_timestamp(TimestampType::log_append_time, 1800000000000);
  batch.set_base_offset(1000);
  batch.set_partition_leader_epoch(7);
  EXPECT_EQ(bytes, batch_vector("log-append-time"));
}

TEST(record_batch, an_unchanged_maximum_leaves_everything_alone) {
  codec::Blob bytes = batch_vector("plain");
  bytes[17] ^= 1;
  const codec::Blob before = bytes;
  MutableRecordBatch(bytes).set_max_timestamp(TimestampType::create_time, 1700000000005);
  EXPECT_EQ(bytes, before);
}

TEST(record_batch, unknown_compressions_are_told) {
  codec::Blob bytes = batch_vector("plain");
  bytes[22] = 5;
  EXPECT_FALSE(RecordBatch(bytes).compression());
  EXPECT_TRUE(RecordBatch(bytes).is_compressed());
}

TEST(record_batch, an_empty_batch_is_kafkas) {
  RecordBatchHeader header;
  header.base_offset = 20;
  header.last_offset_delta = 9;
  header.partition_leader_epoch = 6;
  header.max_timestamp = 1700000000000;
  header.producer_id = 4711;
  header.producer_epoch = 3;
  header.base_sequence = 8;
  header.is_transactional = true;
  EXPECT_EQ(empty_record_batch(header), batch_vector("empty"));
}

TEST(record_batch, sequences_wrap_to_zero) {
  constexpr std::int32_t max = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(increment_sequence(max, 1), 0);
  EXPECT_EQ(increment_sequence(max - 2, 5), 2);
  EXPECT_EQ(increment_sequence(5, 5), 10);
}

}  // namespace
}  // namespace dohle::protocol
