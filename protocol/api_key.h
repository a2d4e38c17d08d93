// Kafka's APIs: the enum of keys (generated), and the table of what each key has.
// Source: org.apache.kafka.common.protocol.ApiKeys, and the message JSON that it is generated from.
#pragma once

#include <cstdint>
#include <span>

#include "protocol/message_schema.h"
#include "protocol/messages/api_keys.h"
#include "protocol/versions.h"

namespace dohle::protocol {

struct ApiInfo {
  ApiKey key;
  /// As in Kafka's metrics and logs: "CreateTopics".
  const char* name;
  /// What the schema knows, unstable versions too. Empty for keys that 4.0 removed (4 to 7).
  VersionRange versions;
  /// Without a latest version that is unstable (`unstable.api.versions.enable`).
  VersionRange stable_versions;
  std::int16_t first_flexible_version;
  /// On which listeners the API may be called at all.
  bool on_broker;
  bool on_controller;
  /// nullptr where `versions` is empty.
  const MessageSchema* request;
  const MessageSchema* response;
};

/// In ascending order of keys, the removed ones among them.
std::span<const ApiInfo> all_apis();

/// nullptr for a number that is no key of 4.4.
const ApiInfo* find_api(std::int16_t key);
/// Of a key of the enum.
const ApiInfo& api_info(ApiKey key);
inline const char* name(ApiKey key) {
  return api_info(key).name;
}

/// What ApiVersions says about an API on a broker listener. It is what the broker accepts, but for Produce, where the
/// first version is 0: librdkafka before 2.11.1 stops compressing when it is not (KAFKA-18659); versions 0 to 2 are
/// refused all the same. Empty when nothing is offered.
VersionRange advertised_versions(const ApiInfo& api, bool unstable_versions_enabled);

}  // namespace dohle::protocol
