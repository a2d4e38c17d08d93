// The consumer protocol's part of a group shard.
#include <iterator>
#include <utility>
#include <vector>

#include "server/groups/consumer_group_settings.h"
#include "server/groups/group_shard.h"
#include "server/groups/refusals.h"

namespace dohle::groups {

using protocol::ErrorCode;

DescribedConsumerGroups refused_consumer_description(const std::vector<std::string>& ids, ErrorCode error) {
  DescribedConsumerGroups groups;
  for (const auto& id : ids) {
    auto& group = groups.emplace_back();
    group.group_id = id;
    group.error_code = static_cast<std::int16_t>(error);
  }
  return groups;
}

ConsumerGroupSettings GroupShard::consumer_settings(const std::string& group_id) {
  if (settings_.broker == nullptr) return {};
  return image_ == nullptr ? consumer_group_settings(*settings_.broker, {})
                           : consumer_configs_.settings(*settings_.broker, *image_, group_id);
}

ConsumerGroup* GroupShard::find_consumer_members(const std::string& group_id) {
  auto* group = consumer_groups_.find(group_id);
  return group == nullptr || group->is_empty() ? nullptr : group;
}

coordinator::Outcome GroupShard::join_classic(const Context& context, const ClientInfo& client,
                                              const protocol::JoinGroupRequest& request,
                                              Reply<protocol::JoinGroupResponse> reply) {
  auto* empty = consumer_groups_.find(request.group_id);
  // Kafka forgets the group even where it refuses the member, and then never writes its tombstones.
  if (empty == nullptr || !request.member_id.empty()) {
    if (empty != nullptr) {
      auto refusal = error_response<protocol::JoinGroupResponse>(ErrorCode::unknown_member_id);
      refusal.member_id = request.member_id;
      reply(std::move(refusal));
      return {};
    }
    return classic_.join(client, request, std::move(reply), context.now_ms);
  }
  std::vector<coordinator::Record> records;
  empty->append_tombstones(records);
  empty->cancel_timers(timers_);
  auto former = groups_.take(request.group_id);
  auto outcome = classic_.join(client, request, std::move(reply), context.now_ms);
  records.insert(records.end(), std::make_move_iterator(outcome.records.begin()),
                 std::make_move_iterator(outcome.records.end()));
  outcome.records = std::move(records);
  outcome.completions.push_back([this, former = std::move(former)](ErrorCode error) mutable {
    if (error != ErrorCode::none) groups_.put(std::move(former));
  });
  return outcome;
}

coordinator::Outcome GroupShard::consumer_heartbeat(const Context& context, const ClientInfo& client,
                                                    const protocol::ConsumerGroupHeartbeatRequest& request,
                                                    Reply<protocol::ConsumerGroupHeartbeatResponse> reply) {
  now_ms_ = context.now_ms;
  image_ = &context.image;
  auto step = consumer_.heartbeat(context, client, request);
  image_ = nullptr;
  Outcome outcome;
  outcome = std::move(step.outcome);
  outcome.answer(std::move(reply), std::move(step.response), error_response<protocol::ConsumerGroupHeartbeatResponse>);
  return outcome;
}

coordinator::Outcome GroupShard::consumer_describe(const Context& context, const std::vector<std::string>& ids,
                                                   Reply<DescribedConsumerGroups> reply) {
  image_ = &context.image;
  DescribedConsumerGroups groups;
  for (const auto& id : ids) groups.push_back(consumer_.describe(context, id));
  image_ = nullptr;
  Outcome outcome;
  outcome.answer(std::move(reply), std::move(groups),
                 [ids](ErrorCode error) { return refused_consumer_description(ids, error); });
  return outcome;
}

coordinator::Outcome GroupShard::on_consumer_timer(const coordinator::TimerKey& key, const Context& context) {
  Outcome outcome;
  image_ = &context.image;
  if (key.kind == static_cast<std::int32_t>(TimerKind::consumer_rebalance)) {
    outcome = consumer_.on_rebalance_timer(context, key.id, key.sub_id);
  } else if (key.kind == static_cast<std::int32_t>(TimerKind::consumer_regex)) {
    outcome = consumer_.on_regex_timer(context, key.id);
  } else {
    outcome = consumer_.on_member_timer(context, key.id, key.sub_id);
  }
  image_ = nullptr;
  return outcome;
}

}  // namespace dohle::groups
