// A group shard under test: a hand-set clock, timers that fire when the clock passes them, a log in memory that may
// refuse appends, and a restart from that log.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/error_code.h"
#include "server/coordinator/outcome.h"
#include "server/coordinator/timers.h"
#include "server/groups/group_shard.h"
#include "server/metadata/metadata_image.h"
#include "server/runtime/check.h"

namespace dohle::groups {

class FakeTimers final : public coordinator::Timers {
 public:
  explicit FakeTimers(const std::int64_t& now_ms) : now_ms_(now_ms) {}
  void arm(const coordinator::TimerKey& key, std::int64_t delay_ms) override { deadlines_[key] = now_ms_ + delay_ms; }
  void cancel(const coordinator::TimerKey& key) override { deadlines_.erase(key); }
  bool is_armed(const coordinator::TimerKey& key) const override { return deadlines_.contains(key); }
  void clear() { deadlines_.clear(); }
  bool is_armed(TimerKind kind, const std::string& group, const std::string& member = {}) const {
    return is_armed({static_cast<std::int32_t>(kind), group, member});
  }
  /// The earliest that is due by `until_ms`, taken out.
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

class ShardHarness {
 public:
  struct Logged {
    coordinator::Record record;
    std::int64_t producer_id = -1;
  };

  explicit ShardHarness(GroupSettings settings = {}) : settings_(settings) { load(); }

  GroupShard& shard() { return *shard_; }
  FakeTimers& timers() { return timers_; }
  coordinator::OperationContext context() const { return {now_ms_, image_}; }
  metadata::MetadataImage& image() { return image_; }
  std::int64_t now_ms() const { return now_ms_; }
  const std::vector<Logged>& log() const { return log_; }
  const ClassicGroup* classic(const std::string& id) { return shard_->groups().find_classic(id); }

  /// As the runtime does it; an error of the log is what append_error() would make of it.
  void apply(coordinator::Outcome outcome) {
    auto error = protocol::ErrorCode::none;
    if (!outcome.records.empty() && failing_) {
      error = *failing_;
    } else {
      for (auto& record : outcome.records) append(outcome, std::move(record));
    }
    if (holding_) {
      for (auto& completion : outcome.completions) held_.push_back(std::move(completion));
      return;
    }
    for (auto& completion : outcome.completions) completion(error);
  }
  /// Runs `operation(reply)` and gives its answer, if it came at once.
  template <typename Response, typename Operation>
  std::optional<Response> ask(Operation operation) {
    auto answer = std::make_shared<std::optional<Response>>();
    apply(operation(coordinator::Reply<Response>([answer](Response response) { *answer = std::move(response); })));
    return *answer;
  }
  /// Moves the clock, and fires what becomes due on the way.
  void advance(std::int64_t ms) {
    const auto until_ms = now_ms_ + ms;
    while (auto due = timers_.take_due(until_ms)) {
      now_ms_ = std::max(now_ms_, due->second);
      apply(shard_->on_timer(due->first, context()));
    }
    now_ms_ = until_ms;
  }
  /// From now on appends fail with `error`; nothing: they succeed again.
  void fail_appends(std::optional<protocol::ErrorCode> error) { failing_ = error; }
  /// Completions wait for commit_held().
  void hold_commits() { holding_ = true; }
  void commit_held(protocol::ErrorCode error = protocol::ErrorCode::none) {
    holding_ = false;
    for (auto& completion : std::exchange(held_, {})) completion(error);
  }
  void end_transaction(std::int64_t producer_id, bool committed) {
    markers_[static_cast<std::int64_t>(log_.size())].emplace_back(producer_id, committed);
    shard_->replay_end_transaction(producer_id, 0, committed);
  }
  /// A new shard from the log, as another broker would have it.
  void restart() {
    shard_->unloaded();
    timers_.clear();
    load();
  }

 private:
  void append(const coordinator::Outcome& outcome, coordinator::Record record) {
    const auto offset = static_cast<std::int64_t>(log_.size());
    const auto producer_id = outcome.producer ? outcome.producer->id : -1;
    if (outcome.replay) CHECK(shard_->replay(record, offset, producer_id, 0).has_value());
    log_.push_back({std::move(record), producer_id});
  }
  void load() {
    shard_ = std::make_unique<GroupShard>(settings_, timers_, [this] { return next_uuid(); });
    for (std::size_t i = 0; i <= log_.size(); ++i) {
      for (const auto& [producer_id, committed] : markers_[static_cast<std::int64_t>(i)]) {
        shard_->replay_end_transaction(producer_id, 0, committed);
      }
      if (i == log_.size()) break;
      CHECK(shard_->replay(log_[i].record, static_cast<std::int64_t>(i), log_[i].producer_id, 0).has_value());
    }
    shard_->loaded(context());
  }
  std::string next_uuid() {
    auto digits = std::to_string(++uuids_);
    return "00000000-0000-4000-8000-" + std::string(12 - digits.size(), '0') + digits;
  }

  const GroupSettings settings_;
  std::int64_t now_ms_ = 1'700'000'000'000;
  FakeTimers timers_{now_ms_};
  metadata::MetadataImage image_;
  std::vector<Logged> log_;
  std::map<std::int64_t, std::vector<std::pair<std::int64_t, bool>>> markers_;
  std::optional<protocol::ErrorCode> failing_;
  bool holding_ = false;
  std::vector<coordinator::Completion> held_;
  int uuids_ = 0;
  std::unique_ptr<GroupShard> shard_;
};

}  // namespace dohle::groups
