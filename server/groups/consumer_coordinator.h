// The consumer group protocol (KIP-848): what ConsumerGroupHeartbeat does to a group, what the classic requests do to
// its classic members, and what its timers do. State changes only by replaying the records that come out, but for a
// downgrade, which puts a classic group in the place of the consumer group itself.
// Source: the consumer parts of GroupMetadataManager 4.4.0.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/error_code.h"
#include "protocol/messages/consumer_group_describe.h"
#include "protocol/messages/consumer_group_heartbeat.h"
#include "protocol/messages/heartbeat.h"
#include "protocol/messages/join_group.h"
#include "protocol/messages/leave_group.h"
#include "protocol/messages/sync_group.h"
#include "server/coordinator/outcome.h"
#include "server/coordinator/shard.h"
#include "server/coordinator/timers.h"
#include "server/groups/classic_coordinator.h"
#include "server/groups/consumer_group.h"
#include "server/groups/current_assignment_builder.h"
#include "server/groups/group_conversion.h"
#include "server/groups/group_failure.h"
#include "server/groups/partition_assignor.h"
#include "server/runtime/result.h"

namespace dohle::groups {

struct ConsumerGroupSettings {
  std::int32_t session_timeout_ms = 45'000;
  std::int32_t heartbeat_interval_ms = 5'000;
  std::int32_t assignment_interval_ms = 1'000;
  std::int32_t max_size = 2'147'483'647;
  std::int32_t regex_refresh_interval_ms = 600'000;
  /// The first is the default.
  std::vector<AssignorKind> assignors = {AssignorKind::uniform, AssignorKind::range};
  // group.consumer.migration.policy; neither: classic members may not join at all.
  bool may_upgrade = true;
  bool may_downgrade = true;
  /// group.max.size, for a group that is to become classic.
  std::int32_t classic_max_size = 2'147'483'647;
};

/// Where the consumer groups of a shard are, among its other groups. Ids are unique across types.
class ConsumerGroups {
 public:
  virtual ~ConsumerGroups() = default;
  /// nullptr: there is none, or it is of another type.
  virtual ConsumerGroup* find(const std::string& id) = 0;
  /// There is a group of another type.
  virtual bool is_of_another_type(const std::string& id) = 0;
  /// Where the id belongs to an empty classic group: its tombstones, and true.
  virtual bool replace_empty_classic(const std::string& id, std::vector<coordinator::Record>& records) = 0;
  /// Replaces a simple group (offsets alone). nullptr: it belongs to a group of another type that is not simple.
  virtual ConsumerGroup* create(const std::string& id) = 0;
  /// nullptr: there is none, or it is of another type.
  virtual ClassicGroup* find_classic(const std::string& id) = 0;
  /// Puts a classic group in the place of the consumer group with its id, and begins its sessions. `rebalance`: its
  /// members are asked to join again. The completion puts the consumer group back if the records were not written.
  virtual coordinator::Completion downgrade(std::unique_ptr<ClassicGroup> group, bool rebalance,
                                            std::int64_t now_ms) = 0;
  virtual void remove(const std::string& id) = 0;
  virtual void for_each(const std::function<void(ConsumerGroup&)>& visit) = 0;
};

class ConsumerCoordinator {
 public:
  using Request = protocol::ConsumerGroupHeartbeatRequest;
  using Response = protocol::ConsumerGroupHeartbeatResponse;
  using Context = coordinator::OperationContext;
  using Records = std::vector<coordinator::Record>;
  using Outcome = coordinator::Outcome;
  template <typename Message>
  using Reply = coordinator::Reply<Message>;
  using Settings = std::function<ConsumerGroupSettings(const std::string& group_id)>;

  /// All outlive it. `new_member_id` gives Uuid.randomUuid() as text, for members of version 0.
  ConsumerCoordinator(ConsumerGroups& groups, coordinator::Timers& timers, Settings settings,
                      std::function<std::string()> new_member_id)
      : groups_(groups), timers_(timers), settings_(std::move(settings)), new_member_id_(std::move(new_member_id)) {}

  /// What can be refused without a group. Nothing: it may go on.
  static std::optional<GroupFailure> check(const Request& request, std::int16_t version,
                                           const std::vector<AssignorKind>& assignors);

  struct Step {
    Response response;
    /// Without the answer.
    Outcome outcome;
  };
  /// The request has passed check().
  Step heartbeat(const Context& context, const ClientInfo& client, const Request& request);

  // The classic requests to a consumer group, which is there and not empty.
  Outcome join(const Context& context, const ClientInfo& client, const protocol::JoinGroupRequest& request,
               Reply<protocol::JoinGroupResponse> reply);
  Outcome sync(const Context& context, const protocol::SyncGroupRequest& request,
               Reply<protocol::SyncGroupResponse> reply);
  protocol::ErrorCode classic_heartbeat(const protocol::HeartbeatRequest& request);
  /// Members of both protocols.
  Outcome leave(const Context& context, const protocol::LeaveGroupRequest& request,
                Reply<protocol::LeaveGroupResponse> reply);

