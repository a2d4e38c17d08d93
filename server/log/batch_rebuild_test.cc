#include "server/log/batch_rebuild.h"

#include "gtest/gtest.h"
#include "protocol/record.h"
#include "protocol/record_batch_builder.h"

namespace dohle::log {
namespace {

using protocol::RecordBatch;

constexpr std::int64_t t0 = 1700000000000;

codec::Blob build(codec::Compression compression, std::size_t value_size) {
  protocol::RecordBatchOptions options;
  options.compression = compression;
  options.producer_id = 7;
  options.producer_epoch = 1;
  options.base_sequence = 3;
  protocol::RecordBatchBuilder builder(options);
  const codec::Blob value(value_size, 'v');
  const protocol::RecordHeader headers[] = {{"h", codec::as_bytes("x")}};
  for (int i = 0; i < 3; ++i) builder.append(t0 + i, codec::as_bytes("key"), value, headers);
  return builder.build();
}

RebuildOptions to(codec::Compression compression, std::size_t size_bytes_max = 1 << 20) {
  RebuildOptions options;
  options.compression = compression;
  options.max_timestamp = t0 + 2;
  options.size_bytes_max = size_bytes_max;
  return options;
}

// Bytes are compared with Kafka's in batch_validator_test; here, that from and to anything gives what the builder
// gives.
TEST(batch_rebuild, gives_what_building_anew_gives) {
  constexpr codec::Compression all[] = {codec::Compression::none, codec::Compression::gzip, codec::Compression::snappy,
                                        codec::Compression::lz4, codec::Compression::zstd};
  for (const auto from : all) {
    for (const auto into : all) {
      const codec::Blob source = build(from, 200'000);
      codec::Blob rebuilt;
      ASSERT_EQ(rebuild_batch(RecordBatch(source), to(into), rebuilt), RebuildOutcome::done);
      EXPECT_EQ(rebuilt, build(into, 200'000));
    }
  }
}

TEST(batch_rebuild, stops_where_it_gets_too_large) {
  const codec::Blob source = build(codec::Compression::zstd, 10'000'000);
  codec::Blob rebuilt;
  EXPECT_EQ(rebuild_batch(RecordBatch(source), to(codec::Compression::none), rebuilt), RebuildOutcome::too_large);
  EXPECT_LT(rebuilt.size(), 3u << 20);
  const codec::Blob small = build(codec::Compression::none, 100);
  EXPECT_EQ(rebuild_batch(RecordBatch(small), to(codec::Compression::gzip, 70), rebuilt), RebuildOutcome::too_large);
  EXPECT_EQ(rebuild_batch(RecordBatch(small), to(codec::Compression::none, small.size()), rebuilt),
            RebuildOutcome::done);
}

TEST(batch_rebuild, refuses_what_kafkas_builder_refuses) {
  codec::Blob source = build(codec::Compression::none, 10);
  codec::Blob rebuilt;
  source[51] = source[52] = 0xff;  // no epoch
  EXPECT_EQ(rebuild_batch(RecordBatch(source), to(codec::Compression::gzip), rebuilt), RebuildOutcome::refused);
  source = build(codec::Compression::none, 10);
  std::fill(source.begin() + 27, source.begin() + 35, 0xff);
  source[34] = 0xfe;  // the base timestamp is -2
  EXPECT_EQ(rebuild_batch(RecordBatch(source), to(codec::Compression::gzip), rebuilt), RebuildOutcome::refused);
  source = build(codec::Compression::none, 10);
  source.resize(70);
  EXPECT_EQ(rebuild_batch(RecordBatch(source), to(codec::Compression::gzip), rebuilt), RebuildOutcome::refused);
}

}  // namespace
}  // namespace dohle::log
