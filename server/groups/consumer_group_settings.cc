#include "server/groups/consumer_group_settings.h"

#include "server/config/group_config.h"

namespace dohle::groups {

ConsumerGroupSettings consumer_group_settings(const config::BrokerConfig& broker, const config::ConfigMap& overrides) {
  ConsumerGroupSettings settings;
  auto group = config::make_group_config(broker, overrides);
  if (!group) group = config::make_group_config(broker, {});
  if (group) {
    settings.session_timeout_ms = group->consumer_session_timeout_ms;
    settings.heartbeat_interval_ms = group->consumer_heartbeat_interval_ms;
    settings.assignment_interval_ms = group->consumer_assignment_interval_ms;
  }
  settings.max_size = broker.values.get_int("group.consumer.max.size");
  settings.regex_refresh_interval_ms = broker.values.get_int("group.consumer.regex.refresh.interval.ms");
  std::vector<AssignorKind> assignors;
  for (const auto& name : broker.values.get_list("group.consumer.assignors")) {
    if (const auto kind = parse_assignor(name)) assignors.push_back(*kind);
  }
  if (!assignors.empty()) settings.assignors = std::move(assignors);
  return settings;
}

const config::ConfigMap& group_overrides(const metadata::MetadataImage& image, const std::string& group_id) {
  return image.configs->configs({metadata::ConfigResourceType::group, group_id});
}

}  // namespace dohle::groups
