// Classic members of a consumer group: what JoinGroup, SyncGroup, Heartbeat and LeaveGroup do to them.
// Source: the classicGroup...ToConsumerGroup methods of GroupMetadataManager.
#include <algorithm>
#include <utility>

#include "server/groups/consumer_beat.h"
#include "server/groups/consumer_coordinator.h"
#include "server/groups/consumer_group_records.h"
#include "server/groups/embedded_consumer_protocol.h"
#include "server/groups/refusals.h"

namespace dohle::groups {

using protocol::ErrorCode;

namespace {

constexpr std::int16_t first_version_with_two_steps = 4;

std::unexpected<GroupFailure> failure(ErrorCode error) {
  return std::unexpected(GroupFailure{error, {}});
}

/// The classic member that a request means.
GroupResult<const ConsumerGroupMember*> member_of(const ConsumerGroup& group, const std::string& member_id,
                                                  const std::optional<std::string>& instance_id) {
  const auto* member = instance_id ? group.find_static_member(*instance_id) : group.find_member(member_id);
  if (member == nullptr) return failure(ErrorCode::unknown_member_id);
  if (member->id != member_id) return failure(ErrorCode::fenced_instance_id);
  if (!member->classic) return failure(ErrorCode::unknown_member_id);
  return member;
}

/// What the subscription says that the member has; topics that do not exist are left out.
HeartbeatPartitions owned_by(const protocol::ConsumerProtocolSubscription& subscription,
                             const metadata::MetadataImage& image) {
  HeartbeatPartitions owned(std::in_place);
  for (const auto& [name, partitions] : subscription.owned_partitions) {
    if (const auto* topic = image.topics->find(name)) owned->push_back({topic->id, partitions, {}});
  }
  return owned;
}

/// What the JoinGroup says of the member; what it leaves out stays.
ConsumerGroupMember updated_by(const ConsumerGroupMember& member, const ClientInfo& client,
                               const protocol::JoinGroupRequest& request,
                               const protocol::ConsumerProtocolSubscription& subscription) {
  auto updated = member;
  if (request.group_instance_id) updated.instance_id = request.group_instance_id;
  if (subscription.rack_id && !subscription.rack_id->empty()) updated.rack_id = subscription.rack_id;
  if (request.rebalance_timeout_ms != -1) updated.rebalance_timeout_ms = request.rebalance_timeout_ms;
  updated.topic_names = JavaHashSet<std::string>::of(subscription.topics);
  updated.topic_regex = "";
  updated.client_id = client.client_id;
  updated.client_host = client.client_host;
  auto& classic = updated.classic.emplace();
  classic.session_timeout_ms = request.session_timeout_ms;
  for (const auto& protocol : request.protocols) {
    classic.supported_protocols.push_back({protocol.name, protocol.metadata, {}});
  }
  return updated;
}

/// In the order of the maps that Kafka copies them through.
TopicPartitionSets without_epochs(const OwnedPartitions& assigned) {
  JavaHashMap<codec::Uuid, JavaHashSet<std::int32_t>> topics;
  for (const auto& [topic, epochs] : assigned) {
    std::vector<std::int32_t> partitions;
    for (const auto& [partition, epoch] : epochs) partitions.push_back(partition);
    topics.put(topic, JavaHashSet<std::int32_t>::of(partitions));
  }
  TopicPartitionSets sets;
  for (const auto& [topic, partitions] : topics) sets.emplace_back(topic, partitions.keys());
  return sets;
}

std::optional<ErrorCode> check_sync(const ConsumerGroupMember& member, const protocol::SyncGroupRequest& request) {
  if (request.generation_id != member.epoch) return ErrorCode::illegal_generation;
  const auto& protocol_name = member.classic->supported_protocols.front().name;
  if ((request.protocol_type && *request.protocol_type != consumer_protocol_type) ||
      (request.protocol_name && *request.protocol_name != protocol_name)) {
    return ErrorCode::inconsistent_group_protocol;
  }
  return std::nullopt;
}

}  // namespace

GroupResult<ConsumerGroupMember> ConsumerCoordinator::classic_member_for(const ConsumerGroup& group,
                                                                         const protocol::JoinGroupRequest& request,
                                                                         const std::string& member_id,
                                                                         Records& records) const {
  ConsumerGroupMember fresh;
  fresh.id = member_id;
  const auto* known = group.find_member(member_id);
  // An id that nobody has is taken as it is.
  if (!request.group_instance_id) return known == nullptr ? fresh : *known;
  const auto* existing = group.find_static_member(*request.group_instance_id);
  if (!request.member_id.empty()) {
    if (existing == nullptr) return failure(ErrorCode::unknown_member_id);
    if (existing->id != member_id) return failure(ErrorCode::fenced_instance_id);
    return *existing;
  }
  if (existing == nullptr) return fresh;
  return replace_static_member(group, *existing, member_id, records);
}

std::optional<GroupFailure> ConsumerCoordinator::check_join(const ConsumerGroup& group,
                                                            const protocol::JoinGroupRequest& request) const {
  const auto settings = settings_(request.group_id);
  if (!settings.may_upgrade && !settings.may_downgrade) {
    return GroupFailure{ErrorCode::inconsistent_group_protocol, {}};
  }
  Request identity;
  identity.member_id = request.member_id;
  identity.instance_id = request.group_instance_id;
  if (auto full = check_size(group, identity)) return full;
  std::vector<std::string> names;
  names.reserve(request.protocols.size());
  for (const auto& protocol : request.protocols) names.push_back(protocol.name);
  if (!group.supports_classic(request.protocol_type, names)) {
    return GroupFailure{ErrorCode::inconsistent_group_protocol, {}};
  }
  return std::nullopt;
}

GroupResult<void> ConsumerCoordinator::update_classic_member(Beat& beat, const ConsumerGroupMember* replaced,
                                                             Outcome& outcome) {
  auto& group = beat.group;
  auto& records = outcome.records;
  if (beat.after != beat.before) records.push_back(member_subscription_record(group.id(), beat.after));
  const auto regex_change = update_regexes(beat, records);
  if (!regex_change) return std::unexpected(regex_change.error());
  const bool changed = beat.after.topic_names != beat.before.topic_names || *regex_change != RegexChange::none;
  if (changed || group.is_metadata_stale(beat.context.image.topics)) update_metadata(beat, changed, records);

  if (replaced == nullptr) {
    if (auto error = update_target(beat, records)) return std::unexpected(*std::move(error));
    if (auto error = update_assignment(beat, changed, records)) return std::unexpected(*std::move(error));
    return {};
  }
  const bool rebalance = group.assignment_epoch() < beat.group_epoch;
  if (!rebalance) {
    beat.target_epoch = group.assignment_epoch();
    beat.target = group.target_of(replaced->id);
    if (auto error = update_assignment(beat, changed, records)) return std::unexpected(*std::move(error));
  }
  return become_classic(beat.context, {.group = group, .leaving = {}, .joining = &beat.after}, rebalance, outcome);
}

GroupResult<protocol::JoinGroupResponse> ConsumerCoordinator::join_member(const Context& context,
                                                                          const ClientInfo& client,
                                                                          const protocol::JoinGroupRequest& request,
                                                                          Outcome& outcome) {
  auto& group = *groups_.find(request.group_id);
  if (auto refused = check_join(group, request)) return std::unexpected(*std::move(refused));
  const auto& instance_id = request.group_instance_id;
  protocol::JoinGroupResponse response;
  response.member_id = request.member_id.empty() ? new_member_id_() : request.member_id;
  if (request.member_id.empty() && !instance_id && client.version >= first_version_with_two_steps) {
    response.error_code = static_cast<std::int16_t>(ErrorCode::member_id_required);
    return response;
  }
  auto member = classic_member_for(group, request, response.member_id, outcome.records);
  if (!member) return std::unexpected(std::move(member.error()));
  const auto* existing = instance_id ? group.find_static_member(*instance_id) : nullptr;
  const bool downgrades = existing != nullptr && is_downgraded_by_replacing(group, *existing);
  const auto subscription = parse_subscription(request.protocols.front().metadata);
  if (!subscription) return failure(ErrorCode::inconsistent_group_protocol);
  const auto owned = owned_by(*subscription, context.image);
  auto updated = updated_by(*member, client, request, *subscription);
  Beat beat{.context = context,
            .owned = owned,
            .settings = settings_(request.group_id),
            .group = group,
            .before = *std::move(member),
            .after = std::move(updated),
            .group_epoch = group.epoch(),
            .homogeneous = group.homogeneous(),
            .target = {}};
  if (auto done = update_classic_member(beat, downgrades ? existing : nullptr, outcome); !done) {
    return std::unexpected(std::move(done.error()));
  }
  response.generation_id = beat.after.epoch;
  response.protocol_type = consumer_protocol_type;
  response.protocol_name = beat.after.classic->supported_protocols.front().name;
  return response;
}

coordinator::Outcome ConsumerCoordinator::join(const Context& context, const ClientInfo& client,
                                               const protocol::JoinGroupRequest& request,
                                               Reply<protocol::JoinGroupResponse> reply) {
  Outcome outcome;
  auto joined = join_member(context, client, request, outcome);
  if (!joined) {
    reply(error_response<protocol::JoinGroupResponse>(joined.error().error));
    return {};
  }
  if (joined->error_code != 0) {
    reply(*std::move(joined));
    return {};
  }
  const bool is_consumer_group = outcome.replay;
  outcome.completions.push_back([this, group_id = request.group_id, member_id = joined->member_id, is_consumer_group,
                                 session_ms = request.session_timeout_ms,
                                 sync_ms = request.rebalance_timeout_ms](ErrorCode error) {
    if (error != ErrorCode::none) return;
    timers_.cancel({static_cast<std::int32_t>(TimerKind::consumer_join), group_id, member_id});
    if (!is_consumer_group) return;
    timers_.arm({static_cast<std::int32_t>(TimerKind::consumer_session), group_id, member_id}, session_ms);
    timers_.arm({static_cast<std::int32_t>(TimerKind::consumer_sync), group_id, member_id}, sync_ms);
  });
  outcome.answer(std::move(reply), *std::move(joined), error_response<protocol::JoinGroupResponse>);
  return outcome;
}

coordinator::Outcome ConsumerCoordinator::sync(const Context& context, const protocol::SyncGroupRequest& request,
                                               Reply<protocol::SyncGroupResponse> reply) {
  const auto& group = *groups_.find(request.group_id);
  const auto member = member_of(group, request.member_id, request.group_instance_id);
  auto error = member ? check_sync(**member, request) : std::optional(member.error().error);
  // A member that is giving partitions back has joined already; it goes on to the new epoch when it has.
  if (!error && group.assignment_epoch() > (*member)->epoch && (*member)->state != MemberState::unrevoked_partitions) {
    arm_join(group.id(), **member);
    error = ErrorCode::rebalance_in_progress;
  }
  if (error) {
    reply(error_response<protocol::SyncGroupResponse>(*error));
    return {};
  }
  const auto& classic = *(*member)->classic;
  protocol::SyncGroupResponse response;
  response.protocol_type = request.protocol_type;
  response.protocol_name = request.protocol_name;
  response.assignment = embedded_assignment(without_epochs((*member)->assigned), context.image,
                                            embedded_version(classic.supported_protocols.front().metadata).value_or(0));
  Outcome outcome;
  outcome.completions.push_back([this, group_id = group.id(), member_id = request.member_id,
                                 session_ms = classic.session_timeout_ms](ErrorCode failed) {
    if (failed != ErrorCode::none) return;
    timers_.cancel({static_cast<std::int32_t>(TimerKind::consumer_sync), group_id, member_id});
    timers_.arm({static_cast<std::int32_t>(TimerKind::consumer_session), group_id, member_id}, session_ms);
  });
  outcome.answer(std::move(reply), std::move(response), error_response<protocol::SyncGroupResponse>);
  return outcome;
}

ErrorCode ConsumerCoordinator::classic_heartbeat(const protocol::HeartbeatRequest& request) {
  const auto& group = *groups_.find(request.group_id);
  const auto found = member_of(group, request.member_id, request.group_instance_id);
  if (!found) return found.error().error;
  const auto& member = **found;
  if (request.generation_id != member.epoch) return ErrorCode::illegal_generation;
  arm_classic_session(group.id(), member);
  // It is behind, or has partitions to give back, or could get those that it waits for.
  const bool has_to_join =
      member.epoch < group.assignment_epoch() || member.state == MemberState::unrevoked_partitions ||
      (member.state == MemberState::unreleased_partitions && !group.is_waiting_for_partitions(member));
  if (!has_to_join) return ErrorCode::none;
  arm_join(group.id(), member);
  return ErrorCode::rebalance_in_progress;
}

void ConsumerCoordinator::arm_join(const std::string& group_id, const ConsumerGroupMember& member) {
  const coordinator::TimerKey key{static_cast<std::int32_t>(TimerKind::consumer_join), group_id, member.id};
  if (!timers_.is_armed(key)) timers_.arm(key, member.rebalance_timeout_ms);
}

coordinator::Outcome ConsumerCoordinator::leave(const Context& context, const protocol::LeaveGroupRequest& request,
                                                Reply<protocol::LeaveGroupResponse> reply) {
  const auto& group = *groups_.find(request.group_id);
  protocol::LeaveGroupResponse response;
  MemberList leaving;
  for (const auto& identity : request.members) {
    auto& answer = response.members.emplace_back();
    answer.member_id = identity.member_id;
    answer.group_instance_id = identity.group_instance_id;
    const auto& instance = identity.group_instance_id;
    const auto* member = instance ? group.find_static_member(*instance) : group.find_member(identity.member_id);
    auto error = ErrorCode::none;
    if (member == nullptr) {
      error = ErrorCode::unknown_member_id;
    } else if (instance && !identity.member_id.empty() && identity.member_id != member->id) {
      error = ErrorCode::fenced_instance_id;
    } else if (std::ranges::find(leaving, member) == leaving.end()) {
      leaving.push_back(member);
    }
    answer.error_code = static_cast<std::int16_t>(error);
  }
  Outcome outcome;
  if (auto fenced = fence(context, group, leaving, outcome); !fenced) {
    reply(error_response<protocol::LeaveGroupResponse>(fenced.error().error));
    return {};
  }
  outcome.answer(std::move(reply), std::move(response), error_response<protocol::LeaveGroupResponse>);
  return outcome;
}

}  // namespace dohle::groups
