#include "protocol/record_batch_builder.h"

#include <limits>
#include <memory>

#include "gtest/gtest.h"
#include "protocol/record_batch_vectors.h"

namespace dohle::protocol {
namespace {

using codec::as_bytes;
using testing::batch_vector;

constexpr std::int64_t t0 = 1700000000000;

/// The records of fill() in RecordBatchVectors.java.
void fill(RecordBatchBuilder& builder) {
  builder.append(t0, as_bytes("key"), as_bytes("value"));
  builder.append(t0 + 5, std::nullopt, as_bytes("no key"));
  builder.append(t0 - 1, as_bytes("tombstone"), std::nullopt);
  const RecordHeader headers[] = {{"h1", as_bytes("x")}, {"", std::nullopt}, {"\xc3\xa9", as_bytes("")}};
  builder.append(t0 + 1, as_bytes(""), as_bytes(""), headers);
}

codec::Blob filled(const RecordBatchOptions& options) {
  RecordBatchBuilder builder(options);
  fill(builder);
  return builder.build();
}

TEST(record_batch_builder, builds_kafkas_bytes) {
  ASSERT_FALSE(batch_vector("plain").empty());
  EXPECT_EQ(filled({}), batch_vector("plain"));

  RecordBatchOptions append_time;
  append_time.timestamp_type = TimestampType::log_append_time;
  append_time.base_offset = 1000;
  append_time.log_append_time_ms = 1800000000000;
  append_time.partition_leader_epoch = 7;
  EXPECT_EQ(filled(append_time), batch_vector("log-append-time"));

  RecordBatchOptions transactional;
  transactional.base_offset = 5;
  transactional.producer_id = 4711;
  transactional.producer_epoch = 3;
  transactional.base_sequence = std::numeric_limits<std::int32_t>::max() - 1;
  transactional.is_transactional = true;
  transactional.partition_leader_epoch = 0;
  EXPECT_EQ(filled(transactional), batch_vector("transactional"));
}

TEST(record_batch_builder, builds_kafkas_bytes_for_codecs_with_the_same_library) {
  for (const auto codec : {codec::Compression::gzip, codec::Compression::snappy, codec::Compression::lz4}) {
    RecordBatchOptions options;
    options.compression = codec;
    EXPECT_EQ(filled(options), batch_vector(std::string(codec::compression_name(codec))));
  }
}

TEST(record_batch_builder, holes_horizons_and_wide_numbers_are_kafkas) {
  RecordBatchOptions horizon;
  horizon.base_offset = 100;
  horizon.partition_leader_epoch = 2;
  horizon.delete_horizon_ms = 1650000000000;
  RecordBatchBuilder holes(horizon);
  holes.append_with_offset(103, t0, as_bytes("a"), as_bytes("b"));
  holes.append_with_offset(300, 1600000000000, as_bytes("c"), std::nullopt);
  holes.override_last_offset(400);
  EXPECT_EQ(holes.build(), batch_vector("delete-horizon-with-holes"));

  RecordBatchBuilder no_time({});
  no_time.append(-1, as_bytes("k"), as_bytes("v"));
  EXPECT_EQ(no_time.build(), batch_vector("no-timestamp"));

  const codec::Blob large(300, 'z');
  RecordBatchBuilder wide({});
  wide.append(0, large, large);
  wide.append(std::numeric_limits<std::int64_t>::max(), as_bytes("k"), large);
  EXPECT_EQ(wide.build(), batch_vector("wide-varints"));
}

TEST(record_batch_builder, control_batches_are_kafkas) {
  RecordBatchOptions options;
  options.is_control = true;
  options.partition_leader_epoch = 1;
  RecordBatchBuilder builder(options);
  builder.append_control(t0, ControlRecordType::snapshot_footer, codec::Blob{0, 0, 0});
  EXPECT_EQ(builder.build(), batch_vector("snapshot-footer"));
}

TEST(record_batch_builder, nothing_appended_builds_nothing) {
  RecordBatchBuilder builder({});
  EXPECT_TRUE(builder.build().empty());
  EXPECT_TRUE(builder.ok());
}

TEST(record_batch_builder, counts_what_it_holds) {
  RecordBatchBuilder builder({});
  EXPECT_EQ(builder.uncompressed_bytes(), record_batch_overhead);
  fill(builder);
  EXPECT_EQ(builder.uncompressed_bytes(), batch_vector("plain").size());
  EXPECT_EQ(builder.record_count(), 4);
  EXPECT_EQ(builder.next_offset(), 4);
  EXPECT_EQ(builder.max_timestamp(), t0 + 5);
  const std::size_t before = builder.uncompressed_bytes();
  builder.append(t0, as_bytes("a"), as_bytes("b"));
  EXPECT_LE(builder.uncompressed_bytes() - before, RecordBatchBuilder::record_bytes_max(as_bytes("a"), as_bytes("b")));
}

TEST(record_batch_builder, what_kafka_refuses_is_refused_for_good) {
  const auto refused = [](const RecordBatchOptions& options, auto append) {
    RecordBatchBuilder builder(options);
    append(builder);
    const bool nothing = builder.build().empty();
    return nothing && !builder.ok();
  };
  const auto plain = [](RecordBatchBuilder& builder) { builder.append(t0, std::nullopt, std::nullopt); };
  RecordBatchOptions control;
  control.is_control = true;
  EXPECT_TRUE(refused(control, plain));
  EXPECT_TRUE(refused({}, [](RecordBatchBuilder& b) { b.append_control(t0, ControlRecordType::commit, {}); }));
  EXPECT_TRUE(refused({}, [](RecordBatchBuilder& b) { b.append(-2, std::nullopt, std::nullopt); }));
  EXPECT_TRUE(refused({}, [](RecordBatchBuilder& b) {
    b.append_with_offset(5, t0, std::nullopt, std::nullopt);
    b.append_with_offset(5, t0, std::nullopt, std::nullopt);
  }));
  EXPECT_TRUE(refused({}, [](RecordBatchBuilder& b) { b.append_with_offset(-1, t0, std::nullopt, std::nullopt); }));
  RecordBatchOptions options;
  options.is_transactional = true;
  EXPECT_TRUE(refused(options, plain)) << "a transaction needs a producer id";
  options.producer_id = 1;
  EXPECT_TRUE(refused(options, plain)) << "and an epoch";
  options.producer_epoch = 0;
  EXPECT_TRUE(refused(options, plain)) << "and a sequence";
  options.base_sequence = 0;
  EXPECT_FALSE(refused(options, plain));
}

}  // namespace
}  // namespace dohle::protocol
