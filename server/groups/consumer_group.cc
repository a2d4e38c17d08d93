#include "server/groups/consumer_group.h"

#include <algorithm>
#include <utility>

#include "server/groups/consumer_group_records.h"

namespace dohle::groups {

using protocol::ErrorCode;

namespace {

void count_name(SubscriptionCounts& counts, const std::string& topic, std::int32_t by_name, std::int32_t by_regex) {
  auto& count = counts[topic];
  count.by_name += by_name;
  count.by_regex += by_regex;
  if (count.by_name <= 0 && count.by_regex <= 0) counts.erase(topic);
}

void count_names(SubscriptionCounts& counts, const ConsumerGroupMember& member, std::int32_t by) {
  for (const auto& topic : member.topic_names.keys()) count_name(counts, topic, by, 0);
}

void count_regex(RegexCounts& counts, const ConsumerGroupMember& member, std::int32_t by) {
  if (!member.uses_regex()) return;
  auto& count = counts[*member.topic_regex];
  count += by;
  if (count <= 0) counts.erase(*member.topic_regex);
}

void put_votes(TimelineHashMap<std::string, std::int32_t>& votes, const std::string& name, std::int32_t count) {
  votes.put(name, count);
}

/// As HashMap.compute does, which puts a new entry in front of its bin: in a tie of two, the assignor
/// of the member that asks can win.
void put_votes(JavaHashMap<std::string, std::int32_t>& votes, const std::string& name, std::int32_t count) {
  votes.compute_if_absent(name, [] { return 0; }) = count;
}

template <typename Votes>
void vote(Votes& votes, const ConsumerGroupMember& member, std::int32_t by) {
  if (!member.assignor_name) return;
  const auto* former = votes.find(*member.assignor_name);
  const auto count = (former == nullptr ? 0 : *former) + by;
  if (count > 0) {
    put_votes(votes, *member.assignor_name, count);
  } else {
    votes.erase(*member.assignor_name);
  }
}

/// The first of those with the most votes.
template <typename Votes>
std::optional<std::string> elect(const Votes& votes) {
  std::optional<std::string> name;
  std::int32_t most = 0;
  for (const auto& [candidate, count] : votes) {
    if (count <= most) continue;
    name = candidate;
    most = count;
  }
  return name;
}

/// In the words of the member's protocol.
ErrorCode wrong_epoch(const ConsumerGroupMember& member) {
  return member.classic ? ErrorCode::illegal_generation : ErrorCode::stale_member_epoch;
}

}  // namespace

std::string_view ConsumerGroup::state_name() const {
  switch (state_) {
    case ConsumerGroupState::empty:
      return "Empty";
    case ConsumerGroupState::assigning:
      return "Assigning";
    case ConsumerGroupState::reconciling:
      return "Reconciling";
    case ConsumerGroupState::stable:
      return "Stable";
  }
  return "";
}

const ConsumerGroupMember* ConsumerGroup::find_static_member(const std::string& instance_id) const {
  const auto found = static_members_.find(instance_id);
  return found == static_members_.end() ? nullptr : members_.find(found->second);
}

const TopicPartitionSets& ConsumerGroup::target_of(const std::string& member_id) const {
  static const TopicPartitionSets nothing;
  const auto* target = targets_.find(member_id);
  return target == nullptr ? nothing : *target;
}

bool ConsumerGroup::is_in_a_target(const codec::Uuid& topic, std::int32_t partition) const {
  const auto found = target_owners_.find(topic);
  return found != target_owners_.end() && found->second.contains(partition);
}

std::int32_t ConsumerGroup::partition_epoch(const codec::Uuid& topic, std::int32_t partition) const {
  const auto found = partition_epochs_.find(topic);
  if (found == partition_epochs_.end()) return -1;
  const auto epoch = found->second.find(partition);
  return epoch == found->second.end() ? -1 : epoch->second;
}

std::int32_t ConsumerGroup::regex_subscribers(const std::string& regex) const {
  const auto found = regexes_.find(regex);
  return found == regexes_.end() ? 0 : found->second;
}

std::vector<std::string> ConsumerGroup::subscription_of(const ConsumerGroupMember& member) const {
  auto names = member.topic_names.keys();
  const auto* resolved = member.uses_regex() ? resolved_.find(*member.topic_regex) : nullptr;
  if (resolved == nullptr) return names;
  auto matched = resolved->topics.keys();
  if (names.empty()) return matched;
  // The larger set comes first.
  if (names.size() <= matched.size()) std::swap(names, matched);
  const auto first = names;
  std::ranges::copy_if(matched, std::back_inserter(names),
                       [&first](const std::string& name) { return std::ranges::find(first, name) == first.end(); });
  return names;
}

SubscriptionCounts ConsumerGroup::subscriptions_with(const ConsumerGroupMember& before,
                                                     const ConsumerGroupMember& after) const {
  auto counts = subscriptions_;
  count_names(counts, before, -1);
  count_names(counts, after, 1);
  if (before.uses_regex() && before.topic_regex != after.topic_regex && regex_subscribers(*before.topic_regex) == 1) {
    if (const auto* resolved = resolved_.find(*before.topic_regex)) {
      for (const auto& topic : resolved->topics.keys()) count_name(counts, topic, 0, -1);
    }
  }
  return counts;
}

SubscriptionCounts ConsumerGroup::subscriptions_without(const std::vector<const ConsumerGroupMember*>& members,
                                                        const std::set<std::string>& regexes) const {
  auto counts = subscriptions_;
  for (const auto* member : members) count_names(counts, *member, -1);
  for (const auto& regex : regexes) {
    const auto* resolved = resolved_.find(regex);
    if (resolved == nullptr) continue;
    for (const auto& topic : resolved->topics.keys()) count_name(counts, topic, 0, -1);
  }
  return counts;
}

RegexCounts ConsumerGroup::regexes_with(const ConsumerGroupMember& before, const ConsumerGroupMember& after) const {
  auto counts = regexes_;
  if (before.topic_regex == after.topic_regex) return counts;
  count_regex(counts, before, -1);
  count_regex(counts, after, 1);
  return counts;
}

std::optional<std::string> ConsumerGroup::preferred_assignor() const {
  return elect(assignors_);
}

std::optional<std::string> ConsumerGroup::preferred_assignor_with(const ConsumerGroupMember& before,
                                                                  const ConsumerGroupMember& after) const {
  auto votes = JavaHashMap<std::string, std::int32_t>::copy_of(assignors_);
  vote(votes, before, -1);
  vote(votes, after, 1);
  return elect(votes);
}

bool ConsumerGroup::supports_classic(const std::string& protocol_type,
                                     const std::vector<std::string>& protocols) const {
  if (protocol_type != protocol_type_name()) return false;
  return std::ranges::any_of(protocols, [this](const std::string& name) {
    const auto found = classic_protocols_.find(name);
    return (found == classic_protocols_.end() ? 0 : found->second) == classic_count_;
  });
}

bool ConsumerGroup::is_waiting_for_partitions(const ConsumerGroupMember& member) const {
  if (member.state != MemberState::unreleased_partitions) return false;
  return std::ranges::any_of(target_of(member.id), [&](const auto& topic) {
    const auto* assigned = member.assigned.find(topic.first);
    return std::ranges::any_of(topic.second, [&](std::int32_t partition) {
      const bool has_it = assigned != nullptr && assigned->contains(partition);
      return !has_it && partition_epoch(topic.first, partition) != -1;
    });
  });
}

bool ConsumerGroup::is_homogeneous(const RegexCounts& regexes, const SubscriptionCounts& subscriptions,
                                   std::size_t member_count) {
  const auto everybody = static_cast<std::int32_t>(member_count);
  if (regexes.empty()) {
    return std::ranges::all_of(subscriptions, [everybody](const auto& one) { return one.second.by_name == everybody; });
  }
  return regexes.begin()->second == everybody && std::ranges::all_of(subscriptions, [](const auto& one) {
           return one.second.by_regex == 1 && one.second.by_name == 0;
         });
}

void ConsumerGroup::set_epoch(std::int32_t epoch, std::int64_t metadata_hash) {
  epoch_ = epoch;
  metadata_hash_ = metadata_hash;
  update_state();
}

void ConsumerGroup::set_target_metadata(std::int32_t epoch, std::int64_t timestamp_ms) {
  assignment_epoch_ = epoch;
  assignment_timestamp_ms_ = timestamp_ms;
  update_state();
}

void ConsumerGroup::set_target(const std::string& member_id, TopicPartitionSets target) {
  // As Java's maps keep what a record said.
  JavaHashMap<codec::Uuid, std::vector<std::int32_t>> map;
  for (const auto& [topic, partitions] : target) map.put(topic, JavaHashSet<std::int32_t>::of(partitions).keys());
  TopicPartitionSets kept(map.begin(), map.end());
  change_target(member_id, target_of(member_id), kept);
  targets_.put(member_id, std::move(kept));
}

void ConsumerGroup::remove_target(const std::string& member_id) {
  change_target(member_id, target_of(member_id), {});
  targets_.erase(member_id);
}

void ConsumerGroup::change_target(const std::string& member_id, const TopicPartitionSets& before,
                                  const TopicPartitionSets& after) {
  for (const auto& [topic, partitions] : before) {
    auto& owners = target_owners_[topic];
    for (const auto partition : partitions) {
      const auto found = owners.find(partition);
      if (found != owners.end() && found->second == member_id) owners.erase(found);
    }
  }
  for (const auto& [topic, partitions] : after) {
    for (const auto partition : partitions) target_owners_[topic][partition] = member_id;
  }
  std::erase_if(target_owners_, [](const auto& topic) { return topic.second.empty(); });
}

void ConsumerGroup::put_member(ConsumerGroupMember member) {
  if (const auto* former = members_.find(member.id)) {
    count_subscription(*former, -1);
    remove_partition_epochs(former->assigned, former->epoch);
    remove_partition_epochs(former->pending_revocation, former->epoch);
    if (former->instance_id) static_members_.erase(*former->instance_id);
  }
  count_subscription(member, 1);
  put_partition_epochs(member.assigned, member.epoch);
  put_partition_epochs(member.pending_revocation, member.epoch);
  if (member.instance_id) static_members_[*member.instance_id] = member.id;
  const auto id = member.id;
  members_.put(id, std::move(member));
  update_state();
  homogeneous_ = is_homogeneous(regexes_, subscriptions_, members_.size());
}

void ConsumerGroup::remove_member(const std::string& member_id) {
  const auto* former = members_.find(member_id);
  if (former == nullptr) return;
  count_subscription(*former, -1);
  remove_partition_epochs(former->assigned, former->epoch);
  remove_partition_epochs(former->pending_revocation, former->epoch);
  if (former->instance_id) static_members_.erase(*former->instance_id);
  members_.erase(member_id);
  update_state();
  homogeneous_ = is_homogeneous(regexes_, subscriptions_, members_.size());
}

void ConsumerGroup::put_resolved_regex(const std::string& regex, ResolvedRegex resolved) {
  remove_resolved_regex(regex);
  count_regex_topics(resolved, 1);
  resolved_.put(regex, std::move(resolved));
}

void ConsumerGroup::remove_resolved_regex(const std::string& regex) {
  if (const auto* former = resolved_.find(regex)) count_regex_topics(*former, -1);
  resolved_.erase(regex);
}

void ConsumerGroup::count_subscription(const ConsumerGroupMember& member, std::int32_t by) {
  count_names(subscriptions_, member, by);
  count_regex(regexes_, member, by);
  vote(assignors_, member, by);
  count_classic(member, by);
}

void ConsumerGroup::count_classic(const ConsumerGroupMember& member, std::int32_t by) {
  if (!member.classic) return;
  classic_count_ += static_cast<std::size_t>(by);
  for (const auto& protocol : member.classic->supported_protocols) {
    auto& count = classic_protocols_[protocol.name];
    count += static_cast<std::size_t>(by);
    if (count == 0) classic_protocols_.erase(protocol.name);
  }
}

void ConsumerGroup::count_regex_topics(const ResolvedRegex& resolved, std::int32_t by) {
  for (const auto& topic : resolved.topics.keys()) count_name(subscriptions_, topic, 0, by);
}

void ConsumerGroup::put_partition_epochs(const OwnedPartitions& owned, std::int32_t epoch) {
  for (const auto& [topic, epochs] : owned) {
    for (const auto& [partition, assigned_in] : epochs) partition_epochs_[topic][partition] = epoch;
  }
}

void ConsumerGroup::remove_partition_epochs(const OwnedPartitions& owned, std::int32_t epoch) {
  for (const auto& [topic, epochs] : owned) {
    const auto found = partition_epochs_.find(topic);
    if (found == partition_epochs_.end()) continue;
    for (const auto& [partition, assigned_in] : epochs) {
      // Another member may have it already, in another epoch.
      const auto entry = found->second.find(partition);
      if (entry != found->second.end() && entry->second == epoch) found->second.erase(entry);
    }
    if (found->second.empty()) partition_epochs_.erase(found);
  }
}

void ConsumerGroup::update_state() {
  if (members_.empty()) {
    state_ = ConsumerGroupState::empty;
  } else if (epoch_ > assignment_epoch_) {
    state_ = ConsumerGroupState::assigning;
  } else {
    const bool reconciled = std::ranges::all_of(
        members_, [this](const auto& entry) { return entry.second.is_reconciled_to(assignment_epoch_); });
    state_ = reconciled ? ConsumerGroupState::stable : ConsumerGroupState::reconciling;
  }
}

protocol::ErrorCode ConsumerGroup::validate_offset_commit(const std::string& member_id,
                                                          const std::optional<std::string>& group_instance_id,
                                                          std::int32_t generation_or_epoch, bool is_transactional,
                                                          std::int16_t version) const {
  constexpr std::int16_t first_version_with_epochs = 9;
  // Admin clients, and producers that do not say who they are.
  if (generation_or_epoch < 0 && members_.empty()) return ErrorCode::none;
  if (is_transactional && generation_or_epoch == -1 && member_id.empty() && !group_instance_id) return ErrorCode::none;
  const auto* member = members_.find(member_id);
  if (member == nullptr) return ErrorCode::unknown_member_id;
  if (!is_transactional && !member->classic && version < first_version_with_epochs) {
    return ErrorCode::unsupported_version;
  }
  // An older epoch counts for partitions that were assigned in it or before.
  return generation_or_epoch > member->epoch ? wrong_epoch(*member) : ErrorCode::none;
}

protocol::ErrorCode ConsumerGroup::validate_partition_commit(const std::string& member_id,
                                                             std::int32_t generation_or_epoch,
                                                             const codec::Uuid& topic_id,
                                                             std::int32_t partition) const {
  const auto* member = members_.find(member_id);
  if (member == nullptr || generation_or_epoch == member->epoch) return ErrorCode::none;
  const auto assigned_in = member->assignment_epoch(topic_id, partition);
  return assigned_in && generation_or_epoch >= *assigned_in ? ErrorCode::none : wrong_epoch(*member);
}

protocol::ErrorCode ConsumerGroup::validate_offset_fetch(const std::optional<std::string>& member_id,
                                                         std::int32_t member_epoch) const {
  if (!member_id && member_epoch < 0) return ErrorCode::none;
  // Kafka falls over it (NullPointerException).
  if (!member_id) return ErrorCode::unknown_server_error;
  const auto* member = members_.find(*member_id);
  if (member == nullptr) return ErrorCode::unknown_member_id;
  return member_epoch == member->epoch ? ErrorCode::none : wrong_epoch(*member);
}

protocol::ErrorCode ConsumerGroup::validate_delete() const {
  return is_empty() ? ErrorCode::none : ErrorCode::non_empty_group;
}

void ConsumerGroup::cancel_timers(coordinator::Timers& timers) const {
  for (const auto& [member_id, member] : members_) {
    for (const auto kind : {TimerKind::consumer_session, TimerKind::consumer_rebalance, TimerKind::consumer_join,
                            TimerKind::consumer_sync}) {
      timers.cancel({static_cast<std::int32_t>(kind), id(), member_id});
    }
  }
  timers.cancel({static_cast<std::int32_t>(TimerKind::consumer_regex), id(), {}});
}

protocol::ConsumerGroupDescribeResponse::DescribedGroup ConsumerGroup::describe(
    std::string_view default_assignor, const metadata::MetadataImage& image) const {
  protocol::ConsumerGroupDescribeResponse::DescribedGroup answer;
  answer.group_id = id();
  answer.assignor_name = preferred_assignor().value_or(std::string(default_assignor));
  answer.group_epoch = epoch_;
  answer.group_state = state_name();
  answer.assignment_epoch = assignment_epoch_;
  for (const auto& [member_id, member] : members_)
    answer.members.push_back(member.describe(target_of(member_id), image));
  return answer;
}

void ConsumerGroup::append_tombstones(std::vector<coordinator::Record>& records) const {
  append_tombstones(records, {}, {});
}

void ConsumerGroup::append_tombstones(std::vector<coordinator::Record>& records, const std::string& replaced,
                                      const std::string& joining) const {
  std::vector<std::string> ids;
  for (const auto& [member_id, member] : members_) ids.push_back(member_id == replaced ? joining : member_id);
  for (const auto& member_id : ids) records.push_back(current_assignment_tombstone(id(), member_id));
  for (const auto& member_id : ids) records.push_back(target_assignment_tombstone(id(), member_id));
  records.push_back(target_assignment_metadata_tombstone(id()));
  for (const auto& member_id : ids) records.push_back(member_subscription_tombstone(id(), member_id));
  for (const auto& [regex, resolved] : resolved_) records.push_back(regex_tombstone(id(), regex));
  records.push_back(partition_metadata_tombstone(id()));
  records.push_back(group_epoch_tombstone(id()));
}

}  // namespace dohle::groups
