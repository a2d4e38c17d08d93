// What the components of a running broker refuse of a dynamic change, although every value is good by itself. Follows
// the validateReconfiguration methods of Kafka's reconfigurables, in the order in which Kafka asks them.
#pragma once

#include <optional>
#include <string>

#include "server/config/broker_config.h"

namespace dohle::config {

/// Why `next` may not follow `now`: a thread pool that would grow or shrink by more than a factor of two, a listener
/// whose protocol would change, local retention beyond the whole. nullopt if nobody minds.
std::optional<std::string> refused_by_component(const BrokerConfig& now, const BrokerConfig& next);

}  // namespace dohle::config
