// KIP-345: a static member that comes back without its member id.
#include <utility>

#include "server/groups/classic_coordinator.h"
#include "server/runtime/check.h"

namespace dohle::groups {

using protocol::ErrorCode;
using State = ClassicGroupState;

namespace {

constexpr std::int16_t first_version_with_skip_assignment = 9;

/// What Java keeps of a member when it puts another in its place.
ClassicGroupMember copy_without_replies(const ClassicGroupMember& member) {
  ClassicGroupMember copy;
  copy.id = member.id;
  copy.group_instance_id = member.group_instance_id;
  copy.rebalance_timeout_ms = member.rebalance_timeout_ms;
  copy.session_timeout_ms = member.session_timeout_ms;
  copy.protocols = member.protocols;
  return copy;
}

protocol::JoinGroupResponse response_for(const ClassicGroup& group, std::string member_id, std::string leader) {
  protocol::JoinGroupResponse response;
  response.member_id = std::move(member_id);
  response.generation_id = group.generation();
  response.protocol_type = group.protocol_type();
  response.protocol_name = group.protocol_name();
  response.leader = std::move(leader);
  return response;
}

}  // namespace

coordinator::Outcome ClassicCoordinator::rejoin_static_member(ClassicGroup& group, const Joining& joining,
                                                              const std::string& old_member_id,
                                                              const std::string& new_member_id, JoinReply reply) {
  const auto former_leader = group.leader();
  const auto before = copy_without_replies(*group.find(old_member_id));
  auto& member = group.replace_static_member(*joining.request.group_instance_id, old_member_id, new_member_id);
  // The former id's timer finds nobody when it fires.
  reset_session(group, member);
  group.update_member(member, joining.protocols, joining.request.rebalance_timeout_ms,
                      joining.request.session_timeout_ms, std::move(reply));
  switch (group.state()) {
    case State::stable:
      if (group.select_protocol() != group.protocol_name()) {
        return prepare_rebalance_or_complete_join(group, joining.now_ms);
      }
      return persist_static_member(group, joining, before, new_member_id, former_leader);
    case State::completing_rebalance:
      // The leader may be assigning to the former id.
      return prepare_rebalance(group, joining.now_ms);
    default:
      return try_complete_join(group, joining.now_ms);
  }
}

coordinator::Outcome ClassicCoordinator::persist_static_member(ClassicGroup& group, const Joining& joining,
                                                               const ClassicGroupMember& before,
                                                               const std::string& new_member_id,
                                                               const std::optional<std::string>& former_leader) {
  Assignments assignments;
  for (const auto& [id, member] : group.members()) assignments.emplace(id, member.assignment);
  Outcome outcome;
  outcome.records.push_back(group_metadata_record(group, assignments));
  outcome.replay = false;
  const bool may_skip = joining.client.version >= first_version_with_skip_assignment;
  auto former = std::make_shared<ClassicGroupMember>(copy_without_replies(before));
  outcome.completions.push_back([this, group_id = group.id(), former, new_member_id, former_leader,
                                 may_skip](ErrorCode error) {
    auto* stored = groups_.find_classic(group_id);
    auto* member = stored == nullptr ? nullptr : stored->find(new_member_id);
    if (member == nullptr) return;
    if (error != ErrorCode::none) {
      auto response = response_for(*stored, {}, former_leader.value_or(""));
      response.error_code = static_cast<std::int16_t>(error);
      stored->complete_join(*member, std::move(response));
      stored->update_member(*member, former->protocols, former->rebalance_timeout_ms, former->session_timeout_ms, {});
      reset_session(*stored, stored->replace_static_member(*former->group_instance_id, new_member_id, former->id));
      return;
    }
    const bool is_leader = stored->is_leader(new_member_id);
    // Clients before v9 must not learn that they lead: they would assign anew.
    auto response = response_for(*stored, new_member_id, (may_skip ? stored->leader() : former_leader).value_or(""));
    response.skip_assignment = may_skip && is_leader;
    if (response.skip_assignment) response.members = stored->described_members();
    stored->complete_join(*member, std::move(response));
  });
  return outcome;
}

}  // namespace dohle::groups
