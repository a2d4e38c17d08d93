// SyncGroup and Heartbeat: how the leader's assignment reaches the members.
#include <utility>
#include <vector>

#include "server/groups/classic_coordinator.h"

namespace dohle::groups {

using protocol::ErrorCode;
using State = ClassicGroupState;

namespace {

protocol::SyncGroupResponse sync_error(ErrorCode error) {
  protocol::SyncGroupResponse response;
  response.error_code = static_cast<std::int16_t>(error);
  return response;
}

bool is_inconsistent(const std::optional<std::string>& asked, const std::optional<std::string>& is) {
  return asked && is && *asked != *is;
}

}  // namespace

ErrorCode ClassicCoordinator::check_sync(const ClassicGroup& group, const protocol::SyncGroupRequest& request) const {
  if (group.is_in(State::dead)) return ErrorCode::coordinator_not_available;
  const auto error = group.validate_member(request.member_id, request.group_instance_id);
  if (error != ErrorCode::none) return error;
  if (request.generation_id != group.generation()) return ErrorCode::illegal_generation;
  if (is_inconsistent(request.protocol_type, group.protocol_type()) ||
      is_inconsistent(request.protocol_name, group.protocol_name())) {
    return ErrorCode::inconsistent_group_protocol;
  }
  return ErrorCode::none;
}

coordinator::Outcome ClassicCoordinator::sync(const protocol::SyncGroupRequest& request,
                                              Reply<protocol::SyncGroupResponse> reply, std::int64_t now_ms) {
  auto* group = groups_.find_classic(request.group_id);
  if (group == nullptr || group->is_empty()) {
    reply(sync_error(ErrorCode::unknown_member_id));
    return {};
  }
  if (const auto error = check_sync(*group, request); error != ErrorCode::none) {
    reply(sync_error(error));
    return {};
  }
  auto& member = *group->find(request.member_id);
  switch (group->state()) {
    case State::completing_rebalance:
      // A second SyncGroup of the same member takes the place of the first, whose client is gone or confused.
      member.awaiting_sync = std::move(reply);
      remove_pending_sync(*group, request.member_id);
      if (group->is_leader(request.member_id)) return store_assignment(*group, request, now_ms);
      return {};
    case State::stable: {
      remove_pending_sync(*group, request.member_id);
      protocol::SyncGroupResponse response;
      response.protocol_type = group->protocol_type();
      response.protocol_name = group->protocol_name();
      response.assignment = member.assignment;
      reply(std::move(response));
      return {};
    }
    default:
      reply(sync_error(ErrorCode::rebalance_in_progress));
      return {};
  }
}

coordinator::Outcome ClassicCoordinator::store_assignment(ClassicGroup& group,
                                                          const protocol::SyncGroupRequest& request,
                                                          std::int64_t now_ms) {
  Assignments assignments;
  for (const auto& assignment : request.assignments) assignments[assignment.member_id] = assignment.assignment;
  Outcome outcome;
  outcome.records.push_back(group_metadata_record(group, assignments));
  outcome.replay = false;
  outcome.completions.push_back(
      [this, id = group.id(), generation = request.generation_id, assignments = std::move(assignments),
       now_ms](ErrorCode error) { assignment_stored(id, generation, assignments, error, now_ms); });
  return outcome;
}

void ClassicCoordinator::assignment_stored(const std::string& group_id, std::int32_t generation,
                                           const Assignments& assignments, ErrorCode error, std::int64_t now_ms) {
  auto* group = groups_.find_classic(group_id);
  // Somebody may have joined while the record was on its way.
  if (group == nullptr || !group->is_in(State::completing_rebalance) || group->generation() != generation) return;
  if (error != ErrorCode::none) {
    group->for_each_member([](ClassicGroupMember& member) { member.assignment.clear(); });
    propagate_assignments(*group, error);
    prepare_rebalance_or_complete_join(*group, now_ms);
    return;
  }
  group->for_each_member([&](ClassicGroupMember& member) {
    const auto found = assignments.find(member.id);
    member.assignment = found == assignments.end() ? codec::Blob{} : found->second;
  });
  propagate_assignments(*group, ErrorCode::none);
  group->transition_to(State::stable, now_ms);
}

void ClassicCoordinator::propagate_assignments(ClassicGroup& group, ErrorCode error) {
  group.for_each_member([&](ClassicGroupMember& member) {
    auto response = sync_error(error);
    if (error == ErrorCode::none) {
      response.protocol_type = group.protocol_type();
      response.protocol_name = group.protocol_name();
    }
    response.assignment = member.assignment;
    // A session that ended while the member waited was passed over.
    if (group.complete_sync(member, std::move(response))) reset_session(group, member);
  });
}

void ClassicCoordinator::remove_pending_sync(ClassicGroup& group, const std::string& member_id) {
  group.pending_syncs().erase(member_id);
  if (group.pending_syncs().empty()) timers_.cancel(timer_key(TimerKind::classic_sync, group));
}

coordinator::Outcome ClassicCoordinator::on_sync_timer(const std::string& group_id, std::int64_t now_ms) {
  auto* group = groups_.find_classic(group_id);
  if (group == nullptr || group->pending_syncs().empty()) return {};
  if (!group->is_in(State::completing_rebalance) && !group->is_in(State::stable)) return {};
  const std::vector<std::string> silent(group->pending_syncs().begin(), group->pending_syncs().end());
  for (const auto& member_id : silent) {
    group->remove(member_id);
    cancel_session(*group, member_id);
  }
  return prepare_rebalance(*group, now_ms);
}

ErrorCode ClassicCoordinator::heartbeat(const protocol::HeartbeatRequest& request) {
  auto* group = groups_.find_classic(request.group_id);
  if (group == nullptr) return ErrorCode::unknown_member_id;
  if (group->is_in(State::dead)) return ErrorCode::coordinator_not_available;
  const auto error = group->validate_member(request.member_id, request.group_instance_id);
  if (error != ErrorCode::none) return error;
  if (request.generation_id != group->generation()) return ErrorCode::illegal_generation;
  if (group->is_in(State::empty)) return ErrorCode::unknown_member_id;
  reset_session(*group, *group->find(request.member_id));
  return group->is_in(State::preparing_rebalance) ? ErrorCode::rebalance_in_progress : ErrorCode::none;
}

}  // namespace dohle::groups
