// A group shard with members of both protocols under test.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/writer.h"
#include "server/groups/embedded_consumer_protocol.h"
#include "server/groups/shard_harness.h"

namespace dohle::groups {

inline codec::Blob subscription_bytes(const std::vector<std::string>& topics,
                                      const std::vector<std::int32_t>& owned_of_first = {}) {
  protocol::ConsumerProtocolSubscription subscription;
  subscription.topics = topics;
  if (!owned_of_first.empty()) subscription.owned_partitions.push_back({topics.front(), owned_of_first});
  codec::Writer writer;
  writer.i16(3);
  encode(writer, std::int16_t{3}, subscription);
  return writer.release();
}

inline std::vector<std::int32_t> assigned_partitions(const codec::Blob& bytes) {
  const auto assignment = parse_assignment(bytes);
  if (!assignment || assignment->assigned_partitions.empty()) return {};
  return assignment->assigned_partitions.front().partitions;
}

/// Joins and heartbeats come that far apart, so that each may bring a new assignment.
class MigrationHarness {
 public:
  explicit MigrationHarness(GroupSettings settings = {}) : shard_(std::move(settings)) {}

  ShardHarness& shard() { return shard_; }
  void put_topic(const std::string& name, std::uint8_t id, std::int32_t partitions) {
    auto topic = std::make_shared<metadata::TopicImage>();
    topic->name = name;
    topic->id = codec::Uuid::reserved(id);
    for (std::int32_t i = 0; i < partitions; ++i) topic->partitions[i] = {};
    auto topics = std::make_shared<metadata::TopicsImage>(*shard_.image().topics);
    topics->put(std::move(topic));
    shard_.image().topics = std::move(topics);
    ++shard_.image().provenance.last_contained_offset;
  }

  std::optional<protocol::JoinGroupResponse> join(const std::string& member, const std::vector<std::string>& topics,
                                                  const std::vector<std::int32_t>& owned = {},
                                                  std::optional<std::string> instance = std::nullopt) {
    protocol::JoinGroupRequest request;
    request.group_id = "g";
    request.member_id = member;
    request.group_instance_id = std::move(instance);
    request.session_timeout_ms = 10'000;
    request.rebalance_timeout_ms = 20'000;
    request.protocol_type = "consumer";
    request.protocols.push_back({"range", subscription_bytes(topics, owned), {}});
    shard_.advance(assignment_interval_ms);
    return shard_.ask<protocol::JoinGroupResponse>([&](auto reply) {
      return shard_.shard().join(shard_.context(), {"client", "/127.0.0.1", 3}, request, std::move(reply));
    });
  }
  protocol::SyncGroupResponse sync(const std::string& member, std::int32_t generation) {
    protocol::SyncGroupRequest request;
    request.group_id = "g";
    request.member_id = member;
    request.generation_id = generation;
    request.protocol_type = "consumer";
    request.protocol_name = "range";
    return *shard_.ask<protocol::SyncGroupResponse>(
        [&](auto reply) { return shard_.shard().sync(shard_.context(), request, std::move(reply)); });
  }
  protocol::ErrorCode heartbeat(const std::string& member, std::int32_t generation) {
    protocol::HeartbeatRequest request;
    request.group_id = "g";
    request.member_id = member;
    request.generation_id = generation;
    const auto answer = shard_.ask<protocol::HeartbeatResponse>(
        [&](auto reply) { return shard_.shard().heartbeat(request, std::move(reply)); });
    return static_cast<protocol::ErrorCode>(answer->error_code);
  }
  std::vector<std::int16_t> leave(const std::vector<std::string>& members) {
    protocol::LeaveGroupRequest request;
    request.group_id = "g";
    for (const auto& member : members) request.members.emplace_back().member_id = member;
    const auto answer = shard_.ask<protocol::LeaveGroupResponse>(
        [&](auto reply) { return shard_.shard().leave(shard_.context(), request, std::move(reply)); });
    std::vector<std::int16_t> errors;
    for (const auto& member : answer->members) errors.push_back(member.error_code);
    return errors;
  }
  /// Epoch 0 joins with the topics; -1 leaves; else `owned` of the topic with id 1 is what the member says it has.
  protocol::ConsumerGroupHeartbeatResponse beat(const std::string& member, std::int32_t epoch,
                                                std::optional<std::vector<std::int32_t>> owned = std::nullopt,
                                                std::optional<std::string> instance = std::nullopt) {
    protocol::ConsumerGroupHeartbeatRequest request;
    request.group_id = "g";
    request.member_id = member;
    request.member_epoch = epoch;
    request.instance_id = std::move(instance);
    if (epoch == 0) {
      request.rebalance_timeout_ms = 60'000;
      request.subscribed_topic_names = std::vector<std::string>{"t"};
      request.topic_partitions.emplace();
    } else if (owned) {
      request.topic_partitions.emplace();
      if (!owned->empty()) request.topic_partitions->push_back({codec::Uuid::reserved(1), *std::move(owned), {}});
    }
    shard_.advance(assignment_interval_ms);
    return *shard_.ask<protocol::ConsumerGroupHeartbeatResponse>([&](auto reply) {
      return shard_.shard().consumer_heartbeat(shard_.context(), {"client", "/127.0.0.1", 1}, request,
                                               std::move(reply));
    });
  }
  /// "classic", "consumer" or "" for none; and its state.
  std::string group() {
    const auto* group = shard_.shard().groups().find("g");
    return group == nullptr ? "" : std::string(to_string(group->type())) + " " + std::string(group->state_name());
  }
  /// A stable classic group of one member, which has all partitions of "t"; its id.
  std::string make_classic_group(const std::vector<std::int32_t>& partitions) {
    protocol::JoinGroupResponse joined;
    protocol::JoinGroupRequest request;
    request.group_id = "g";
    request.session_timeout_ms = 10'000;
    request.rebalance_timeout_ms = 20'000;
    request.protocol_type = "consumer";
    request.protocols.push_back({"range", subscription_bytes({"t"}), {}});
    shard_.apply(shard_.shard().join(shard_.context(), {"client", "/127.0.0.1", 3}, request,
                                     [&joined](protocol::JoinGroupResponse answer) { joined = std::move(answer); }));
    shard_.advance(5'000);
    protocol::SyncGroupRequest sync;
    sync.group_id = "g";
    sync.member_id = joined.member_id;
    sync.generation_id = joined.generation_id;
    sync.assignments.push_back(
        {joined.member_id, embedded_assignment({{codec::Uuid::reserved(1), partitions}}, shard_.image(), 3), {}});
    shard_.ask<protocol::SyncGroupResponse>(
        [&](auto reply) { return shard_.shard().sync(shard_.context(), sync, std::move(reply)); });
    return joined.member_id;
  }

 private:
  static constexpr std::int64_t assignment_interval_ms = 1'000;

  ShardHarness shard_;
};

}  // namespace dohle::groups
