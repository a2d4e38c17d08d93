// The order in which a java.util.HashMap gives out its keys. Kafka answers DescribeConfigs in that order, and names the
// first bad key in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/config/config_value.h"

namespace dohle::config {

/// `names`, put into an empty HashMap one after the other, in the order of its iteration.
std::vector<std::string> java_hash_order(std::vector<std::string> names);

/// The same for a map made of another at once (HashMap.putAll), which is sized for it.
std::vector<std::string> java_hash_copy_order(std::vector<std::string> names);

/// The names of `configs` in such an order.
std::vector<std::string> java_hash_order(const ConfigMap& configs);

}  // namespace dohle::config
