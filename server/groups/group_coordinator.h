// The group coordinator of this broker: checks what needs no group, finds the partition, and runs the request there.
// Source: org.apache.kafka.coordinator.group.GroupCoordinatorService.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "server/config/broker_config.h"
#include "server/coordinator/runtime.h"
#include "server/groups/group_settings.h"
#include "server/groups/group_shard.h"

namespace dohle::groups {

inline constexpr const char* offsets_topic = "__consumer_offsets";

class GroupCoordinator {
 public:
  template <typename Response>
  using Reply = coordinator::Reply<Response>;

  /// All references outlive it. `config` is that of the start; these keys are not dynamic.
  GroupCoordinator(const config::BrokerConfig& config, runtime::ReactorPool& reactors, runtime::DiskPool& disk_pool,
                   coordinator::PartitionLogs logs, const runtime::Snapshot<metadata::MetadataImage>& image,
                   const runtime::Clock& clock);

  /// See ShardRuntime: image_changed(), stop(), complete_transaction(), partition_for(), led_partitions().
  coordinator::Runtime<GroupShard>& runtime() { return runtime_; }

  // Any thread; replies come on the group's home thread. Requests are those of any version, normalised: v0 of JoinGroup
  // has its rebalance timeout, LeaveGroup its list of members.
  void join(ClientInfo client, protocol::JoinGroupRequest request, Reply<protocol::JoinGroupResponse> reply);
  void sync(protocol::SyncGroupRequest request, Reply<protocol::SyncGroupResponse> reply);
  void heartbeat(protocol::HeartbeatRequest request, Reply<protocol::HeartbeatResponse> reply);
  void leave(protocol::LeaveGroupRequest request, Reply<protocol::LeaveGroupResponse> reply);

  /// Whether group.coordinator.rebalance.protocols has the consumer protocol.
  bool has_consumer_protocol() const { return has_consumer_protocol_; }
  /// ConsumerGroupHeartbeat (KIP-848). `client.version` is the request's.
  void consumer_heartbeat(ClientInfo client, protocol::ConsumerGroupHeartbeatRequest request,
                          Reply<protocol::ConsumerGroupHeartbeatResponse> reply);

  void commit(protocol::OffsetCommitRequest request, std::int16_t version, Reply<protocol::OffsetCommitResponse> reply);
  /// The transaction's coordinator has verified that the partition is part of the transaction.
  /// `guard` is the proof of it.
  void commit_in_transaction(protocol::TxnOffsetCommitRequest request, std::int16_t version,
                             log::VerificationGuard guard, Reply<protocol::TxnOffsetCommitResponse> reply);
  void fetch(OffsetOperations::FetchGroup request, bool require_stable, Reply<OffsetOperations::FetchedGroup> reply);
  void remove_offsets(protocol::OffsetDeleteRequest request, Reply<protocol::OffsetDeleteResponse> reply);

  /// All `ids` belong to `partition`.
  void describe(std::int32_t partition, std::vector<std::string> ids, std::int16_t version,
                Reply<DescribedGroups> reply);
  void consumer_describe(std::int32_t partition, std::vector<std::string> ids, Reply<DescribedConsumerGroups> reply);
  void remove(std::int32_t partition, std::vector<std::string> ids, Reply<DeletedGroups> reply);
  struct Listing {
    protocol::ErrorCode error = protocol::ErrorCode::none;
    ListedGroups groups;
  };
  /// NOT_COORDINATOR when the partition has just gone: leave it out.
  void list(std::int32_t partition, std::vector<std::string> states, std::vector<std::string> types,
            Reply<Listing> reply);

 private:
  const GroupSettings settings_;
  const bool has_consumer_protocol_;
  coordinator::Runtime<GroupShard> runtime_;
};

}  // namespace dohle::groups
