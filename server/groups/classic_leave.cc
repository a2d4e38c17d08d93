#include <utility>

#include "server/groups/classic_coordinator.h"

namespace dohle::groups {

using protocol::ErrorCode;
using State = ClassicGroupState;

namespace {

protocol::LeaveGroupResponse leave_error(ErrorCode error) {
  protocol::LeaveGroupResponse response;
  response.error_code = static_cast<std::int16_t>(error);
  return response;
}

}  // namespace

ErrorCode ClassicCoordinator::leave_one(ClassicGroup& group, const std::string& member_id,
                                        const std::optional<std::string>& group_instance_id) {
  std::string leaving = member_id;
  if (member_id.empty()) {
    // An administrator removes a static member by its instance id.
    const auto* existing = group_instance_id ? group.static_member_id(*group_instance_id) : nullptr;
    if (existing == nullptr) return ErrorCode::unknown_member_id;
    leaving = *existing;
  } else if (group.is_pending(member_id)) {
    group.remove(member_id);
    cancel_session(group, member_id);
    return ErrorCode::none;
  } else if (const auto error = group.validate_member(member_id, group_instance_id); error != ErrorCode::none) {
    return error;
  }
  cancel_session(group, leaving);
  protocol::JoinGroupResponse response;
  response.error_code = static_cast<std::int16_t>(ErrorCode::unknown_member_id);
  group.complete_join(*group.find(leaving), std::move(response));
  group.remove(leaving);
  return ErrorCode::none;
}

coordinator::Outcome ClassicCoordinator::leave(const protocol::LeaveGroupRequest& request,
                                               Reply<protocol::LeaveGroupResponse> reply, std::int64_t now_ms) {
  auto* group = groups_.find_classic(request.group_id);
  if (group != nullptr && group->is_in(State::dead)) {
    reply(leave_error(ErrorCode::coordinator_not_available));
    return {};
  }
  protocol::LeaveGroupResponse response;
  bool has_left = false;
  for (const auto& member : request.members) {
    auto& answer = response.members.emplace_back();
    answer.member_id = member.member_id;
    answer.group_instance_id = member.group_instance_id;
    const auto error =
        group == nullptr ? ErrorCode::unknown_member_id : leave_one(*group, member.member_id, member.group_instance_id);
    answer.error_code = static_cast<std::int16_t>(error);
    has_left = has_left || error == ErrorCode::none;
  }
  Outcome outcome;
  if (has_left && group->is_in(State::preparing_rebalance)) {
    outcome = try_complete_join(*group, now_ms);
  } else if (has_left && (group->is_in(State::stable) || group->is_in(State::completing_rebalance))) {
    outcome = prepare_rebalance_or_complete_join(*group, now_ms);
  }
  outcome.answer(std::move(reply), std::move(response), leave_error);
  return outcome;
}

}  // namespace dohle::groups
