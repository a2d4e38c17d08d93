// DescribeGroups, ListGroups and DeleteGroups of a shard.
#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "server/groups/group_shard.h"

namespace dohle::groups {

using protocol::ErrorCode;

namespace {

constexpr std::int16_t first_version_with_not_found = 6;

std::int16_t code(ErrorCode error) {
  return static_cast<std::int16_t>(error);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

/// Java's toLowerCase().trim().
std::string normalized(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') text.remove_prefix(1);
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
  return lower_case(text);
}

protocol::DescribeGroupsResponse::DescribedGroup described(const ClassicGroup& group) {
  protocol::DescribeGroupsResponse::DescribedGroup answer;
  answer.group_id = group.id();
  answer.group_state = group.state_name();
  answer.protocol_type = group.protocol_type_name();
  const bool is_stable = group.is_in(ClassicGroupState::stable);
  const auto protocol = group.protocol_name().value_or("");
  if (is_stable) answer.protocol_data = protocol;
  for (const auto& [id, member] : group.members()) {
    auto& entry = answer.members.emplace_back();
    entry.member_id = id;
    entry.group_instance_id = member.group_instance_id;
    entry.client_id = member.client_id;
    entry.client_host = member.client_host;
    entry.member_assignment = member.assignment;
    const auto* metadata = is_stable ? member.metadata(protocol) : nullptr;
    if (metadata != nullptr) entry.member_metadata = *metadata;
  }
  return answer;
}

protocol::DescribeGroupsResponse::DescribedGroup not_found(const std::string& id, bool exists, std::int16_t version) {
  protocol::DescribeGroupsResponse::DescribedGroup answer;
  answer.group_id = id;
  answer.group_state = to_string(ClassicGroupState::dead);
  if (version >= first_version_with_not_found) {
    answer.error_code = code(ErrorCode::group_id_not_found);
    answer.error_message = "Group " + id + (exists ? " is not a classic group." : " not found.");
  }
  return answer;
}

}  // namespace

DescribedGroups refused_description(const std::vector<std::string>& ids, ErrorCode error) {
  DescribedGroups groups;
  for (const auto& id : ids) {
    auto& group = groups.emplace_back();
    group.group_id = id;
    group.error_code = code(error);
  }
  return groups;
}

DeletedGroups refused_deletion(const std::vector<std::string>& ids, ErrorCode error) {
  DeletedGroups groups;
  for (const auto& id : ids) {
    auto& group = groups.emplace_back();
    group.group_id = id;
    group.error_code = code(error);
  }
  return groups;
}

coordinator::Outcome GroupShard::describe(const std::vector<std::string>& ids, std::int16_t version,
                                          Reply<DescribedGroups> reply) {
  DescribedGroups groups;
  for (const auto& id : ids) {
    const auto* group = groups_.find_classic(id);
    groups.push_back(group != nullptr ? described(*group) : not_found(id, groups_.find(id) != nullptr, version));
  }
  Outcome outcome;
  outcome.answer(std::move(reply), std::move(groups),
                 [ids](ErrorCode error) { return refused_description(ids, error); });
  return outcome;
}

coordinator::Outcome GroupShard::list(const std::vector<std::string>& states, const std::vector<std::string>& types,
                                      Reply<ListedGroups> reply) {
  std::set<std::string> wanted_states;
  for (const auto& state : states) wanted_states.insert(normalized(state));
  std::set<GroupType> wanted_types;
  for (const auto& type : types) wanted_types.insert(parse_group_type(normalized(type)));
  ListedGroups groups;
  for (const auto& [id, group] : groups_.all()) {
    if (!wanted_states.empty() && !wanted_states.contains(lower_case(group->state_name()))) continue;
    if (!wanted_types.empty() && !wanted_types.contains(group->type())) continue;
    auto& answer = groups.emplace_back();
    answer.group_id = id;
    answer.protocol_type = group->protocol_type_name();
    answer.group_state = group->state_name();
    answer.group_type = to_string(group->type());
  }
  Outcome outcome;
  outcome.answer(std::move(reply), std::move(groups), [](ErrorCode) { return ListedGroups{}; });
  return outcome;
}

coordinator::Outcome GroupShard::remove(const std::vector<std::string>& ids, Reply<DeletedGroups> reply) {
  Outcome outcome;
  DeletedGroups results;
  for (const auto& id : ids) {
    auto& result = results.emplace_back();
    result.group_id = id;
    const auto* group = groups_.find(id);
    const auto error = group == nullptr ? ErrorCode::group_id_not_found : group->validate_delete();
    result.error_code = code(error);
    if (error != ErrorCode::none) continue;
    offset_operations_.delete_all(id, outcome.records);
    group->append_tombstones(outcome.records);
    group->cancel_timers(timers_);
  }
  outcome.answer(std::move(reply), std::move(results), [ids](ErrorCode error) { return refused_deletion(ids, error); });
  return outcome;
}

}  // namespace dohle::groups
