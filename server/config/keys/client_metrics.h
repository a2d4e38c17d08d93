// Keys of client-metrics subscriptions, in the order in which Kafka defines them.
#pragma once

#include "server/config/keys/row.h"

namespace dohle::config::keys {

inline constexpr ConfigKey client_metrics_keys[] = {
    {"metrics", list, "", any_list, medium, not_broker, no_effect,
     "Prefixes of the metrics that clients push; * for all."},
    {"interval.ms", int32, "300000", any, medium, not_broker, no_effect, "Pause between two pushes of a client."},
    {"match", list, "", any_list, medium, not_broker, no_effect, "Which clients push, as selector=pattern."},
};

}  // namespace dohle::config::keys
