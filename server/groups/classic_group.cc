#include "server/groups/classic_group.h"

#include <algorithm>
#include <utility>

#include "codec/reader.h"
#include "protocol/messages/consumer_protocol_subscription.h"
#include "protocol/messages/group_metadata_key.h"
#include "server/groups/java_hash_order.h"
#include "server/runtime/check.h"

namespace dohle::groups {

using protocol::ErrorCode;
using State = ClassicGroupState;

std::string_view to_string(State state) {
  switch (state) {
    case State::empty:
      return "Empty";
    case State::preparing_rebalance:
      return "PreparingRebalance";
    case State::completing_rebalance:
      return "CompletingRebalance";
    case State::stable:
      return "Stable";
    case State::dead:
      break;
  }
  return "Dead";
}

namespace {

bool is_valid_transition(State from, State to) {
  switch (to) {
    case State::empty:
      return from == State::preparing_rebalance;
    case State::preparing_rebalance:
      return from == State::stable || from == State::completing_rebalance || from == State::empty;
    case State::completing_rebalance:
      return from == State::preparing_rebalance;
    case State::stable:
      return from == State::completing_rebalance;
    case State::dead:
      return true;
  }
  return false;
}

/// The topics of a consumer's subscription, of which only version 0's fields are read, as Kafka does. Nothing: it is
/// not one.
std::optional<std::vector<std::string>> subscription_topics(const codec::Blob& metadata) {
  codec::Reader reader(metadata);
  reader.i16();
  protocol::ConsumerProtocolSubscription subscription;
  decode(reader, 0, subscription);
  if (!reader.ok()) return std::nullopt;
  return std::move(subscription.topics);
}

}  // namespace

ClassicGroup::ClassicGroup(std::string id, std::int64_t now_ms)
    : Group(std::move(id)), state_(State::empty), state_timestamp_ms_(now_ms) {}

ClassicGroup::ClassicGroup(std::string id, Stored stored)
    : Group(std::move(id)),
      state_(stored.state),
      state_timestamp_ms_(stored.state_timestamp_ms),
      protocol_type_(std::move(stored.protocol_type)),
      protocol_name_(std::move(stored.protocol_name)),
      generation_(stored.generation),
      leader_(std::move(stored.leader)) {}

ErrorCode ClassicGroup::validate_offset_commit(const std::string& member_id,
                                               const std::optional<std::string>& group_instance_id,
                                               std::int32_t generation, bool is_transactional, std::int16_t) const {
  if (is_in(State::dead)) return ErrorCode::coordinator_not_available;
  // Admin clients, and consumers that don't use the membership.
  if (generation < 0 && is_in(State::empty)) return ErrorCode::none;
  if (generation >= 0 || !member_id.empty() || group_instance_id) {
    if (const auto error = validate_member(member_id, group_instance_id); error != ErrorCode::none) return error;
    if (generation != generation_) return ErrorCode::illegal_generation;
  } else if (!is_transactional && !is_in(State::empty)) {
    return ErrorCode::unknown_member_id;
  }
  // The member has its new generation, so it joined; its partitions may not be its own any more.
  if (!is_transactional && is_in(State::completing_rebalance)) return ErrorCode::rebalance_in_progress;
  return ErrorCode::none;
}

ErrorCode ClassicGroup::validate_offset_fetch(const std::optional<std::string>&, std::int32_t) const {
  return is_in(State::dead) ? ErrorCode::group_id_not_found : ErrorCode::none;
}

ErrorCode ClassicGroup::validate_offset_delete() const {
  if (is_in(State::dead)) return ErrorCode::group_id_not_found;
  if (is_in(State::empty) || uses_consumer_protocol()) return ErrorCode::none;
  return ErrorCode::non_empty_group;
}

ErrorCode ClassicGroup::validate_delete() const {
  if (is_in(State::dead)) return ErrorCode::group_id_not_found;
  return is_in(State::empty) ? ErrorCode::none : ErrorCode::non_empty_group;
}

bool ClassicGroup::is_subscribed_to(const std::string& topic) const {
  return subscribed_topics_ ? subscribed_topics_->contains(topic) : uses_consumer_protocol();
}

std::optional<OffsetExpiration> ClassicGroup::offset_expiration() const {
  if (!protocol_type_) return OffsetExpiration{};
  if (is_in(State::empty)) return OffsetExpiration{state_timestamp_ms_};
  if (uses_consumer_protocol() && subscribed_topics_ && is_in(State::stable)) return OffsetExpiration{};
  return std::nullopt;
}

void ClassicGroup::append_tombstones(std::vector<coordinator::Record>& records) const {
  protocol::GroupMetadataKey key;
  key.group = id();
  records.push_back(coordinator::make_tombstone(key));
}

void ClassicGroup::cancel_timers(coordinator::Timers& timers) const {
  timers.cancel({static_cast<std::int32_t>(TimerKind::classic_join), id(), {}});
  timers.cancel({static_cast<std::int32_t>(TimerKind::classic_sync), id(), {}});
}

void ClassicGroup::unload() {
  transition_to(State::dead, 0);
  for (auto& [member_id, member] : members_) {
    protocol::JoinGroupResponse joined;
    joined.member_id = member_id;
    joined.error_code = static_cast<std::int16_t>(ErrorCode::not_coordinator);
    complete_join(member, std::move(joined));
    protocol::SyncGroupResponse synced;
    synced.error_code = static_cast<std::int16_t>(ErrorCode::not_coordinator);
    complete_sync(member, std::move(synced));
  }
}

ClassicGroupMember* ClassicGroup::find(const std::string& member_id) {
  const auto found = members_.find(member_id);
  return found == members_.end() ? nullptr : &found->second;
}

const ClassicGroupMember* ClassicGroup::find(const std::string& member_id) const {
  const auto found = members_.find(member_id);
  return found == members_.end() ? nullptr : &found->second;
}

const std::string* ClassicGroup::static_member_id(const std::string& group_instance_id) const {
  const auto found = static_members_.find(group_instance_id);
  return found == static_members_.end() ? nullptr : &found->second;
}

void ClassicGroup::for_each_member(const std::function<void(ClassicGroupMember&)>& visit) {
  for (auto& [id, member] : members_) visit(member);
}

ErrorCode ClassicGroup::validate_member(const std::string& member_id,
                                        const std::optional<std::string>& group_instance_id) const {
  if (group_instance_id) {
    const auto* existing = static_member_id(*group_instance_id);
    if (existing == nullptr) return ErrorCode::unknown_member_id;
    if (*existing != member_id) return ErrorCode::fenced_instance_id;
  }
  return has_member(member_id) ? ErrorCode::none : ErrorCode::unknown_member_id;
}

ClassicGroupMember& ClassicGroup::add(ClassicGroupMember member) {
  if (members_.empty()) protocol_type_ = member.protocol_type;
  if (member.group_instance_id) {
    CHECK(static_members_.emplace(*member.group_instance_id, member.id).second);
  }
  if (!leader_) leader_ = member.id;
  count_protocols(member, 1);
  if (member.is_awaiting_join()) ++awaiting_joins_;
  pending_joins_.erase(member.id);
  const auto [added, is_new] = members_.emplace(member.id, std::move(member));
  CHECK(is_new);
  return added->second;
}

void ClassicGroup::remove(const std::string& member_id) {
  // The caller's string may be the one that is erased here.
  const std::string id = member_id;  // NOLINT(performance-unnecessary-copy-initialization)
  if (const auto found = members_.find(id); found != members_.end()) {
    count_protocols(found->second, -1);
    if (found->second.is_awaiting_join()) --awaiting_joins_;
    if (found->second.group_instance_id) static_members_.erase(*found->second.group_instance_id);
    members_.erase(found);
  }
  if (is_leader(id)) leader_ = members_.empty() ? std::nullopt : std::optional(members_.begin()->first);
  pending_joins_.erase(id);
  pending_syncs_.erase(id);
}

ClassicGroupMember& ClassicGroup::replace_static_member(const std::string& group_instance_id,
                                                        const std::string& old_member_id,
                                                        const std::string& new_member_id) {
  // The caller's string may be the member's own, which goes.
  const std::string old_id = old_member_id;  // NOLINT(performance-unnecessary-copy-initialization)
  auto* old_member = find(old_id);
  CHECK(old_member != nullptr);
  protocol::JoinGroupResponse joined;
  joined.member_id = old_id;
  joined.protocol_name = std::nullopt;
  joined.error_code = static_cast<std::int16_t>(ErrorCode::fenced_instance_id);
  complete_join(*old_member, std::move(joined));
  protocol::SyncGroupResponse synced;
  synced.protocol_name = std::nullopt;
  synced.error_code = static_cast<std::int16_t>(ErrorCode::fenced_instance_id);
  complete_sync(*old_member, std::move(synced));

  auto node = members_.extract(old_id);
  node.key() = new_member_id;
  node.mapped().id = new_member_id;
  node.mapped().is_new = false;
  const auto inserted = members_.insert(std::move(node));
  if (is_leader(old_id)) leader_ = new_member_id;
  static_members_[group_instance_id] = new_member_id;
  return inserted.position->second;
}

void ClassicGroup::update_member(ClassicGroupMember& member, MemberProtocols protocols,
                                 std::int32_t rebalance_timeout_ms, std::int32_t session_timeout_ms,
                                 coordinator::Reply<protocol::JoinGroupResponse> reply) {
  count_protocols(member, -1);
  member.protocols = std::move(protocols);
  count_protocols(member, 1);
  member.rebalance_timeout_ms = rebalance_timeout_ms;
  member.session_timeout_ms = session_timeout_ms;
  if (reply && !member.is_awaiting_join()) ++awaiting_joins_;
  if (!reply && member.is_awaiting_join()) --awaiting_joins_;
  member.awaiting_join = std::move(reply);
}

bool ClassicGroup::complete_join(ClassicGroupMember& member, protocol::JoinGroupResponse response) {
  if (!member.is_awaiting_join()) return false;
  auto reply = std::exchange(member.awaiting_join, nullptr);
  --awaiting_joins_;
  reply(std::move(response));
  return true;
}

bool ClassicGroup::complete_sync(ClassicGroupMember& member, protocol::SyncGroupResponse response) {
  if (!member.is_awaiting_sync()) return false;
  auto reply = std::exchange(member.awaiting_sync, nullptr);
  reply(std::move(response));
  return true;
}

bool ClassicGroup::elect_joined_leader() {
  if (!leader_) return false;
  const auto* leader = find(*leader_);
  if (leader != nullptr && leader->is_awaiting_join()) return true;
  const auto joined = std::ranges::find_if(members_, [](const auto& entry) { return entry.second.is_awaiting_join(); });
  if (joined == members_.end()) return false;
  leader_ = joined->first;
  return true;
}

std::int32_t ClassicGroup::rebalance_timeout_ms() const {
  std::int32_t largest = 0;
  for (const auto& [id, member] : members_) largest = std::max(largest, member.rebalance_timeout_ms);
  return largest;
}

bool ClassicGroup::supports(const std::string& protocol_type, const MemberProtocols& protocols) const {
  if (is_in(State::empty)) return !protocol_type.empty() && !protocols.empty();
  if (protocol_type_ != protocol_type) return false;
  return std::ranges::any_of(protocols, [this](const MemberProtocol& protocol) {
    const auto found = supported_protocols_.find(protocol.name);
    return (found == supported_protocols_.end() ? 0 : found->second) == members_.size();
  });
}

std::set<std::string> ClassicGroup::candidate_protocols() const {
  std::set<std::string> candidates;
  for (const auto& [name, count] : supported_protocols_) {
    if (count == members_.size()) candidates.insert(name);
  }
  return candidates;
}

std::string ClassicGroup::select_protocol() const {
  CHECK(!members_.empty());
  const auto candidates = candidate_protocols();
  std::map<std::string, int> votes;
  for (const auto& [id, member] : members_) ++votes[member.vote(candidates)];
  std::vector<std::string> names;
  names.reserve(votes.size());
  for (const auto& [name, count] : votes) names.push_back(name);
  std::string selected;
  int most = 0;
  for (const auto& name : java_hash_order(std::move(names))) {
    if (votes[name] > most) {
      selected = name;
      most = votes[name];
    }
  }
  return selected;
}

void ClassicGroup::count_protocols(const ClassicGroupMember& member, int change) {
  for (const auto& protocol : member.protocols) {
    auto& count = supported_protocols_[protocol.name];
    count += static_cast<std::size_t>(change);
    if (count == 0) supported_protocols_.erase(protocol.name);
  }
}

bool ClassicGroup::can_rebalance() const {
  return is_valid_transition(state_, State::preparing_rebalance);
}

void ClassicGroup::transition_to(State state, std::int64_t now_ms) {
  CHECK(is_valid_transition(state_, state));
  previous_state_ = state_;
  state_ = state;
  state_timestamp_ms_ = now_ms;
}

void ClassicGroup::begin_next_generation(std::int64_t now_ms) {
  ++generation_;
  if (members_.empty()) {
    protocol_name_ = std::nullopt;
    compute_subscribed_topics();
    transition_to(State::empty, now_ms);
  } else {
    protocol_name_ = select_protocol();
    compute_subscribed_topics();
    transition_to(State::completing_rebalance, now_ms);
  }
  pending_syncs_.clear();
}

void ClassicGroup::compute_subscribed_topics() {
  subscribed_topics_ = std::nullopt;
  if (!uses_consumer_protocol()) return;
  std::set<std::string> topics;
  if (!members_.empty()) {
    if (!protocol_name_) return;
    for (const auto& [id, member] : members_) {
      const auto* metadata = member.metadata(*protocol_name_);
      auto subscribed = metadata == nullptr ? std::nullopt : subscription_topics(*metadata);
      if (!subscribed) return;
      topics.insert(std::make_move_iterator(subscribed->begin()), std::make_move_iterator(subscribed->end()));
    }
  }
  subscribed_topics_ = std::move(topics);
}

std::vector<protocol::JoinGroupResponse::JoinGroupResponseMember> ClassicGroup::described_members() const {
  std::vector<protocol::JoinGroupResponse::JoinGroupResponseMember> described;
  for (const auto& [id, member] : members_) {
    auto& entry = described.emplace_back();
    entry.member_id = id;
    entry.group_instance_id = member.group_instance_id;
    if (const auto* metadata = member.metadata(protocol_name_.value_or(""))) entry.metadata = *metadata;
  }
  return described;
}

}  // namespace dohle::groups
