// From the first member that wants a rebalance to the answers of all JoinGroups.
#include <algorithm>
#include <utility>
#include <vector>

#include "server/groups/classic_coordinator.h"

namespace dohle::groups {

using protocol::ErrorCode;
using State = ClassicGroupState;

void ClassicCoordinator::arm_session(const ClassicGroup& group, const std::string& member_id, std::int64_t delay_ms) {
  timers_.arm(timer_key(TimerKind::classic_heartbeat, group, member_id), delay_ms);
}

void ClassicCoordinator::reset_session(const ClassicGroup& group, const ClassicGroupMember& member) {
  arm_session(group, member.id, member.session_timeout_ms);
}

void ClassicCoordinator::cancel_session(const ClassicGroup& group, const std::string& member_id) {
  timers_.cancel(timer_key(TimerKind::classic_heartbeat, group, member_id));
}

coordinator::Outcome ClassicCoordinator::prepare_rebalance_or_complete_join(ClassicGroup& group, std::int64_t now_ms) {
  return group.can_rebalance() ? prepare_rebalance(group, now_ms) : try_complete_join(group, now_ms);
}

coordinator::Outcome ClassicCoordinator::prepare_rebalance(ClassicGroup& group, std::int64_t now_ms) {
  if (group.is_in(State::completing_rebalance)) {
    group.for_each_member([](ClassicGroupMember& member) { member.assignment.clear(); });
    propagate_assignments(group, ErrorCode::rebalance_in_progress);
  }
  group.pending_syncs().clear();
  timers_.cancel(timer_key(TimerKind::classic_sync, group));
  group.initial_delay.reset();
  const auto join_timer = timer_key(TimerKind::classic_join, group);
  if (group.is_in(State::empty)) {
    // A new group: its members come one after the other, so wait for some more.
    const auto delay_ms = settings_.initial_rebalance_delay_ms;
    group.initial_delay = {delay_ms, std::max(group.rebalance_timeout_ms() - delay_ms, 0)};
    timers_.arm(join_timer, delay_ms);
    group.transition_to(State::preparing_rebalance, now_ms);
    return {};
  }
  group.transition_to(State::preparing_rebalance, now_ms);
  if (group.has_all_members_joined()) return complete_join(group, now_ms);
  timers_.arm(join_timer, group.rebalance_timeout_ms());
  return {};
}

coordinator::Outcome ClassicCoordinator::try_complete_join(ClassicGroup& group, std::int64_t now_ms) {
  const bool may_complete = group.is_in(State::preparing_rebalance) && group.previous_state() != State::empty &&
                            group.has_all_members_joined();
  return may_complete ? complete_join(group, now_ms) : Outcome{};
}

coordinator::Outcome ClassicCoordinator::extend_initial_delay(ClassicGroup& group, std::int64_t now_ms) {
  const auto [delay_ms, remaining_ms] = *group.initial_delay;
  if (!group.new_member_added || remaining_ms == 0) return complete_join(group, now_ms);
  group.new_member_added = false;
  const auto next_delay_ms = std::min(settings_.initial_rebalance_delay_ms, remaining_ms);
  group.initial_delay = {next_delay_ms, std::max(remaining_ms - delay_ms, 0)};
  timers_.arm(timer_key(TimerKind::classic_join, group), next_delay_ms);
  return {};
}

coordinator::Outcome ClassicCoordinator::on_join_timer(const std::string& group_id, std::int64_t now_ms) {
  auto* group = groups_.find_classic(group_id);
  if (group == nullptr) return {};
  return group->initial_delay ? extend_initial_delay(*group, now_ms) : complete_join(*group, now_ms);
}

coordinator::Outcome ClassicCoordinator::complete_join(ClassicGroup& group, std::int64_t now_ms) {
  timers_.cancel(timer_key(TimerKind::classic_join, group));
  group.initial_delay.reset();
  std::vector<std::string> late;
  for (const auto& [id, member] : group.members()) {
    if (!member.is_static() && !member.is_awaiting_join()) late.push_back(id);
  }
  for (const auto& id : late) {
    group.remove(id);
    cancel_session(group, id);
  }
  if (group.is_in(State::dead)) return {};
  if (!group.elect_joined_leader() && group.size() > 0) {
    // Nobody rejoined: static members stay until their sessions end.
    timers_.arm(timer_key(TimerKind::classic_join, group), group.rebalance_timeout_ms());
    return {};
  }
  group.begin_next_generation(now_ms);
  Outcome outcome;
  if (group.is_in(State::empty)) {
    outcome.records.push_back(group_metadata_record(group, {}));
    outcome.replay = false;
    return outcome;
  }
  answer_joins(group);
  timers_.arm(timer_key(TimerKind::classic_sync, group), group.rebalance_timeout_ms());
  return outcome;
}

void ClassicCoordinator::answer_joins(ClassicGroup& group) {
  group.for_each_member([&](ClassicGroupMember& member) {
    protocol::JoinGroupResponse response;
    if (group.is_leader(member.id)) response.members = group.described_members();
    response.member_id = member.id;
    response.generation_id = group.generation();
    response.protocol_type = group.protocol_type();
    response.protocol_name = group.protocol_name();
    response.leader = group.leader().value_or("");
    group.complete_join(member, std::move(response));
    reset_session(group, member);
    member.is_new = false;
    group.pending_syncs().insert(member.id);
  });
}

coordinator::Outcome ClassicCoordinator::remove_member(ClassicGroup& group, const std::string& member_id,
                                                       std::int64_t now_ms) {
  protocol::JoinGroupResponse response;
  response.error_code = static_cast<std::int16_t>(ErrorCode::unknown_member_id);
  group.complete_join(*group.find(member_id), std::move(response));
  group.remove(member_id);
  if (group.is_in(State::stable) || group.is_in(State::completing_rebalance)) {
    return prepare_rebalance_or_complete_join(group, now_ms);
  }
  if (group.is_in(State::preparing_rebalance) && group.has_all_members_joined()) return complete_join(group, now_ms);
  return {};
}

coordinator::Outcome ClassicCoordinator::on_heartbeat_timer(const std::string& group_id, const std::string& member_id,
                                                            std::int64_t now_ms) {
  auto* group = groups_.find_classic(group_id);
  if (group == nullptr || group->is_in(State::dead)) return {};
  if (group->is_pending(member_id)) {
    group->remove(member_id);
    if (group->is_in(State::preparing_rebalance) && group->has_all_members_joined()) {
      return complete_join(*group, now_ms);
    }
    return {};
  }
  const auto* member = group->find(member_id);
  if (member == nullptr || member->has_satisfied_heartbeat()) return {};
  return remove_member(*group, member_id, now_ms);
}

coordinator::Outcome ClassicCoordinator::loaded(ClassicGroup& group, std::int64_t now_ms) {
  group.for_each_member([&](ClassicGroupMember& member) { reset_session(group, member); });
  if (group.size() <= static_cast<std::size_t>(settings_.max_size)) return {};
  return prepare_rebalance(group, now_ms);
}

void ClassicCoordinator::adopted(ClassicGroup& group, bool rebalance, std::int64_t now_ms) {
  group.for_each_member([&](ClassicGroupMember& member) { reset_session(group, member); });
  // It comes to no records: nobody has joined again yet.
  if (rebalance) prepare_rebalance(group, now_ms);
}

void ClassicCoordinator::keep_session(ClassicGroup& group, const std::string& member_id) {
  const auto* member = group.find(member_id);
  if (member == nullptr) return;
  if (group.is_in(State::stable) || group.is_in(State::preparing_rebalance)) reset_session(group, *member);
}

}  // namespace dohle::groups
