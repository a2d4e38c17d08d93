#include "server/groups/consumer_coordinator.h"

#include <algorithm>
#include <set>

#include "server/groups/consumer_group_records.h"
#include "server/groups/topic_metadata_hash.h"

namespace dohle::groups {

using protocol::ErrorCode;

namespace {

bool is_blank(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) <= ' '; });
}

GroupFailure invalid(std::string message) {
  return {ErrorCode::invalid_request, std::move(message)};
}

}  // namespace

std::optional<GroupFailure> ConsumerCoordinator::check(const Request& request, std::int16_t version,
                                                       const std::vector<AssignorKind>& assignors) {
  const bool needs_member_id = version >= 1 || request.member_epoch > 0 || request.member_epoch == leave_epoch;
  if (needs_member_id && is_blank(request.member_id)) return invalid("MemberId can't be empty.");
  if (is_blank(request.group_id)) return invalid("GroupId can't be empty.");
  if (request.instance_id && is_blank(*request.instance_id)) return invalid("InstanceId can't be empty.");
  if (request.rack_id && is_blank(*request.rack_id)) return invalid("RackId can't be empty.");
  if (request.member_epoch == 0) {
    if (request.rebalance_timeout_ms == -1) return invalid("RebalanceTimeoutMs must be provided in first request.");
    if (!request.topic_partitions || !request.topic_partitions->empty()) {
      return invalid("TopicPartitions must be empty when (re-)joining.");
    }
    if (!request.subscribed_topic_names && !request.subscribed_topic_regex) {
      return invalid("Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when (re-)joining.");
    }
  } else if (request.member_epoch == static_leave_epoch) {
    if (!request.instance_id) return invalid("InstanceId can't be null.");
  } else if (request.member_epoch < static_leave_epoch) {
    return invalid("MemberEpoch is invalid.");
  }
  if (!request.server_assignor) return std::nullopt;
  std::string supported;
  for (const auto kind : assignors) {
    if (assignor_name(kind) == *request.server_assignor) return std::nullopt;
    supported += (supported.empty() ? "" : ", ") + std::string(assignor_name(kind));
  }
  return GroupFailure{
      ErrorCode::unsupported_assignor,
      "ServerAssignor " + *request.server_assignor + " is not supported. Supported assignors: " + supported + "."};
}

ConsumerCoordinator::Step ConsumerCoordinator::heartbeat(const Context& context, const ClientInfo& client,
                                                         const Request& request) {
  Step step;
  const bool leaves = request.member_epoch == leave_epoch || request.member_epoch == static_leave_epoch;
  auto result = leaves ? leave(context, request, step.outcome) : beat(context, client, request, step.outcome.records);
  if (result) {
    step.response = *std::move(result);
  } else {
    step.outcome = {};
    step.response.error_code = static_cast<std::int16_t>(result.error().error);
    if (!result.error().message.empty()) step.response.error_message = std::move(result.error().message);
  }
  return step;
}

GroupResult<ConsumerCoordinator::Response> ConsumerCoordinator::leave(const Context& context, const Request& request,
                                                                      Outcome& outcome) {
  const auto* group = groups_.find(request.group_id);
  if (group == nullptr) {
    const bool other = groups_.is_of_another_type(request.group_id);
    return std::unexpected(
        GroupFailure{ErrorCode::group_id_not_found,
                     "Group " + request.group_id + (other ? " is not a consumer group." : " not found.")});
  }
  Response response;
  response.member_id = request.member_id;
  response.member_epoch = request.member_epoch;
  const ConsumerGroupMember* member = nullptr;
  if (!request.instance_id) {
    member = group->find_member(request.member_id);
    if (member == nullptr) {
      return std::unexpected(
          GroupFailure{ErrorCode::unknown_member_id,
                       "Member " + request.member_id + " is not a member of group " + request.group_id + "."});
    }
  } else {
    member = group->find_static_member(*request.instance_id);
    if (member == nullptr) {
      return std::unexpected(
          GroupFailure{ErrorCode::unknown_member_id, "Instance id " + *request.instance_id + " is unknown."});
    }
    if (member->id != request.member_id) {
      return std::unexpected(GroupFailure{ErrorCode::fenced_instance_id,
                                          "Static member " + request.member_id + " with instance id " +
                                              *request.instance_id + " was fenced by member " + member->id + "."});
    }
    if (request.member_epoch == static_leave_epoch) {
      auto leaving = *member;
      leaving.epoch = static_leave_epoch;
      leaving.pending_revocation = {};
      leaving.reset_assignment_epochs();
      outcome.records.push_back(current_assignment_record(group->id(), leaving));
      return response;
    }
  }
  if (auto fenced = fence(context, *group, {member}, outcome); !fenced) return std::unexpected(fenced.error());
  return response;
}

