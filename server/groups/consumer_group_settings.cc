#include "server/groups/consumer_group_settings.h"

#include <algorithm>
#include <cctype>

#include "server/config/group_config.h"

namespace dohle::groups {

namespace {

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

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
  const auto policy = lower_case(broker.values.get_string("group.consumer.migration.policy"));
  settings.may_upgrade = policy == "bidirectional" || policy == "upgrade";
  settings.may_downgrade = policy == "bidirectional" || policy == "downgrade";
  settings.classic_max_size = broker.group_max_size;
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

const ConsumerGroupSettings& ConsumerGroupConfigs::settings(const config::BrokerConfig& broker,
                                                            const metadata::MetadataImage& image,
                                                            const std::string& group_id) {
  if (configs_ != image.configs) refresh(broker, image);
  const auto& overrides = group_overrides(image, group_id);
  if (overrides.empty()) return of_the_broker_;
  const auto found = of_groups_.find(group_id);
  if (found != of_groups_.end()) return found->second;
  return of_groups_.emplace(group_id, consumer_group_settings(dynamic_ ? *dynamic_ : broker, overrides)).first->second;
}

void ConsumerGroupConfigs::refresh(const config::BrokerConfig& broker, const metadata::MetadataImage& image) {
  const bool is_first = configs_ == nullptr;
  configs_ = image.configs;
  of_groups_.clear();
  const auto of_broker = [&image](std::string id) {
    return image.configs->configs({metadata::ConfigResourceType::broker, std::move(id)});
  };
  auto of_all = of_broker("");
  auto of_this = of_broker(std::to_string(broker.node_id));
  if (!is_first && of_all == of_all_brokers_ && of_this == of_this_broker_) return;
  of_all_brokers_ = std::move(of_all);
  of_this_broker_ = std::move(of_this);
  dynamic_.reset();
  if (!of_all_brokers_.empty() || !of_this_broker_.empty()) {
    dynamic_ = config::with_dynamic_configs(broker, of_all_brokers_, of_this_broker_).config;
  }
  of_the_broker_ = consumer_group_settings(dynamic_ ? *dynamic_ : broker, {});
}

}  // namespace dohle::groups
