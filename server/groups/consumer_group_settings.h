// What the consumer group protocol takes from the broker's configuration and from the group's own.
// Source: GroupMetadataManager.consumerGroupSessionTimeoutMs and its like.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "server/config/broker_config.h"
#include "server/groups/consumer_coordinator.h"
#include "server/metadata/metadata_image.h"

namespace dohle::groups {

/// Of a group with these overrides (its dynamic configuration; empty: none). Overrides that cannot be read do not
/// count.
ConsumerGroupSettings consumer_group_settings(const config::BrokerConfig& broker, const config::ConfigMap& overrides);

/// The overrides in the image, of this group and of all.
const config::ConfigMap& group_overrides(const metadata::MetadataImage& image, const std::string& group_id);

/// The settings as the newest configuration has them: the broker's dynamic configs of the image (of all brokers and of
/// this one), and the group's. Made again only when the image's configs change.
class ConsumerGroupConfigs {
 public:
  /// `broker` is that of the start. The reference is good until the next call.
  const ConsumerGroupSettings& settings(const config::BrokerConfig& broker, const metadata::MetadataImage& image,
                                        const std::string& group_id);

 private:
  void refresh(const config::BrokerConfig& broker, const metadata::MetadataImage& image);

  std::shared_ptr<const metadata::ConfigurationsImage> configs_;
  config::ConfigMap of_all_brokers_;
  config::ConfigMap of_this_broker_;
  /// Nothing: the broker has no dynamic configs.
  std::optional<config::BrokerConfig> dynamic_;
  ConsumerGroupSettings of_the_broker_;
  std::map<std::string, ConsumerGroupSettings> of_groups_;
};

}  // namespace dohle::groups
