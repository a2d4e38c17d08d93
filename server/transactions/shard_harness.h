// A transaction shard under test: a hand-set clock, timers that fire when the clock passes them, a log in memory that
// may refuse appends, a restart from that log, and markers that wait until the test reports them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/metadata/metadata_image.h"
#include "server/runtime/check.h"
#include "server/transactions/transaction_shard.h"

namespace dohle::transactions {

class FakeTimers final : public coordinator::Timers {
 public:
  explicit FakeTimers(const std::int64_t& now_ms) : now_ms_(now_ms) {}
  void arm(const coordinator::TimerKey& key, std::int64_t delay_ms) override { deadlines_[key] = now_ms_ + delay_ms; }
  void cancel(const coordinator::TimerKey& key) override { deadlines_.erase(key); }
  bool is_armed(const coordinator::TimerKey& key) const override { return deadlines_.contains(key); }
  void clear() { deadlines_.clear(); }
  std::optional<std::pair<coordinator::TimerKey, std::int64_t>> take_due(std::int64_t until_ms) {
    auto first = deadlines_.end();
    for (auto timer = deadlines_.begin(); timer != deadlines_.end(); ++timer) {
      if (timer->second <= until_ms && (first == deadlines_.end() || timer->second < first->second)) first = timer;
    }
    if (first == deadlines_.end()) return std::nullopt;
    auto due = std::pair(first->first, first->second);
    deadlines_.erase(first);
    return due;
  }

 private:
  const std::int64_t& now_ms_;
  std::map<coordinator::TimerKey, std::int64_t> deadlines_;
};

class ShardHarness : private MarkerSender {
 public:
  /// `level` is the finalised transaction.version.
  explicit ShardHarness(std::int16_t level = 2) : image_(image_with(level)) { load(); }

  TransactionSettings settings;
  /// What the source of producer ids has left; the next one is its front.
  std::deque<std::int64_t> producer_ids = {1000, 1001, 1002, 1003};
  std::deque<MarkerOrder> orders;

  std::int64_t now_ms() const { return now_ms_; }
  const std::vector<coordinator::Record>& log() const { return log_; }

  // Requests with their answers; the answer must come at once.
  ProducerAnswer init(const std::string& id, std::optional<ProducerIdentity> expected = {},
                      std::int32_t timeout = 60'000) {
    return ask<ProducerAnswer>(
        [&](auto reply) { return shard_->init_producer(context(), {id, timeout, expected}, std::move(reply)); });
  }
  ProducerAnswer end(const std::string& id, ProducerIdentity producer, bool commit, std::int16_t version = 2) {
    return ask<ProducerAnswer>(
        [&](auto reply) { return shard_->end(context(), {id, producer, commit, version}, std::move(reply)); });
  }
  protocol::ErrorCode add(const std::string& id, ProducerIdentity producer, std::set<TopicPartition> partitions,
                          std::int16_t version = 2) {
    return ask<protocol::ErrorCode>([&](auto reply) {
      return shard_->add_partitions(context(), {id, producer, std::move(partitions), version}, std::move(reply));
    });
  }
  PartitionVerdicts verify(const std::string& id, ProducerIdentity producer, std::set<TopicPartition> partitions) {
    return ask<PartitionVerdicts>([&](auto reply) {
      return shard_->verify_partitions({id, producer, std::move(partitions), 0}, std::move(reply));
    });
  }
  DescribedTransaction describe(const std::string& id) {
    return ask<DescribedTransaction>([&](auto reply) { return shard_->describe(id, std::move(reply)); });
  }
  TransactionState state(const std::string& id) { return describe(id).metadata.state; }
  std::vector<std::string> list(const TransactionFilter& filter) {
    const auto listed =
        ask<ListedTransactions>([&](auto reply) { return shard_->list(context(), filter, std::move(reply)); });
    std::vector<std::string> ids;
    for (const auto& [id, metadata] : listed.transactions) ids.push_back(id);
    return ids;
  }

