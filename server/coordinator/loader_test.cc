#include "server/coordinator/loader.h"

#include <gtest/gtest.h>

#include "protocol/record_batch_builder.h"
#include "server/coordinator/memory_log.h"

namespace dohle::coordinator {
namespace {

/// Writes down what it is told.
class Listening final : public Shard {
 public:
  runtime::Status replay(const Record& record, std::int64_t offset, std::int64_t producer_id, std::int16_t) override {
    if (record.key == codec::Blob{'!'}) return runtime::failure(runtime::ErrorKind::corrupt, "bad record");
    heard.push_back(std::to_string(offset) + ":" + std::string(record.key.begin(), record.key.end()) + "=" +
                    (record.value ? std::string(record.value->begin(), record.value->end()) : "-") + "/" +
                    std::to_string(producer_id));
    return {};
  }
  void replay_end_transaction(std::int64_t producer_id, std::int16_t epoch, bool committed) override {
    heard.push_back((committed ? "commit " : "abort ") + std::to_string(producer_id) + "/" + std::to_string(epoch));
  }
  void loaded(const OperationContext&) override {}
  void unloaded() override {}
  Outcome on_timer(const TimerKey&, const OperationContext&) override { return {}; }

  std::vector<std::string> heard;
};

codec::Blob batch(std::int64_t base_offset, const std::string& key, std::optional<std::string> value,
                  std::int64_t producer_id = -1) {
  protocol::RecordBatchOptions options;
  options.base_offset = base_offset;
  options.producer_id = producer_id;
  options.producer_epoch = producer_id < 0 ? -1 : 0;
  options.base_sequence = 0;
  options.is_transactional = producer_id >= 0;
  protocol::RecordBatchBuilder builder(options);
  const auto bytes = value ? std::optional<codec::Bytes>(codec::as_bytes(*value)) : std::nullopt;
  builder.append(1, codec::as_bytes(key), bytes);
  return builder.build();
}

const std::atomic<bool> go_on{false};

TEST(Loader, ReplaysRecordsTombstonesAndMarkersInOrder) {
  MemoryLog log;
  log.add_bytes(batch(0, "a", "1"), 1);
  log.add_bytes(batch(1, "b", std::nullopt), 2);
  log.add_bytes(batch(2, "c", "3", 77), 3);
  log.add_bytes(protocol::end_transaction_batch(3, 0, {protocol::ControlRecordType::commit, 0, 77, 2, 1}), 4);
  log.add_bytes(protocol::end_transaction_batch(4, 0, {protocol::ControlRecordType::abort, 0, 78, 0, 1}), 5);
  Listening shard;
  const auto summary = load_shard(log, shard, 1 << 20, go_on);
  ASSERT_TRUE(summary.has_value()) << summary.error().message;
  EXPECT_EQ(shard.heard, (std::vector<std::string>{"0:a=1/-1", "1:b=-/-1", "2:c=3/77", "commit 77/2", "abort 78/0"}));
  EXPECT_EQ(summary->next_offset, 5);
  EXPECT_EQ(summary->records, 5);
}

TEST(Loader, KnowsTheLogEndWhereCompactionTookTheLastBatch) {
  MemoryLog log;
  log.add_bytes(batch(0, "a", "1"), 9);
  Listening shard;
  const auto summary = load_shard(log, shard, 1 << 20, go_on);
  ASSERT_TRUE(summary.has_value());
  EXPECT_EQ(summary->next_offset, 9);
}

TEST(Loader, AnEmptyLogIsLoaded) {
  MemoryLog log;
  Listening shard;
  EXPECT_EQ(load_shard(log, shard, 1 << 20, go_on)->next_offset, 0);
}

TEST(Loader, FallsOverWhatTheShardCannotRead) {
  MemoryLog log;
  log.add_bytes(batch(0, "!", "1"), 1);
  Listening shard;
  EXPECT_EQ(load_shard(log, shard, 1 << 20, go_on).error().kind, runtime::ErrorKind::corrupt);
}

TEST(Loader, FallsOverBytesThatAreNoBatch) {
  MemoryLog log;
  codec::Blob bad = batch(0, "a", "1");
  bad[16] = 7;  // the magic
  log.add_bytes(bad, 1);
  Listening shard;
  EXPECT_EQ(load_shard(log, shard, 1 << 20, go_on).error().kind, runtime::ErrorKind::corrupt);
}

TEST(Loader, GivesTheDisksErrorOn) {
  MemoryLog log;
  log.add_bytes(batch(0, "a", "1"), 1);
  log.fail_reads();
  Listening shard;
  EXPECT_EQ(load_shard(log, shard, 1 << 20, go_on).error().kind, runtime::ErrorKind::io);
}

TEST(Loader, StopsWhenItIsCancelled) {
  MemoryLog log;
  log.add_bytes(batch(0, "a", "1"), 1);
  Listening shard;
  const std::atomic<bool> cancelled{true};
  EXPECT_EQ(load_shard(log, shard, 1 << 20, cancelled).error().kind, runtime::ErrorKind::closed);
  EXPECT_TRUE(shard.heard.empty());
}

}  // namespace
}  // namespace dohle::coordinator
