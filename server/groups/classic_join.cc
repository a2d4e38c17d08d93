#include <utility>

#include "server/groups/classic_coordinator.h"
#include "server/runtime/check.h"

namespace dohle::groups {

using protocol::ErrorCode;
using State = ClassicGroupState;

namespace {

constexpr std::int16_t first_version_with_two_steps = 4;

protocol::JoinGroupResponse join_error(ErrorCode error, std::string member_id) {
  protocol::JoinGroupResponse response;
  response.error_code = static_cast<std::int16_t>(error);
  response.member_id = std::move(member_id);
  return response;
}

MemberProtocols protocols_of(const protocol::JoinGroupRequest& request) {
  MemberProtocols protocols;
  for (const auto& protocol : request.protocols) protocols.push_back({protocol.name, protocol.metadata});
  return protocols;
}

/// What a member hears that joined this generation before.
protocol::JoinGroupResponse current_generation(const ClassicGroup& group, const std::string& member_id,
                                               bool with_members) {
  protocol::JoinGroupResponse response;
  response.member_id = member_id;
  response.generation_id = group.generation();
  response.protocol_type = group.protocol_type();
  response.protocol_name = group.protocol_name();
  response.leader = group.leader().value_or("");
  if (with_members) response.members = group.described_members();
  return response;
}

}  // namespace

coordinator::Outcome ClassicCoordinator::join(const ClientInfo& client, const protocol::JoinGroupRequest& request,
                                              JoinReply reply, std::int64_t now_ms) {
  auto* existing = groups_.find(request.group_id);
  if (existing != nullptr && existing->type() != GroupType::classic) {
    reply(join_error(ErrorCode::inconsistent_group_protocol, {}));
    return {};
  }
  const bool is_new_group = existing == nullptr;
  if (is_new_group) {
    if (!request.member_id.empty()) {
      reply(join_error(ErrorCode::unknown_member_id, request.member_id));
      return {};
    }
    existing = &groups_.put(std::make_unique<ClassicGroup>(request.group_id, now_ms));
  }
  auto& group = static_cast<ClassicGroup&>(*existing);
  const Joining joining{client, request, now_ms, protocols_of(request)};
  auto outcome = join_group(group, joining, std::move(reply));
  if (is_new_group && outcome.records.empty()) {
    // The record makes the group known to the next coordinator: a later commit of it is not an unknown group's.
    outcome.records.push_back(empty_group_metadata_record(group));
    outcome.replay = false;
    outcome.completions.push_back([this, id = request.group_id](ErrorCode error) {
      if (error != ErrorCode::none) discard(id, error);
    });
  }
  return outcome;
}

void ClassicCoordinator::discard(const std::string& group_id, ErrorCode error) {
  auto* group = groups_.find_classic(group_id);
  if (group == nullptr) return;
  group->for_each_member([&](ClassicGroupMember& member) {
    cancel_session(*group, member.id);
    group->complete_join(member, join_error(error, {}));
  });
  group->cancel_timers(timers_);
  groups_.remove(group_id);
}

bool ClassicCoordinator::accepts(const ClassicGroup& group, const std::string& member_id) const {
  const auto max_size = static_cast<std::size_t>(settings_.max_size);
  const auto* member = group.find(member_id);
  switch (group.state()) {
    case State::empty:
    case State::dead:
      return true;
    case State::preparing_rebalance:
      // Those who wait are counted, not the members: the last ones to rejoin are the ones that are left out.
      return (member != nullptr && member->is_awaiting_join()) || group.awaiting_joins() < max_size;
    case State::completing_rebalance:
    case State::stable:
      return member != nullptr || group.size() < max_size;
  }
  return false;
}

coordinator::Outcome ClassicCoordinator::join_group(ClassicGroup& group, const Joining& joining, JoinReply reply) {
  const auto& member_id = joining.request.member_id;
  if (!accepts(group, member_id)) {
    group.remove(member_id);
    reply(join_error(ErrorCode::group_max_size_reached, {}));
    return {};
  }
  if (group.is_in(State::dead)) {
    reply(join_error(ErrorCode::coordinator_not_available, member_id));
    return {};
  }
  if (!group.supports(joining.request.protocol_type, joining.protocols)) {
    reply(join_error(ErrorCode::inconsistent_group_protocol, member_id));
    return {};
  }
  return member_id.empty() ? join_new_member(group, joining, std::move(reply))
                           : join_known_member(group, joining, std::move(reply));
}

coordinator::Outcome ClassicCoordinator::join_new_member(ClassicGroup& group, const Joining& joining, JoinReply reply) {
  const auto& instance_id = joining.request.group_instance_id;
  const std::string member_id = instance_id.value_or(joining.client.client_id) + "-" + new_uuid_();
  if (instance_id) {
    if (const auto* existing = group.static_member_id(*instance_id)) {
      const std::string old_member_id = *existing;
      return rejoin_static_member(group, joining, old_member_id, member_id, std::move(reply));
    }
    return add_member(group, joining, member_id, std::move(reply));
  }
  if (joining.client.version < first_version_with_two_steps) {
    return add_member(group, joining, member_id, std::move(reply));
  }
  group.add_pending(member_id);
  arm_session(group, member_id, joining.request.session_timeout_ms);
  reply(join_error(ErrorCode::member_id_required, member_id));
  return {};
}

coordinator::Outcome ClassicCoordinator::join_known_member(ClassicGroup& group, const Joining& joining,
                                                           JoinReply reply) {
  const auto& request = joining.request;
  const std::string member_id = request.member_id;
  if (group.is_pending(member_id)) {
    if (request.group_instance_id) {
      // Only dynamic members are ever pending; Kafka falls over this with an exception of its own.
      reply(join_error(ErrorCode::unknown_server_error, {}));
      return {};
    }
    return add_member(group, joining, member_id, std::move(reply));
  }
  if (const auto error = group.validate_member(member_id, request.group_instance_id); error != ErrorCode::none) {
    auto response = join_error(error, member_id);
    response.protocol_name = std::nullopt;
    reply(std::move(response));
    return {};
  }
  auto& member = *group.find(member_id);
  const bool is_same = member.protocols == joining.protocols;
  switch (group.state()) {
    case State::preparing_rebalance:
      return update_member(group, joining, member, std::move(reply));
    case State::completing_rebalance:
      // It may have missed the answer to its first JoinGroup; else it changed its mind.
      if (!is_same) return update_member(group, joining, member, std::move(reply));
      reply(current_generation(group, member_id, group.is_leader(member_id)));
      return {};
    case State::stable:
      // A leader's join means that the assignment should be made anew, whatever it saw.
      if (group.is_leader(member_id) || !is_same) return update_member(group, joining, member, std::move(reply));
      reply(current_generation(group, member_id, false));
      return {};
    default:
      reply(join_error(ErrorCode::unknown_member_id, member_id));
      return {};
  }
}

coordinator::Outcome ClassicCoordinator::add_member(ClassicGroup& group, const Joining& joining,
                                                    const std::string& member_id, JoinReply reply) {
  const auto& request = joining.request;
  ClassicGroupMember member;
  member.id = member_id;
  member.group_instance_id = request.group_instance_id;
  member.client_id = joining.client.client_id;
  member.client_host = joining.client.client_host;
  member.rebalance_timeout_ms = request.rebalance_timeout_ms;
  member.session_timeout_ms = request.session_timeout_ms;
  member.protocol_type = request.protocol_type;
  member.protocols = joining.protocols;
  member.awaiting_join = std::move(reply);
  member.is_new = true;
  if (group.is_in(State::preparing_rebalance) && group.previous_state() == State::empty) {
    group.new_member_added = true;
  }
  group.add(std::move(member));
  // It has no id to send heartbeats with yet. If its client gave up, the parked request must not stay for ever.
  arm_session(group, member_id, settings_.new_member_join_timeout_ms);
  return prepare_rebalance_or_complete_join(group, joining.now_ms);
}

coordinator::Outcome ClassicCoordinator::update_member(ClassicGroup& group, const Joining& joining,
                                                       ClassicGroupMember& member, JoinReply reply) {
  group.update_member(member, joining.protocols, joining.request.rebalance_timeout_ms,
                      joining.request.session_timeout_ms, std::move(reply));
  return prepare_rebalance_or_complete_join(group, joining.now_ms);
}

}  // namespace dohle::groups
