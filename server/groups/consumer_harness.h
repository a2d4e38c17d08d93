// A consumer group coordinator under test: a hand-set clock, timers that fire when the clock passes them, and topics.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/groups/consumer_coordinator.h"
#include "server/metadata/metadata_image.h"
#include "server/runtime/check.h"

namespace dohle::groups {

class ConsumerHarness final : public ConsumerGroups, public coordinator::Timers {
 public:
  using Request = protocol::ConsumerGroupHeartbeatRequest;
  using Response = protocol::ConsumerGroupHeartbeatResponse;

  ConsumerHarness()
      : coordinator_(
            *this, *this, [this](const std::string&) { return settings; }, [] { return std::string("generated"); }) {
    settings.assignment_interval_ms = 0;
  }

  // coordinator::Timers
  void arm(const coordinator::TimerKey& key, std::int64_t delay_ms) override { deadlines_[key] = now_ms + delay_ms; }
  void cancel(const coordinator::TimerKey& key) override { deadlines_.erase(key); }
  bool is_armed(const coordinator::TimerKey& key) const override { return deadlines_.contains(key); }

  // ConsumerGroups
  ConsumerGroup* find(const std::string& id) override {
    const auto found = groups_.find(id);
    return found == groups_.end() ? nullptr : found->second.get();
  }
  bool is_of_another_type(const std::string& id) override { return id.starts_with("classic"); }
  bool replace_empty_classic(const std::string&, std::vector<coordinator::Record>&) override { return false; }
  ConsumerGroup* create(const std::string& id) override {
    if (is_of_another_type(id)) return nullptr;
    return (groups_[id] = std::make_unique<ConsumerGroup>(id)).get();
  }
  // Groups of both protocols are tested on a whole shard.
  ClassicGroup* find_classic(const std::string&) override { return nullptr; }
  coordinator::Completion downgrade(std::unique_ptr<ClassicGroup>, bool, std::int64_t) override {
    CHECK(false);
    return {};
  }
  void remove(const std::string& id) override { groups_.erase(id); }
  void for_each(const std::function<void(ConsumerGroup&)>& visit) override {
    for (const auto& [id, group] : groups_) visit(*group);
  }

  void put_topic(const std::string& name, std::uint8_t id, std::int32_t partitions) {
    auto topic = std::make_shared<metadata::TopicImage>();
    topic->name = name;
    topic->id = codec::Uuid::reserved(id);
    for (std::int32_t i = 0; i < partitions; ++i) topic->partitions[i] = {};
    auto topics = std::make_shared<metadata::TopicsImage>(*image.topics);
    topics->put(std::move(topic));
    image.topics = std::move(topics);
    ++image.provenance.last_contained_offset;
  }

  Response send(const Request& request) {
    auto step = coordinator_.heartbeat(context(), {"client", "/127.0.0.1", 1}, request);
    apply(std::move(step.outcome));
    return step.response;
  }
  Response join(const std::string& member, std::vector<std::string> topics) {
    Request request;
    request.group_id = "g";
    request.member_id = member;
    request.rebalance_timeout_ms = 60'000;
    request.subscribed_topic_names = std::move(topics);
    request.topic_partitions.emplace();
    return send(request);
  }
  Response beat(const std::string& member, std::int32_t epoch) {
    Request request;
    request.group_id = "g";
    request.member_id = member;
    request.member_epoch = epoch;
    return send(request);
  }
  /// With what the member owns of one topic.
  Response beat(const std::string& member, std::int32_t epoch, std::uint8_t topic, std::vector<std::int32_t> owned) {
    Request request;
    request.group_id = "g";
    request.member_id = member;
    request.member_epoch = epoch;
    request.topic_partitions.emplace();
    request.topic_partitions->push_back({codec::Uuid::reserved(topic), std::move(owned), {}});
    return send(request);
  }
  void pass(std::int64_t delay_ms) {
    now_ms += delay_ms;
    while (true) {
      const auto due = std::ranges::find_if(deadlines_, [this](const auto& one) { return one.second <= now_ms; });
      if (due == deadlines_.end()) return;
      const auto key = due->first;
      deadlines_.erase(due);
      switch (static_cast<TimerKind>(key.kind)) {
        case TimerKind::consumer_session:
        case TimerKind::consumer_join:
        case TimerKind::consumer_sync:
          apply(coordinator_.on_member_timer(context(), key.id, key.sub_id));
          break;
        case TimerKind::consumer_rebalance:
          apply(coordinator_.on_rebalance_timer(context(), key.id, key.sub_id));
          break;
        case TimerKind::consumer_regex:
          apply(coordinator_.on_regex_timer(context(), key.id));
          break;
        default:
          break;
      }
    }
  }
  void apply(coordinator::Outcome outcome) { apply(std::move(outcome.records)); }
  void apply(std::vector<coordinator::Record> records) {
    for (auto& record : records) {
      CHECK(coordinator_.replay(record).has_value());
      log.push_back(std::move(record));
    }
  }
  /// Everything again from the log.
  void restart() {
    groups_.clear();
    deadlines_.clear();
    for (const auto& record : log) CHECK(coordinator_.replay(record).has_value());
    coordinator_.loaded(context());
  }

  coordinator::OperationContext context() const { return {now_ms, image}; }
  ConsumerCoordinator& coordinator() { return coordinator_; }

  std::int64_t now_ms = 1'000'000;
  metadata::MetadataImage image;
  ConsumerGroupSettings settings;
  std::vector<coordinator::Record> log;

 private:
  std::map<coordinator::TimerKey, std::int64_t> deadlines_;
  std::map<std::string, std::unique_ptr<ConsumerGroup>> groups_;
  ConsumerCoordinator coordinator_;
};

/// "none", or the error.
inline protocol::ErrorCode error_of(const ConsumerHarness::Response& response) {
  return static_cast<protocol::ErrorCode>(response.error_code);
}
/// Of the first topic in the answer's assignment.
inline std::vector<std::int32_t> partitions_of(const ConsumerHarness::Response& response) {
  if (!response.assignment || response.assignment->topic_partitions.empty()) return {};
  return response.assignment->topic_partitions.front().partitions;
}

}  // namespace dohle::groups