GroupResult<void> ConsumerCoordinator::fence(const Context& context, const ConsumerGroup& group,
                                             const MemberList& members, Outcome& outcome) {
  if (members.empty()) return {};
  if (is_downgraded_without(group, members)) {
    Downgrade downgrade{.group = group, .leaving = {}};
    for (const auto* member : members) downgrade.leaving.insert(member->id);
    return become_classic(context, downgrade, true, outcome);
  }
  auto& records = outcome.records;
  std::map<std::string, std::int32_t> regexes;
  for (const auto* member : members) {
    records.push_back(current_assignment_tombstone(group.id(), member->id));
    records.push_back(target_assignment_tombstone(group.id(), member->id));
    records.push_back(member_subscription_tombstone(group.id(), member->id));
    if (member->uses_regex()) ++regexes[*member->topic_regex];
  }
  std::set<std::string> deleted;
  for (const auto& [regex, count] : regexes) {
    if (group.regex_subscribers(regex) != count) continue;
    records.push_back(regex_tombstone(group.id(), regex));
    deleted.insert(regex);
  }
  std::set<std::string> topics;
  for (const auto& [name, count] : group.subscriptions_without(members, deleted)) topics.insert(name);
  const auto epoch = group.epoch() + 1;
  records.push_back(group_epoch_record(group.id(), epoch, group_metadata_hash(topics, context.image)));
  // The next one to join is given its partitions at once, whatever the assignment interval is.
  if (group.members().size() == members.size()) {
    records.push_back(target_assignment_metadata_record(group.id(), epoch, 0));
  }
  for (const auto* member : members) cancel_timers(group.id(), member->id);
  return {};
}

void ConsumerCoordinator::cancel_timers(const std::string& group_id, const std::string& member_id) {
  for (const auto kind : {TimerKind::consumer_session, TimerKind::consumer_join, TimerKind::consumer_sync}) {
    timers_.cancel({static_cast<std::int32_t>(kind), group_id, member_id});
  }
  cancel_rebalance(group_id, member_id);
}

coordinator::Outcome ConsumerCoordinator::on_member_timer(const Context& context, const std::string& group_id,
                                                          const std::string& member_id) {
  Outcome outcome;
  const auto* group = groups_.find(group_id);
  const auto* member = group == nullptr ? nullptr : group->find_member(member_id);
  if (member != nullptr && !fence(context, *group, {member}, outcome)) return {};
  return outcome;
}

coordinator::Outcome ConsumerCoordinator::on_rebalance_timer(const Context& context, const std::string& group_id,
                                                             const std::string& member_id) {
  const auto due = rebalancing_.find({group_id, member_id});
  if (due == rebalancing_.end()) return {};
  const auto epoch = due->second;
  rebalancing_.erase(due);
  const auto* group = groups_.find(group_id);
  const auto* member = group == nullptr ? nullptr : group->find_member(member_id);
  if (member == nullptr || member->epoch != epoch) return {};
  return on_member_timer(context, group_id, member_id);
}