  /// Reports the oldest order; partitions that `errors` does not name succeed.
  MarkerOrder report(const std::map<TopicPartition, protocol::ErrorCode>& errors = {}) {
    CHECK(!orders.empty());
    auto order = std::move(orders.front());
    orders.pop_front();
    MarkerReport report{order.transactional_id, order.marker.producer_id, order.marker.producer_epoch, {}};
    for (const auto& partition : order.partitions) {
      const auto found = errors.find(partition);
      report.results.emplace_back(partition, found == errors.end() ? protocol::ErrorCode::none : found->second);
    }
    apply(shard_->markers_written(context(), report));
    return order;
  }

  void advance(std::int64_t ms) {
    const auto until_ms = now_ms_ + ms;
    while (auto due = timers_.take_due(until_ms)) {
      now_ms_ = std::max(now_ms_, due->second);
      apply(shard_->on_timer(due->first, context()));
    }
    now_ms_ = until_ms;
  }
  void fail_appends(std::optional<protocol::ErrorCode> error) { failing_ = error; }
  /// Completions wait for commit_held(); what is asked meanwhile has to be asked with hold().
  void hold_commits() { holding_ = true; }
  void commit_held() {
    holding_ = false;
    for (auto& completion : std::exchange(held_, {})) completion(protocol::ErrorCode::none);
  }
  /// Runs an operation whose answer does not come yet.
  void begin_add(const std::string& id, ProducerIdentity producer, std::set<TopicPartition> partitions) {
    apply(shard_->add_partitions(context(), {id, producer, std::move(partitions), 2}, [](protocol::ErrorCode) {}));
  }
  /// A new shard from the log, as after a crash.
  void restart() {
    shard_->unloaded();
    timers_.clear();
    orders.clear();
    load();
  }

 private:
  static metadata::MetadataImage image_with(std::int16_t level) {
    metadata::MetadataImage image;
    auto features = std::make_shared<metadata::FeaturesImage>();
    if (level > 0) features->levels["transaction.version"] = level;
    image.features = features;
    return image;
  }
  void send(std::int32_t, MarkerOrder order) override { orders.push_back(std::move(order)); }
  coordinator::OperationContext context() const { return {now_ms_, image_}; }

  template <typename Response, typename Operation>
  Response ask(Operation operation) {
    auto answer = std::make_shared<std::optional<Response>>();
    const bool was_holding = std::exchange(holding_, false);
    apply(operation(coordinator::Reply<Response>([answer](Response response) { *answer = std::move(response); })));
    holding_ = was_holding;
    CHECK(answer->has_value());
    return std::move(**answer);
  }
  void apply(coordinator::Outcome outcome) {
    auto error = protocol::ErrorCode::none;
    if (!outcome.records.empty() && failing_) {
      error = *failing_;
    } else {
      for (auto& record : outcome.records) {
        CHECK(shard_->replay(record, static_cast<std::int64_t>(log_.size()), -1, -1).has_value());
        log_.push_back(std::move(record));
      }
    }
    for (auto& completion : outcome.completions) {
      if (holding_) {
        held_.push_back(std::move(completion));
      } else {
        completion(error);
      }
    }
  }
  void load() {
    MarkerSender& sender = *this;
    shard_ = std::make_unique<TransactionShard>(0, settings, timers_, source_, sender);
    for (const auto& record : log_) CHECK(shard_->replay(record, 0, -1, -1).has_value());
    shard_->loaded(context());
  }

  std::int64_t now_ms_ = 1'700'000'000'000;
  FakeTimers timers_{now_ms_};
  metadata::MetadataImage image_;
  std::vector<coordinator::Record> log_;
  std::optional<protocol::ErrorCode> failing_;
  bool holding_ = false;
  std::vector<coordinator::Completion> held_;
  ProducerIdSource source_ = [this]() -> std::optional<std::int64_t> {
    if (producer_ids.empty()) return std::nullopt;
    const auto id = producer_ids.front();
    producer_ids.pop_front();
    return id;
  };
  std::unique_ptr<TransactionShard> shard_;
};

}  // namespace dohle::transactions
