// The order in which java.util.HashMap gives its keys: where Kafka walks over one to choose, so do we.
#pragma once

#include <string>
#include <vector>

namespace dohle::groups {

/// `keys` as a HashMap of the default size iterates over them after they were put in this order. Keys are distinct.
std::vector<std::string> java_hash_order(std::vector<std::string> keys);

}  // namespace dohle::groups
