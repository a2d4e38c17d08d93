// The bit sets of "authorized operations" answers where no authorizer is set: everything that the resource knows.
// Source: org.apache.kafka.security.authorizer.AclEntry.supportedOperations, AclOperation's codes as bit numbers.
#pragma once

#include <cstdint>
#include <limits>

namespace dohle::api {

/// The answer when the client did not ask.
inline constexpr std::int32_t operations_not_asked = std::numeric_limits<std::int32_t>::min();

constexpr std::int32_t operation_bits(std::initializer_list<int> codes) {
  std::int32_t bits = 0;
  for (const int code : codes) bits |= 1 << code;
  return bits;
}

// READ 3, WRITE 4, CREATE 5, DELETE 6, ALTER 7, DESCRIBE 8, CLUSTER_ACTION 9, DESCRIBE_CONFIGS 10, ALTER_CONFIGS 11,
// IDEMPOTENT_WRITE 12.
inline constexpr std::int32_t topic_operations = operation_bits({3, 4, 5, 6, 7, 8, 10, 11});
inline constexpr std::int32_t cluster_operations = operation_bits({5, 7, 8, 9, 10, 11, 12});
inline constexpr std::int32_t group_operations = operation_bits({3, 6, 8, 10, 11});

}  // namespace dohle::api
