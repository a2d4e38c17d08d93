// One partition of the group coordinator: all its groups and offsets. Requests come from GroupCoordinator, through the
// runtime; replies are called on the home thread. Source: org.apache.kafka.coordinator.group.GroupCoordinatorShard.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "protocol/messages/delete_groups.h"
#include "protocol/messages/describe_groups.h"
#include "protocol/messages/list_groups.h"
#include "server/coordinator/shard.h"
#include "server/groups/classic_coordinator.h"
#include "server/groups/consumer_coordinator.h"
#include "server/groups/consumer_group_settings.h"
#include "server/groups/group_registry.h"
#include "server/groups/group_settings.h"
#include "server/groups/offset_operations.h"
#include "server/groups/offset_store.h"
#include "server/groups/registry_consumer_groups.h"

namespace dohle::groups {

using DescribedGroups = std::vector<protocol::DescribeGroupsResponse::DescribedGroup>;
using DescribedConsumerGroups = std::vector<protocol::ConsumerGroupDescribeResponse::DescribedGroup>;
using ListedGroups = std::vector<protocol::ListGroupsResponse::ListedGroup>;
using DeletedGroups = std::vector<protocol::DeleteGroupsResponse::DeletableGroupResult>;

class GroupShard final : public coordinator::Shard {
 public:
  using Context = coordinator::OperationContext;
  using Outcome = coordinator::Outcome;
  template <typename Response>
  using Reply = coordinator::Reply<Response>;

  /// `timers` outlives the shard. `new_uuid` as in ClassicCoordinator.
  GroupShard(const GroupSettings& settings, coordinator::Timers& timers, std::function<std::string()> new_uuid);

  // coordinator::Shard
  runtime::Status replay(const coordinator::Record& record, std::int64_t offset, std::int64_t producer_id,
                         std::int16_t producer_epoch) override;
  void replay_end_transaction(std::int64_t producer_id, std::int16_t producer_epoch, bool committed) override;
  void loaded(const Context& context) override;
  void unloaded() override;
  Outcome on_timer(const coordinator::TimerKey& key, const Context& context) override;
  Outcome topics_deleted(const std::vector<metadata::TopicPointer>& topics, const Context& context) override;

  // Members.
  Outcome join(const Context& context, const ClientInfo& client, const protocol::JoinGroupRequest& request,
               Reply<protocol::JoinGroupResponse> reply);
  Outcome sync(const Context& context, const protocol::SyncGroupRequest& request,
               Reply<protocol::SyncGroupResponse> reply);
  Outcome heartbeat(const protocol::HeartbeatRequest& request, Reply<protocol::HeartbeatResponse> reply);
  Outcome leave(const Context& context, const protocol::LeaveGroupRequest& request,
                Reply<protocol::LeaveGroupResponse> reply);

  /// Members of the consumer protocol (KIP-848).
  Outcome consumer_heartbeat(const Context& context, const ClientInfo& client,
                             const protocol::ConsumerGroupHeartbeatRequest& request,
                             Reply<protocol::ConsumerGroupHeartbeatResponse> reply);

  // Offsets; see OffsetOperations.
  Outcome commit(const Context& context, const protocol::OffsetCommitRequest& request, std::int16_t version,
                 Reply<protocol::OffsetCommitResponse> reply);
  Outcome commit_in_transaction(const Context& context, const protocol::TxnOffsetCommitRequest& request,
                                std::int16_t version, Reply<protocol::TxnOffsetCommitResponse> reply);
  Outcome fetch(const OffsetOperations::FetchGroup& request, bool require_stable,
                Reply<OffsetOperations::FetchedGroup> reply);
  Outcome remove_offsets(const protocol::OffsetDeleteRequest& request, Reply<protocol::OffsetDeleteResponse> reply);

  // Administration.
  Outcome describe(const std::vector<std::string>& ids, std::int16_t version, Reply<DescribedGroups> reply);
  Outcome consumer_describe(const Context& context, const std::vector<std::string>& ids,
                            Reply<DescribedConsumerGroups> reply);
  Outcome list(const std::vector<std::string>& states, const std::vector<std::string>& types,
               Reply<ListedGroups> reply);
  Outcome remove(const std::vector<std::string>& ids, Reply<DeletedGroups> reply);

  const GroupRegistry& groups() const { return groups_; }
  const OffsetStore& offsets() const { return offsets_; }

 private:
  ConsumerGroupSettings consumer_settings(const std::string& group_id);
  /// nullptr: there is none, or nobody is in it.
  ConsumerGroup* find_consumer_members(const std::string& group_id);
  Outcome join_classic(const Context& context, const ClientInfo& client, const protocol::JoinGroupRequest& request,
                       Reply<protocol::JoinGroupResponse> reply);
  runtime::Status replay_offset(const coordinator::Record& record, std::int64_t offset, std::int64_t producer_id);
  runtime::Status replay_group(const coordinator::Record& record);
  Outcome expire(const Context& context);
  Outcome on_consumer_timer(const coordinator::TimerKey& key, const Context& context);
  void arm_expiry();

  const GroupSettings& settings_;
  coordinator::Timers& timers_;
  GroupRegistry groups_;
  OffsetStore offsets_;
  OffsetOperations offset_operations_;
  ClassicCoordinator classic_;
  RegistryConsumerGroups consumer_groups_;
  ConsumerCoordinator consumer_;
  /// Of the operation that runs: for the groups' own configuration.
  const metadata::MetadataImage* image_ = nullptr;
  ConsumerGroupConfigs consumer_configs_;
  /// While loading, groups that offsets make are as old as the loading.
  std::int64_t now_ms_ = 0;
};

// Answers of a request that was refused as a whole.
protocol::OffsetCommitResponse refused(const protocol::OffsetCommitRequest& request, protocol::ErrorCode error);
protocol::TxnOffsetCommitResponse refused(const protocol::TxnOffsetCommitRequest& request, protocol::ErrorCode error);
DescribedConsumerGroups refused_consumer_description(const std::vector<std::string>& ids, protocol::ErrorCode error);
DescribedGroups refused_description(const std::vector<std::string>& ids, protocol::ErrorCode error);
DeletedGroups refused_deletion(const std::vector<std::string>& ids, protocol::ErrorCode error);

}  // namespace dohle::groups