  // Timers.
  /// A session, or the time in which a classic member has to join or to sync: the member is fenced.
  Outcome on_member_timer(const Context& context, const std::string& group_id, const std::string& member_id);
  Outcome on_rebalance_timer(const Context& context, const std::string& group_id, const std::string& member_id);
  Outcome on_regex_timer(const Context& context, const std::string& group_id);

  protocol::ConsumerGroupDescribeResponse::DescribedGroup describe(const Context& context, const std::string& group_id);

  /// Records of the types 3 to 8 and 16; others are not touched. corrupt: Kafka's loader falls over it, too.
  runtime::Status replay(const coordinator::Record& record);
  static bool replays(std::int16_t record_type);
  /// The log has been replayed: sessions begin now.
  void loaded(const Context& context);

 private:
  /// One heartbeat on its way. `group` may be one that is not there yet.
  struct Beat;

  GroupResult<Response> beat(const Context& context, const ClientInfo& client, const Request& request,
                             Records& records);
  GroupResult<Response> leave(const Context& context, const Request& request, Outcome& outcome);
  GroupResult<ConsumerGroup*> group_for(const Context& context, const Request& request,
                                        std::unique_ptr<ConsumerGroup>& fresh, Records& records);
  std::optional<GroupFailure> check_size(const ConsumerGroup& group, const Request& request) const;
  GroupResult<ConsumerGroupMember> member_for(const ConsumerGroup& group, const Request& request,
                                              const std::string& member_id, Records& records);
  GroupResult<ConsumerGroupMember> static_member_for(const ConsumerGroup& group, const Request& request,
                                                     const std::string& member_id, Records& records);
  enum class RegexChange : std::uint8_t { none, updated, updated_and_resolved };
  GroupResult<RegexChange> update_regexes(const Beat& beat, Records& records);
  void schedule_resolution(const Beat& beat, bool required);
  void update_metadata(Beat& beat, bool bump, Records& records);
  std::optional<GroupFailure> update_target(Beat& beat, Records& records);
  std::optional<GroupFailure> update_assignment(Beat& beat, bool subscription_changed, Records& records);
  using MemberList = std::vector<const ConsumerGroupMember*>;
  GroupResult<void> fence(const Context& context, const ConsumerGroup& group, const MemberList& members,
                          Outcome& outcome);
  void cancel_timers(const std::string& group_id, const std::string& member_id);

  // consumer_migration.cc
  GroupResult<std::unique_ptr<ConsumerGroup>> upgraded(const Context& context, ClassicGroup& classic, Records& records);
  bool is_downgraded_without(const ConsumerGroup& group, const MemberList& leaving) const;
  bool is_downgraded_by_replacing(const ConsumerGroup& group, const ConsumerGroupMember& replaced) const;
  GroupResult<void> become_classic(const Context& context, const Downgrade& downgrade, bool rebalance,
                                   Outcome& outcome);

  // consumer_classic_member.cc
  GroupResult<ConsumerGroupMember> classic_member_for(const ConsumerGroup& group,
                                                      const protocol::JoinGroupRequest& request,
                                                      const std::string& member_id, Records& records) const;
  std::optional<GroupFailure> check_join(const ConsumerGroup& group, const protocol::JoinGroupRequest& request) const;
  /// `replaced`: its place is taken, and with it goes the last member of the consumer protocol.
  GroupResult<void> update_classic_member(Beat& beat, const ConsumerGroupMember* replaced, Outcome& outcome);
  GroupResult<protocol::JoinGroupResponse> join_member(const Context& context, const ClientInfo& client,
                                                       const protocol::JoinGroupRequest& request, Outcome& outcome);
  void arm_join(const std::string& group_id, const ConsumerGroupMember& member);

  void arm_session(const std::string& group_id, const std::string& member_id);
  void arm_classic_session(const std::string& group_id, const ConsumerGroupMember& member);
  void arm_rebalance(const std::string& group_id, const ConsumerGroupMember& member);
  void cancel_rebalance(const std::string& group_id, const std::string& member_id);
  AssignorKind default_assignor(const std::string& group_id) const;
  /// The offset of the newest image that brought topics.
  std::int64_t new_topics_version(const metadata::MetadataImage& image);

  ConsumerGroups& groups_;
  coordinator::Timers& timers_;
  const Settings settings_;
  const std::function<std::string()> new_member_id_;
  /// Members that are to give partitions back, and the epoch that they have to leave.
  std::map<std::pair<std::string, std::string>, std::int32_t> rebalancing_;
  std::shared_ptr<const metadata::TopicsImage> known_topics_;
  std::int64_t new_topics_version_ = -1;
};

}  // namespace dohle::groups
