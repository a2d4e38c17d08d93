// The classic group protocol: what JoinGroup, SyncGroup, Heartbeat and LeaveGroup do to a group, and what its timers
// do. Changes the groups itself; its records write down what it did (Outcome::replay is false).
// Source: the classic parts of org.apache.kafka.coordinator.group.GroupMetadataManager.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "protocol/messages/heartbeat.h"
#include "protocol/messages/join_group.h"
#include "protocol/messages/leave_group.h"
#include "protocol/messages/sync_group.h"
#include "server/coordinator/outcome.h"
#include "server/coordinator/timers.h"
#include "server/groups/group_records.h"
#include "server/groups/group_registry.h"
#include "server/groups/group_settings.h"

namespace dohle::groups {

/// Who asks.
struct ClientInfo {
  std::string client_id;
  /// With Java's slash: "/127.0.0.1".
  std::string client_host;
  /// Of the request.
  std::int16_t version = 0;
};

class ClassicCoordinator {
 public:
  using Outcome = coordinator::Outcome;
  template <typename Response>
  using Reply = coordinator::Reply<Response>;

  /// All outlive it. `new_uuid` gives a random UUID as Java writes it, for member ids.
  ClassicCoordinator(GroupRegistry& groups, coordinator::Timers& timers, const GroupSettings& settings,
                     std::function<std::string()> new_uuid)
      : groups_(groups), timers_(timers), settings_(settings), new_uuid_(std::move(new_uuid)) {}

  // Requests. Group ids are not empty and session timeouts within their bounds (GroupShard checks).
  Outcome join(const ClientInfo& client, const protocol::JoinGroupRequest& request,
               Reply<protocol::JoinGroupResponse> reply, std::int64_t now_ms);
  Outcome sync(const protocol::SyncGroupRequest& request, Reply<protocol::SyncGroupResponse> reply,
               std::int64_t now_ms);
  /// Only answers; the caller waits until what it saw is committed.
  protocol::ErrorCode heartbeat(const protocol::HeartbeatRequest& request);
  /// `members` is the list of v3 and above; older requests have one.
  Outcome leave(const protocol::LeaveGroupRequest& request, Reply<protocol::LeaveGroupResponse> reply,
                std::int64_t now_ms);

  /// A commit counts as a heartbeat in the states Stable and PreparingRebalance.
  void keep_session(ClassicGroup& group, const std::string& member_id);

  // Timers.
  Outcome on_join_timer(const std::string& group_id, std::int64_t now_ms);
  Outcome on_sync_timer(const std::string& group_id, std::int64_t now_ms);
  Outcome on_heartbeat_timer(const std::string& group_id, const std::string& member_id, std::int64_t now_ms);

  /// The group was replayed: its sessions begin now. It is rebalanced if it is over group.max.size.
  Outcome loaded(ClassicGroup& group, std::int64_t now_ms);
  /// The group was made of a consumer group: its sessions begin now. `rebalance`: its members are asked to join again.
  void adopted(ClassicGroup& group, bool rebalance, std::int64_t now_ms);
  /// A group that was not written: whoever waits in it hears the error, and it goes.
  void discard(const std::string& group_id, protocol::ErrorCode error);

 private:
  using JoinReply = Reply<protocol::JoinGroupResponse>;
  struct Joining {
    const ClientInfo& client;
    const protocol::JoinGroupRequest& request;
    std::int64_t now_ms;
    MemberProtocols protocols;
  };

  // classic_join.cc
  bool accepts(const ClassicGroup& group, const std::string& member_id) const;
  Outcome join_group(ClassicGroup& group, const Joining& joining, JoinReply reply);
  Outcome join_new_member(ClassicGroup& group, const Joining& joining, JoinReply reply);
  Outcome join_known_member(ClassicGroup& group, const Joining& joining, JoinReply reply);
  Outcome add_member(ClassicGroup& group, const Joining& joining, const std::string& member_id, JoinReply reply);
  Outcome update_member(ClassicGroup& group, const Joining& joining, ClassicGroupMember& member, JoinReply reply);
  // classic_static_join.cc
  Outcome rejoin_static_member(ClassicGroup& group, const Joining& joining, const std::string& old_member_id,
                               const std::string& new_member_id, JoinReply reply);
  Outcome persist_static_member(ClassicGroup& group, const Joining& joining, const ClassicGroupMember& before,
                                const std::string& new_member_id, const std::optional<std::string>& former_leader);

  // classic_rebalance.cc
  Outcome prepare_rebalance(ClassicGroup& group, std::int64_t now_ms);
  Outcome prepare_rebalance_or_complete_join(ClassicGroup& group, std::int64_t now_ms);
  Outcome try_complete_join(ClassicGroup& group, std::int64_t now_ms);
  Outcome complete_join(ClassicGroup& group, std::int64_t now_ms);
  Outcome remove_member(ClassicGroup& group, const std::string& member_id, std::int64_t now_ms);
  Outcome extend_initial_delay(ClassicGroup& group, std::int64_t now_ms);
  void answer_joins(ClassicGroup& group);
  void reset_session(const ClassicGroup& group, const ClassicGroupMember& member);
  void arm_session(const ClassicGroup& group, const std::string& member_id, std::int64_t delay_ms);
  void cancel_session(const ClassicGroup& group, const std::string& member_id);

  // classic_sync.cc
  protocol::ErrorCode check_sync(const ClassicGroup& group, const protocol::SyncGroupRequest& request) const;
  Outcome store_assignment(ClassicGroup& group, const protocol::SyncGroupRequest& request, std::int64_t now_ms);
  void assignment_stored(const std::string& group_id, std::int32_t generation, const Assignments& assignments,
                         protocol::ErrorCode error, std::int64_t now_ms);
  void propagate_assignments(ClassicGroup& group, protocol::ErrorCode error);
  void remove_pending_sync(ClassicGroup& group, const std::string& member_id);

  // classic_leave.cc
  protocol::ErrorCode leave_one(ClassicGroup& group, const std::string& member_id,
                                const std::optional<std::string>& group_instance_id);

  coordinator::TimerKey timer_key(TimerKind kind, const ClassicGroup& group, std::string member_id = {}) const {
    return {static_cast<std::int32_t>(kind), group.id(), std::move(member_id)};
  }

  GroupRegistry& groups_;
  coordinator::Timers& timers_;
  const GroupSettings& settings_;
  std::function<std::string()> new_uuid_;
};

}  // namespace dohle::groups
