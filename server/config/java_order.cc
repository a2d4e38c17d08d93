#include "server/config/java_order.h"

#include <algorithm>

#include "server/config/java_numbers.h"

namespace dohle::config {
namespace {

// A bucket keeps the order of insertion, also when the table grows.
std::vector<std::string> by_bucket(std::vector<std::string> names, std::size_t capacity) {
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return (java_hash(a) & (capacity - 1)) < (java_hash(b) & (capacity - 1));
  });
  return names;
}

}  // namespace

std::vector<std::string> java_hash_order(std::vector<std::string> names) {
  std::size_t capacity = 16;
  while (names.size() > capacity / 4 * 3) capacity *= 2;
  return by_bucket(std::move(names), capacity);
}

std::vector<std::string> java_hash_copy_order(std::vector<std::string> names) {
  auto wanted = static_cast<std::size_t>(static_cast<double>(names.size()) / 0.75 + 1);
  std::size_t capacity = 1;
  while (capacity < wanted) capacity *= 2;
  return by_bucket(std::move(names), capacity);
}

std::vector<std::string> java_hash_order(const ConfigMap& configs) {
  std::vector<std::string> names;
  for (const auto& [name, text] : configs) names.push_back(name);
  return java_hash_order(std::move(names));
}

}  // namespace dohle::config
