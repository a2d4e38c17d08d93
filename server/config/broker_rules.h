// The rules between several keys of a broker's configuration. Follows KafkaConfig.validateValues,
// GroupCoordinatorConfig.checkConstraints and ShareGroupConfig.validate; messages are theirs.
#pragma once

#include <string>
#include <vector>

#include "server/config/broker_config.h"

namespace dohle::config {

/// Rules of the group keys, which Kafka checks before it looks at the listeners.
Parsed<void> check_group_rules(const ConfigValues& values);

/// All other rules. The fields of `config` must be filled. What Kafka only logs goes to `warnings`.
Parsed<void> check_broker_rules(const BrokerConfig& config, std::vector<std::string>& warnings);

}  // namespace dohle::config
