// From the texts of listeners, advertised.listeners and their relatives to endpoints. Follows
// org.apache.kafka.network.SocketServerConfigs and the listener parts of AbstractKafkaConfig and KafkaConfig.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "server/config/broker_config.h"

namespace dohle::config {

/// "key:value,key:value" (Kafka's Csv.parseCsvMap); the last ':' of an entry separates. An entry without one is an
/// error.
Parsed<std::map<std::string, std::string>> parse_csv_map(std::string_view name, std::string_view text);

/// Fills the listener fields of `config` (protocol map, listeners, advertised ones, the inter-broker one) from
/// config.values, in the order in which Kafka would stumble over a mistake. Needs quorum_voters and node_id.
Parsed<void> fill_listeners(BrokerConfig& config);

}  // namespace dohle::config