coordinator::Outcome ConsumerCoordinator::on_regex_timer(const Context& context, const std::string& group_id) {
  Outcome outcome;
  auto& records = outcome.records;
  auto* group = groups_.find(group_id);
  if (group == nullptr) return outcome;
  std::set<std::string> topics;
  bool bump = false;
  JavaHashMap<std::string, ResolvedRegex> results(JavaCapacity::initial(group->regexes().size()));
  auto counts = group->subscriptions();
  for (const auto& [regex, subscribers] : group->regexes()) {
    ResolvedRegex resolved;
    for (const auto& name : matching_topics(regex, *context.image.topics)) resolved.topics.add(name);
    resolved.version = context.image.provenance.last_contained_offset;
    resolved.timestamp_ms = context.now_ms;
    const auto* former = group->resolved_regexes().find(regex);
    if (!(former == nullptr ? resolved.topics.empty() : former->topics == resolved.topics)) {
      bump = true;
      if (former != nullptr) {
        for (const auto& name : former->topics.keys()) --counts[name].by_regex;
      }
      for (const auto& name : resolved.topics.keys()) ++counts[name].by_regex;
    }
    results.put(regex, std::move(resolved));
  }
  for (const auto& [regex, resolved] : results) records.push_back(regex_record(group_id, regex, resolved));
  for (const auto& [name, count] : counts) {
    if (count.by_name > 0 || count.by_regex > 0) topics.insert(name);
  }
  const auto hash = group_metadata_hash(topics, context.image);
  if (!bump && hash == group->metadata_hash()) return outcome;
  const auto epoch = group->epoch() + 1;
  records.push_back(group_epoch_record(group_id, epoch, hash));
  group->metadata_seen(context.image.topics, epoch);
  return outcome;
}

protocol::ConsumerGroupDescribeResponse::DescribedGroup ConsumerCoordinator::describe(const Context& context,
                                                                                      const std::string& group_id) {
  if (const auto* group = groups_.find(group_id)) {
    return group->describe(assignor_name(default_assignor(group_id)), context.image);
  }
  protocol::ConsumerGroupDescribeResponse::DescribedGroup answer;
  answer.group_id = group_id;
  answer.error_code = static_cast<std::int16_t>(ErrorCode::group_id_not_found);
  answer.error_message =
      "Group " + group_id + (groups_.is_of_another_type(group_id) ? " is not a consumer group." : " not found.");
  return answer;
}

void ConsumerCoordinator::loaded(const Context& context) {
  new_topics_version(context.image);
  groups_.for_each([this](const ConsumerGroup& group) {
    for (const auto& [id, member] : group.members()) {
      arm_session(group.id(), id);
      if (member.state == MemberState::unrevoked_partitions) arm_rebalance(group.id(), member);
    }
  });
}

void ConsumerCoordinator::arm_session(const std::string& group_id, const std::string& member_id) {
  timers_.arm({static_cast<std::int32_t>(TimerKind::consumer_session), group_id, member_id},
              settings_(group_id).session_timeout_ms);
}

void ConsumerCoordinator::arm_classic_session(const std::string& group_id, const ConsumerGroupMember& member) {
  timers_.arm({static_cast<std::int32_t>(TimerKind::consumer_session), group_id, member.id},
              member.classic->session_timeout_ms);
}

void ConsumerCoordinator::arm_rebalance(const std::string& group_id, const ConsumerGroupMember& member) {
  rebalancing_[{group_id, member.id}] = member.epoch;
  timers_.arm({static_cast<std::int32_t>(TimerKind::consumer_rebalance), group_id, member.id},
              member.rebalance_timeout_ms);
}

void ConsumerCoordinator::cancel_rebalance(const std::string& group_id, const std::string& member_id) {
  rebalancing_.erase({group_id, member_id});
  timers_.cancel({static_cast<std::int32_t>(TimerKind::consumer_rebalance), group_id, member_id});
}

AssignorKind ConsumerCoordinator::default_assignor(const std::string& group_id) const {
  const auto settings = settings_(group_id);
  return settings.assignors.empty() ? AssignorKind::uniform : settings.assignors.front();
}

std::int64_t ConsumerCoordinator::new_topics_version(const metadata::MetadataImage& image) {
  if (known_topics_ == image.topics) return new_topics_version_;
  bool is_new = known_topics_ == nullptr;
  if (!is_new) {
    image.topics->for_each(
        [&](const metadata::TopicImage& topic) { is_new = is_new || known_topics_->find(topic.id) == nullptr; });
  }
  if (is_new) new_topics_version_ = image.provenance.last_contained_offset;
  known_topics_ = image.topics;
  return new_topics_version_;
}

}  // namespace dohle::groups
