// The consumer protocol's part of a group shard.
#include <utility>

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

ConsumerGroupSettings GroupShard::consumer_settings(const std::string& group_id) const {
  static const config::ConfigMap nothing;
  if (settings_.broker == nullptr) return {};
  const auto& overrides = image_ == nullptr ? nothing : group_overrides(*image_, group_id);
  return consumer_group_settings(*settings_.broker, overrides);
}

coordinator::Outcome GroupShard::consumer_heartbeat(const Context& context, const ClientInfo& client,
                                                    const protocol::ConsumerGroupHeartbeatRequest& request,
                                                    Reply<protocol::ConsumerGroupHeartbeatResponse> reply) {
  now_ms_ = context.now_ms;
  image_ = &context.image;
  auto step = consumer_.heartbeat(context, client, request);
  image_ = nullptr;
  Outcome outcome;
  outcome.records = std::move(step.records);
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
  if (key.kind == static_cast<std::int32_t>(TimerKind::consumer_session)) {
    outcome.records = consumer_.on_session_timer(context, key.id, key.sub_id);
  } else if (key.kind == static_cast<std::int32_t>(TimerKind::consumer_rebalance)) {
    outcome.records = consumer_.on_rebalance_timer(context, key.id, key.sub_id);
  } else {
    outcome.records = consumer_.on_regex_timer(context, key.id);
  }
  image_ = nullptr;
  return outcome;
}

}  // namespace dohle::groups
