// The runtime with real reactors and a log in memory.
#include "server/coordinator/runtime.h"

#include <gtest/gtest.h>

#include <future>
#include <mutex>

#include "server/coordinator/memory_log.h"

namespace dohle::coordinator {
namespace {

using protocol::ErrorCode;

/// Counts; its only record is "n=<number>".
class Counter final : public Shard {
 public:
  explicit Counter(Timers& timers) : timers_(timers) {}

  runtime::Status replay(const Record& record, std::int64_t, std::int64_t producer_id, std::int16_t) override {
    const int n = std::stoi(std::string(record.value->begin(), record.value->end()));
    (producer_id < 0 ? value : pending) = n;
    return {};
  }
  void replay_end_transaction(std::int64_t, std::int16_t, bool committed) override {
    if (committed) value = pending;
  }
  void loaded(const OperationContext&) override { is_loaded = true; }
  void unloaded() override {
    if (parked) parked(-1);
  }
  Outcome on_timer(const TimerKey& key, const OperationContext&) override { return set(static_cast<int>(key.kind)); }
  Outcome topics_deleted(const std::vector<metadata::TopicPointer>& topics, const OperationContext&) override {
    return set(static_cast<int>(1000 + topics.size()));
  }

  static Outcome set(int n) {
    const auto text = std::to_string(n);
    Outcome outcome;
    outcome.records.push_back({codec::Blob{'n'}, codec::Blob(text.begin(), text.end())});
    return outcome;
  }
  void arm(int kind, std::int64_t delay_ms) { timers_.arm({kind, "", ""}, delay_ms); }

  int value = 0;
  int pending = 0;
  bool is_loaded = false;
  Reply<int> parked;

 private:
  Timers& timers_;
};

metadata::ImagePointer image_with(std::int32_t leader, std::int32_t epoch, bool has_other_topic = true) {
  auto image = std::make_shared<metadata::MetadataImage>();
  auto topics = std::make_shared<metadata::TopicsImage>();
  auto topic = std::make_shared<metadata::TopicImage>();
  topic->name = "internal";
  topic->id = codec::Uuid::reserved(150);
  for (int i = 0; i < 3; ++i) {
    topic->partitions[i].leader = leader;
    topic->partitions[i].leader_epoch = epoch;
  }
  topics->put(topic);
  if (has_other_topic) {
    auto other = std::make_shared<metadata::TopicImage>();
    other->name = "other";
    other->id = codec::Uuid::reserved(151);
    topics->put(other);
  }
  image->topics = topics;
  return image;
}

class RuntimeTest : public testing::Test {
 protected:
  RuntimeTest() {
    for (auto& log : logs_) log = std::make_shared<MemoryLog>();
    reactors_.start();
  }
  ~RuntimeTest() override {
    runtime_.stop();
    reactors_.stop();
    disk_pool_.stop();
  }

