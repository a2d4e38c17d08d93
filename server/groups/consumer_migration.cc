// Online migration: when a classic group becomes a consumer group, and when it goes back.
// Source: validateOnlineUpgrade, convertToConsumerGroup, validateOnlineDowngrade..., convertToClassicGroup of
// GroupMetadataManager.
#include <algorithm>
#include <utility>

#include "server/groups/consumer_coordinator.h"

namespace dohle::groups {

using protocol::ErrorCode;

namespace {

/// Whoever waits in the classic group is asked to join again, whether the upgrade succeeds or not.
void answer_everybody(ClassicGroup& group) {
  constexpr auto error = static_cast<std::int16_t>(ErrorCode::rebalance_in_progress);
  group.for_each_member([&group](ClassicGroupMember& member) {
    protocol::JoinGroupResponse joined;
    joined.member_id = member.id;
    joined.error_code = error;
    group.complete_join(member, std::move(joined));
    protocol::SyncGroupResponse synced;
    synced.error_code = error;
    group.complete_sync(member, std::move(synced));
  });
}

}  // namespace

GroupResult<std::unique_ptr<ConsumerGroup>> ConsumerCoordinator::upgraded(const Context& context, ClassicGroup& classic,
                                                                          Records& records) {
  const auto settings = settings_(classic.id());
  const auto refused = [&classic](const std::string& why) {
    return std::unexpected(GroupFailure{ErrorCode::group_id_not_found, "Cannot upgrade classic group " + classic.id() +
                                                                           " to consumer group because " + why});
  };
  if (!settings.may_upgrade) return refused("online upgrade is disabled.");
  if (!classic.uses_consumer_protocol()) return refused("the group does not use the consumer embedded protocol.");
  if (classic.size() > static_cast<std::size_t>(settings.max_size)) {
    return refused("the group size exceeds the consumer group maximum size.");
  }
  answer_everybody(classic);
  classic.append_tombstones(records);
  auto group = consumer_group_of(classic, context.image);
  if (!group) return group;
  append_group_records(**group, records);
  // If the records are not written, the timers find a classic group and do nothing.
  for (const auto& [id, member] : (*group)->members()) arm_classic_session(classic.id(), member);
  return group;
}

bool ConsumerCoordinator::is_downgraded_without(const ConsumerGroup& group, const MemberList& leaving) const {
  const auto classic = std::ranges::count_if(leaving, [](const auto* member) { return member->classic.has_value(); });
  const auto rest = group.members().size() - leaving.size();
  if (rest == 0 || group.classic_member_count() - static_cast<std::size_t>(classic) != rest) return false;
  const auto settings = settings_(group.id());
  return settings.may_downgrade && rest <= static_cast<std::size_t>(settings.classic_max_size);
}

bool ConsumerCoordinator::is_downgraded_by_replacing(const ConsumerGroup& group,
                                                     const ConsumerGroupMember& replaced) const {
  const auto size = group.members().size();
  if (replaced.classic || group.classic_member_count() != size - 1) return false;
  const auto settings = settings_(group.id());
  return settings.may_downgrade && size <= static_cast<std::size_t>(settings.classic_max_size);
}

GroupResult<void> ConsumerCoordinator::become_classic(const Context& context, const Downgrade& downgrade,
                                                      bool rebalance, Outcome& outcome) {
  auto classic = classic_group_of(downgrade, context.image, context.now_ms);
  if (!classic) return std::unexpected(std::move(classic.error()));
  append_downgrade_records(downgrade, **classic, outcome.records);
  outcome.replay = false;
  outcome.completions.push_back(groups_.downgrade(*std::move(classic), rebalance, context.now_ms));
  return {};
}

}  // namespace dohle::groups
