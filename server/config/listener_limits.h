// The limits that a listener can have for itself: listener.name.<listener>.max.connections and
// .max.connection.creation.rate, and what holds without them (AbstractConfig.valuesWithPrefixOverride).
#pragma once

#include <cstdint>
#include <string>

#include "server/config/broker_config.h"

namespace dohle::config {

struct ListenerLimits {
  std::int32_t max_connections = 0;
  std::int32_t max_connection_creation_rate = 0;
};

/// `listener` is a name in any case. Where it has no limit of its own, or one that is no number, that of all counts.
ListenerLimits listener_limits(const BrokerConfig& config, const std::string& listener);

}  // namespace dohle::config