  void lead(std::int32_t epoch = 1) { change(image_with(1, epoch)); }
  void change(const metadata::ImagePointer& image, const std::vector<codec::Uuid>& changed = {}) {
    image_.publish(image);
    runtime_.image_changed(image, changed);
  }
  /// What `function(counter, reply)` answers; an error is its number, negative.
  template <typename Function>
  std::future<int> start(std::int32_t partition, Function function) {
    auto promise = std::make_shared<std::promise<int>>();
    auto future = promise->get_future();
    runtime_.write<int>(
        partition,
        [function](Counter& counter, const OperationContext&, Reply<int> reply) {
          return function(counter, std::move(reply));
        },
        [promise](int answer) { promise->set_value(answer); }, [](ErrorCode error) { return failed(error); });
    return future;
  }
  static int failed(ErrorCode error) { return -static_cast<int>(error); }
  std::future<int> set(std::int32_t partition, int n) {
    return start(partition, [n](Counter&, Reply<int> reply) {
      auto outcome = Counter::set(n);
      outcome.answer(std::move(reply), n, failed);
      return outcome;
    });
  }
  std::future<int> get(std::int32_t partition) {
    return start(partition, [](Counter& counter, Reply<int> reply) {
      Outcome outcome;
      outcome.answer(std::move(reply), counter.value, failed);
      return outcome;
    });
  }
  /// Waits until it is loaded.
  void await_active(std::int32_t partition) {
    for (int i = 0; i < 1000 && get(partition).get() < 0; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ASSERT_GE(get(partition).get(), 0);
  }

  std::array<std::shared_ptr<MemoryLog>, 3> logs_;
  runtime::Snapshot<metadata::MetadataImage> image_{std::make_shared<metadata::MetadataImage>()};
  runtime::ReactorPool reactors_{2, "test"};
  runtime::DiskPool disk_pool_{"test", {}};
  Runtime<Counter> runtime_{RuntimeOptions{.topic = "internal", .logger = "test", .node_id = 1},
                            reactors_,
                            disk_pool_,
                            [this](std::int32_t partition) { return logs_.at(static_cast<std::size_t>(partition)); },
                            image_,
                            runtime::system_clock(),
                            [](std::int32_t, Timers& timers) { return std::make_unique<Counter>(timers); }};
};

TEST_F(RuntimeTest, APartitionThatIsNotHereIsRefused) {
  EXPECT_EQ(set(0, 5).get(), failed(ErrorCode::not_coordinator));
}

TEST_F(RuntimeTest, WritesAreInTheLogAndComeBackWithTheNextEpoch) {
  lead();
  await_active(1);
  EXPECT_EQ(set(1, 42).get(), 42);
  EXPECT_EQ(get(1).get(), 42);
  EXPECT_EQ(logs_[1]->log_end_offset(), 1);
  logs_[1]->set_leader_epoch(2);
  lead(2);
  await_active(1);
  EXPECT_EQ(get(1).get(), 42);
  EXPECT_EQ(set(1, 43).get(), 43);
}

TEST_F(RuntimeTest, AnswersWaitForTheHighWatermarkAndSoDoReadsOfWhatTheySaw) {
  lead();
  await_active(0);
  logs_[0]->hold_high_watermark();
  auto written = set(0, 7);
  auto read = get(0);
  EXPECT_EQ(written.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  EXPECT_EQ(read.wait_for(std::chrono::milliseconds(0)), std::future_status::timeout);
  logs_[0]->release_high_watermark();
  EXPECT_EQ(written.get(), 7);
  EXPECT_EQ(read.get(), 7);
}

TEST_F(RuntimeTest, AFailedAppendChangesNothingAndIsMappedForClients) {
  lead();
  await_active(0);
  logs_[0]->fail_appends(ErrorCode::not_enough_replicas);
  EXPECT_EQ(set(0, 7).get(), failed(ErrorCode::coordinator_not_available));
  logs_[0]->fail_appends(ErrorCode::kafka_storage_error);
  EXPECT_EQ(set(0, 7).get(), failed(ErrorCode::not_coordinator));
  logs_[0]->fail_appends(ErrorCode::none);
  EXPECT_EQ(get(0).get(), 0);
}

TEST_F(RuntimeTest, ABatchAboveTheTopicsLimitIsRefused) {
  lead();
  await_active(0);
  logs_[0]->set_batch_bytes_max(70);
  EXPECT_EQ(set(0, 123456789).get(), failed(ErrorCode::unknown_server_error));
  EXPECT_EQ(logs_[0]->log_end_offset(), 0);
}

TEST_F(RuntimeTest, WhatNeedNotBeAtomicIsSpreadOverBatches) {
  lead();
  await_active(0);
  logs_[0]->set_batch_bytes_max(100);
  const auto many = [](Counter&, Reply<int> reply) {
    Outcome outcome;
    outcome.atomic = false;
    for (int i = 0; i < 10; ++i) outcome.records.push_back(std::move(Counter::set(i).records[0]));
    outcome.answer(std::move(reply), 1, failed);
    return outcome;
  };
  EXPECT_EQ(start(0, many).get(), 1);
  EXPECT_EQ(logs_[0]->log_end_offset(), 10);
  EXPECT_EQ(get(0).get(), 9);
}

TEST_F(RuntimeTest, ResignationAnswersWhatWaits) {
  lead();
  await_active(0);
  logs_[0]->hold_high_watermark();
  auto written = set(0, 7);
  auto parked = start(0, [](Counter& counter, Reply<int> reply) {
    counter.parked = std::move(reply);
    return Outcome{};
  });
  change(image_with(2, 2));
  EXPECT_EQ(written.get(), failed(ErrorCode::not_coordinator));
  EXPECT_EQ(parked.get(), -1);
  EXPECT_EQ(get(0).get(), failed(ErrorCode::not_coordinator));
}

TEST_F(RuntimeTest, TimersAreOperations) {
  lead();
  await_active(2);
  start(2, [](Counter& counter, Reply<int> reply) {
    counter.arm(77, 30);
    reply(0);
    return Outcome{};
  }).get();
  for (int i = 0; i < 400 && get(2).get() != 77; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(get(2).get(), 77);
  EXPECT_EQ(logs_[2]->log_end_offset(), 1);
}

TEST_F(RuntimeTest, MarkersEndTransactions) {
  lead();
  await_active(0);
  const auto transactional = [](Counter&, Reply<int> reply) {
    auto outcome = Counter::set(5);
    outcome.producer = ProducerIdentity{9, 0, {}};
    outcome.answer(std::move(reply), 5, failed);
    return outcome;
  };
  EXPECT_EQ(start(0, transactional).get(), 5);
  EXPECT_EQ(get(0).get(), 0);
  std::promise<ErrorCode> done;
  const protocol::EndTransactionMarker marker{protocol::ControlRecordType::commit, 0, 9, 0, 1};
  runtime_.complete_transaction(0, marker, 1, [&done](ErrorCode error) { done.set_value(error); });
  EXPECT_EQ(done.get_future().get(), ErrorCode::none);
  EXPECT_EQ(get(0).get(), 5);
  // The same after loading.
  logs_[0]->set_leader_epoch(2);
  lead(2);
  await_active(0);
  EXPECT_EQ(get(0).get(), 5);
}

TEST_F(RuntimeTest, AMarkerForAPartitionThatIsNotHereIsRefused) {
  std::promise<ErrorCode> done;
  runtime_.complete_transaction(0, {}, 1, [&done](ErrorCode error) { done.set_value(error); });
  EXPECT_EQ(done.get_future().get(), ErrorCode::not_coordinator);
}

TEST_F(RuntimeTest, DeletedTopicsReachEveryShard) {
  lead();
  for (int i = 0; i < 3; ++i) await_active(i);
  change(image_with(1, 1, false), {codec::Uuid::reserved(151)});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(get(i).get(), 1001);
}

TEST_F(RuntimeTest, ALogThatCannotBeReadMakesItsPartitionFail) {
  logs_[0]->add_bytes(codec::Blob(20, 0xff), 1);
  lead();
  await_active(1);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(get(0).get(), failed(ErrorCode::not_coordinator));
}

TEST_F(RuntimeTest, IdsFindTheirPartitionAsInKafka) {
  lead();
  // abs("group".hashCode()) % 3 and the like, by jshell.
  EXPECT_EQ(runtime_.led_partitions(), (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(runtime_.partition_for(""), 0);
  EXPECT_EQ(runtime_.partition_for("polygenelubricants"), 0);  // its hash is Integer.MIN_VALUE
  EXPECT_EQ(runtime_.partition_for("a"), 97 % 3);
}

}  // namespace
}  // namespace dohle::coordinator
