// What the consumer group protocol takes from the broker's configuration and from the group's own.
// Source: GroupMetadataManager.consumerGroupSessionTimeoutMs and its like.
#pragma once

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

}  // namespace dohle::groups
