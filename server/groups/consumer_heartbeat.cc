// ConsumerGroupHeartbeat of a member that joins or stays. Source: GroupMetadataManager.consumerGroupHeartbeat.
#include <algorithm>
#include <limits>
#include <set>

#include "server/groups/consumer_beat.h"
#include "server/groups/consumer_coordinator.h"
#include "server/groups/consumer_group_records.h"
#include "server/groups/target_assignment_builder.h"
#include "server/groups/topic_metadata_hash.h"

namespace dohle::groups {

using protocol::ErrorCode;

namespace {

/// Regular expressions are not resolved more often than this (REGEX_BATCH_REFRESH_MIN_INTERVAL_MS).
constexpr std::int64_t regex_refresh_interval_ms_min = 10'000;

std::unexpected<GroupFailure> failure(ErrorCode error, std::string message) {
  return std::unexpected(GroupFailure{error, std::move(message)});
}

/// The member has lost the answer to its last heartbeat, and owns nothing that it must not.
bool owns_only_assigned(const HeartbeatPartitions& owned, const OwnedPartitions& assigned) {
  return owned && std::ranges::all_of(*owned, [&assigned](const auto& topic) {
           const auto* epochs = assigned.find(topic.topic_id);
           return epochs != nullptr && std::ranges::all_of(topic.partitions, [epochs](std::int32_t partition) {
                    return epochs->contains(partition);
                  });
         });
}

std::optional<GroupFailure> check_epoch(const ConsumerGroupMember& member,
                                        const protocol::ConsumerGroupHeartbeatRequest& request) {
  const auto epoch = request.member_epoch;
  if (epoch == 0 || epoch == member.epoch) return std::nullopt;
  if (epoch == member.previous_epoch && epoch < member.epoch &&
      owns_only_assigned(request.topic_partitions, member.assigned)) {
    return std::nullopt;
  }
  return GroupFailure{ErrorCode::fenced_member_epoch,
                      std::string("The consumer group member has a ") + (epoch > member.epoch ? "greater" : "smaller") +
                          " member epoch (" + std::to_string(epoch) +
                          ") than the one known by the group coordinator (" + std::to_string(member.epoch) +
                          "). The member must abandon all its partitions and rejoin."};
}

/// What the heartbeat says of the member; what it leaves out stays.
ConsumerGroupMember updated_by(const ConsumerGroupMember& member, const ClientInfo& client,
                               const protocol::ConsumerGroupHeartbeatRequest& request) {
  auto updated = member;
  if (request.instance_id) updated.instance_id = request.instance_id;
  if (request.rack_id) updated.rack_id = request.rack_id;
  if (request.rebalance_timeout_ms != -1) updated.rebalance_timeout_ms = request.rebalance_timeout_ms;
  if (request.server_assignor) updated.assignor_name = request.server_assignor;
  if (request.subscribed_topic_names) {
    updated.topic_names = JavaHashSet<std::string>::of(*request.subscribed_topic_names);
  }
  if (request.subscribed_topic_regex) updated.topic_regex = request.subscribed_topic_regex;
  updated.client_id = client.client_id;
  updated.client_host = client.client_host;
  updated.classic.reset();
  return updated;
}

}  // namespace

GroupResult<ConsumerGroup*> ConsumerCoordinator::group_for(const Context& context, const Request& request,
                                                           std::unique_ptr<ConsumerGroup>& fresh, Records& records) {
  if (auto* group = groups_.find(request.group_id)) return group;
  const bool other = groups_.is_of_another_type(request.group_id);
  if (request.member_epoch != 0) {
    return failure(ErrorCode::group_id_not_found, other ? "Group " + request.group_id + " is not a consumer group."
                                                        : "Consumer group " + request.group_id + " not found.");
  }
  if (!other || groups_.replace_empty_classic(request.group_id, records)) {
    fresh = std::make_unique<ConsumerGroup>(request.group_id);
    return fresh.get();
  }
  auto* classic = groups_.find_classic(request.group_id);
  if (classic == nullptr) {
    return failure(ErrorCode::group_id_not_found, "Group " + request.group_id + " is not a consumer group.");
  }
  auto group = upgraded(context, *classic, records);
  if (!group) return std::unexpected(std::move(group.error()));
  fresh = *std::move(group);
  return fresh.get();
}

std::optional<GroupFailure> ConsumerCoordinator::check_size(const ConsumerGroup& group, const Request& request) const {
  const auto max_size = static_cast<std::size_t>(settings_(group.id()).max_size);
  const bool known_instance = request.instance_id && group.find_static_member(*request.instance_id) != nullptr;
  if (known_instance || group.members().size() < max_size) return std::nullopt;
  if (!request.member_id.empty() && group.find_member(request.member_id) != nullptr) return std::nullopt;
  return GroupFailure{ErrorCode::group_max_size_reached, "The consumer group has reached its maximum capacity of " +
                                                             std::to_string(max_size) + " members."};
}

GroupResult<ConsumerGroupMember> ConsumerCoordinator::member_for(const ConsumerGroup& group, const Request& request,
                                                                 const std::string& member_id, Records& records) {
  if (auto full = check_size(group, request)) return std::unexpected(*std::move(full));
  if (request.instance_id) return static_member_for(group, request, member_id, records);
  ConsumerGroupMember member;
  if (const auto* existing = group.find_member(member_id)) {
    member = *existing;
  } else if (request.member_epoch == 0) {
    member.id = member_id;
  } else {
    return failure(ErrorCode::unknown_member_id,
                   "Member " + member_id + " is not a member of group " + group.id() + ".");
  }
  if (auto error = check_epoch(member, request)) return std::unexpected(*std::move(error));
  return member;
}

GroupResult<ConsumerGroupMember> ConsumerCoordinator::static_member_for(const ConsumerGroup& group,
                                                                        const Request& request,
                                                                        const std::string& member_id,
                                                                        Records& records) {
  const auto& instance = *request.instance_id;
  const auto* existing = group.find_static_member(instance);
  if (request.member_epoch != 0) {
    if (existing == nullptr) return failure(ErrorCode::unknown_member_id, "Instance id " + instance + " is unknown.");
    if (existing->id != member_id) {
      return failure(ErrorCode::fenced_instance_id, "Static member " + member_id + " with instance id " + instance +
                                                        " was fenced by member " + existing->id + ".");
    }
    if (auto error = check_epoch(*existing, request)) return std::unexpected(*std::move(error));
    return *existing;
  }
  ConsumerGroupMember member;
  if (existing == nullptr) {
    if (const auto* known = group.find_member(member_id)) return *known;
    member.id = member_id;
    return member;
  }
  if (existing->epoch != static_leave_epoch && !existing->classic) {
    return failure(ErrorCode::unreleased_instance_id,
                   "Static member " + member_id + " with instance id " + instance +
                       " cannot join the group because the instance id is owned by " + existing->id + " member.");
  }
  return replace_static_member(group, *existing, member_id, records);
}

ConsumerGroupMember replace_static_member(const ConsumerGroup& group, const ConsumerGroupMember& former,
                                          const std::string& member_id, std::vector<coordinator::Record>& records) {
  auto member = former;
  member.id = member_id;
  member.epoch = 0;
  member.previous_epoch = 0;
  records.push_back(current_assignment_tombstone(group.id(), former.id));
  records.push_back(target_assignment_tombstone(group.id(), former.id));
  records.push_back(member_subscription_tombstone(group.id(), former.id));
  records.push_back(member_subscription_record(group.id(), member));
  records.push_back(target_assignment_record(group.id(), member.id, group.target_of(former.id)));
  records.push_back(current_assignment_record(group.id(), member));
  return member;
}

GroupResult<ConsumerCoordinator::Response> ConsumerCoordinator::beat(const Context& context, const ClientInfo& client,
                                                                     const Request& request, Records& records) {
  std::unique_ptr<ConsumerGroup> fresh;
  const auto group = group_for(context, request, fresh, records);
  if (!group) return std::unexpected(group.error());
  const auto member_id = request.member_id.empty() ? new_member_id_() : request.member_id;
  auto member = member_for(**group, request, member_id, records);
  if (!member) return std::unexpected(std::move(member.error()));
  auto updated = updated_by(*member, client, request);
  Beat beat{.context = context,
            .owned = request.topic_partitions,
            .settings = settings_(request.group_id),
            .group = **group,
            .before = *std::move(member),
            .after = std::move(updated),
            .group_epoch = (*group)->epoch(),
            .homogeneous = (*group)->homogeneous(),
            .target = {}};

  if (beat.after != beat.before) records.push_back(member_subscription_record(request.group_id, beat.after));
  const bool names_changed = beat.after.topic_names != beat.before.topic_names;
  const auto regex_change = update_regexes(beat, records);
  if (!regex_change) return std::unexpected(regex_change.error());
  const auto fallback = std::string(assignor_name(default_assignor(request.group_id)));
  const bool assignor_changed = beat.group.preferred_assignor().value_or(fallback) !=
                                beat.group.preferred_assignor_with(beat.before, beat.after).value_or(fallback);
  const bool bump = names_changed || *regex_change == RegexChange::updated_and_resolved || assignor_changed;
  if (bump || beat.group.is_metadata_stale(context.image.topics)) update_metadata(beat, bump, records);
  if (auto error = update_target(beat, records)) return std::unexpected(*std::move(error));
  if (auto error = update_assignment(beat, names_changed || *regex_change != RegexChange::none, records)) {
    return std::unexpected(*std::move(error));
  }
  arm_session(request.group_id, beat.after.id);

  Response response;
  response.member_id = beat.after.id;
  response.member_epoch = beat.after.epoch;
  response.heartbeat_interval_ms = beat.settings.heartbeat_interval_ms;
  // A full request is that of a member that may have lost an answer.
  const bool full = request.rebalance_timeout_ms != -1 &&
                    (request.subscribed_topic_names || request.subscribed_topic_regex) && request.topic_partitions;
  if (request.member_epoch == 0 || full || beat.before.assigned != beat.after.assigned) {
    response.assignment.emplace();
    for (const auto& [topic, epochs] : beat.after.assigned) {
      auto& entry = response.assignment->topic_partitions.emplace_back();
      entry.topic_id = topic;
      for (const auto& [partition, epoch] : epochs) entry.partitions.push_back(partition);
    }
  }
  return response;
}

GroupResult<ConsumerCoordinator::RegexChange> ConsumerCoordinator::update_regexes(const Beat& beat, Records& records) {
  const auto& group = beat.group;
  const auto& before = beat.before;
  const auto& after = beat.after;
  auto change = RegexChange::none;
  bool required = false;
  if (before.topic_regex != after.topic_regex) {
    change = RegexChange::updated;
    if (before.uses_regex() && group.regex_subscribers(*before.topic_regex) == 1) {
      records.push_back(regex_tombstone(group.id(), *before.topic_regex));
    }
    if (after.uses_regex()) {
      if (group.regex_subscribers(*after.topic_regex) == 0) {
        if (auto message = check_regex(*after.topic_regex)) {
          return failure(ErrorCode::invalid_regular_expression, *std::move(message));
        }
        required = true;
      } else if (group.resolved_regexes().contains(*after.topic_regex)) {
        change = RegexChange::updated_and_resolved;
      }
    } else if (before.uses_regex()) {
      change = RegexChange::updated_and_resolved;
    }
  }
  if (required || !group.regexes().empty()) schedule_resolution(beat, required);
  return change;
}

void ConsumerCoordinator::schedule_resolution(const Beat& beat, bool required) {
  const auto& resolved = beat.group.resolved_regexes();
  const coordinator::TimerKey key{static_cast<std::int32_t>(TimerKind::consumer_regex), beat.group.id(), {}};
  const auto now_ms = beat.context.now_ms;
  if (timers_.is_armed(key)) return;
  if (!resolved.empty() && now_ms <= resolved.begin()->second.timestamp_ms + regex_refresh_interval_ms_min) return;
  const auto regexes = beat.group.regexes_with(beat.before, beat.after);
  const auto version = resolved.empty() ? 0 : resolved.begin()->second.version;
  required =
      required || regexes.size() != resolved.size() || version < new_topics_version(beat.context.image) ||
      (!resolved.empty() && now_ms > resolved.begin()->second.timestamp_ms + beat.settings.regex_refresh_interval_ms);
  if (required && !regexes.empty()) timers_.arm(key, 0);
}

void ConsumerCoordinator::update_metadata(Beat& beat, bool bump, Records& records) {
  auto& group = beat.group;
  const auto subscriptions = group.subscriptions_with(beat.before, beat.after);
  std::set<std::string> topics;
  for (const auto& [name, count] : subscriptions) topics.insert(name);
  const auto hash = group_metadata_hash(topics, beat.context.image);
  const bool known = group.find_member(beat.after.id) != nullptr ||
                     (beat.after.instance_id && group.find_static_member(*beat.after.instance_id) != nullptr);
  beat.homogeneous = ConsumerGroup::is_homogeneous(group.regexes_with(beat.before, beat.after), subscriptions,
                                                   group.members().size() + (known ? 0 : 1));
  if (bump || hash != group.metadata_hash()) {
    ++beat.group_epoch;
    records.push_back(group_epoch_record(group.id(), beat.group_epoch, hash));
  }
  group.metadata_seen(beat.context.image.topics, beat.group_epoch);
  if (group.has_partition_metadata_record()) records.push_back(partition_metadata_tombstone(group.id()));
}

std::optional<GroupFailure> ConsumerCoordinator::update_target(Beat& beat, Records& records) {
  const auto& group = beat.group;
  const auto interval_ms = beat.settings.assignment_interval_ms;
  const bool due = group.assignment_timestamp_ms() == 0 || interval_ms == 0 ||
                   beat.context.now_ms >= group.assignment_timestamp_ms() + interval_ms;
  if (group.assignment_epoch() >= beat.group_epoch || !due) {
    beat.target_epoch = group.assignment_epoch();
    const auto& instance = beat.after.instance_id;
    const auto* holder = instance ? group.find_static_member(*instance) : nullptr;
    if (!instance) {
      beat.target = group.target_of(beat.after.id);
    } else if (holder != nullptr) {
      beat.target = group.target_of(holder->id);
    }
    return std::nullopt;
  }
  const auto name = group.preferred_assignor_with(beat.before, beat.after);
  const auto kind = name ? parse_assignor(*name) : std::nullopt;
  auto built = build_target({.group = group,
                             .member = beat.after,
                             .assignor = kind.value_or(default_assignor(group.id())),
                             .epoch = beat.group_epoch,
                             .homogeneous = beat.homogeneous,
                             .now_ms = beat.context.now_ms,
                             .image = beat.context.image});
  if (!built) {
    return GroupFailure{ErrorCode::unknown_server_error, "Failed to compute a new target assignment for epoch " +
                                                             std::to_string(beat.group_epoch) + ": " + built.error()};
  }
  std::ranges::move(built->records, std::back_inserter(records));
  beat.target_epoch = beat.group_epoch;
  beat.target = std::move(built->target);
  return std::nullopt;
}

std::optional<GroupFailure> ConsumerCoordinator::update_assignment(Beat& beat, bool subscription_changed,
                                                                   Records& records) {
  if (!subscription_changed && beat.after.is_reconciled_to(beat.target_epoch)) return std::nullopt;
  std::set<codec::Uuid> subscribed;
  for (const auto& name : beat.group.subscription_of(beat.after)) {
    if (const auto* topic = beat.context.image.topics->find(name)) subscribed.insert(topic->id);
  }
  auto next = reconcile(beat.after, {.target_epoch = beat.target_epoch,
                                     .target = beat.target,
                                     .subscription_changed = subscription_changed,
                                     .subscribed_topics = subscribed,
                                     .owned = beat.owned,
                                     .partition_epoch = [&beat](const codec::Uuid& topic, std::int32_t partition) {
                                       return beat.group.partition_epoch(topic, partition);
                                     }});
  if (!next) {
    return GroupFailure{ErrorCode::fenced_member_epoch,
                        "The consumer group member is in a unknown state. The member must abandon all its partitions "
                        "and rejoin."};
  }
  if (*next == beat.after) return std::nullopt;
  beat.after = *std::move(next);
  records.push_back(current_assignment_record(beat.group.id(), beat.after));
  // Classic members have their time to join and to sync instead.
  if (beat.after.classic) return std::nullopt;
  if (beat.after.state == MemberState::unrevoked_partitions) {
    arm_rebalance(beat.group.id(), beat.after);
  } else {
    cancel_rebalance(beat.group.id(), beat.after.id);
  }
  return std::nullopt;
}

}  // namespace dohle::groups
