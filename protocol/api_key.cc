#include "protocol/api_key.h"

#include <cstring>

#include "protocol/message_schema.h"

namespace dohle::protocol {

const ApiInfo* find_api(std::int16_t key) {
  const std::span<const ApiInfo> apis = all_apis();
  // The keys are 0, 1, 2, ... without a hole, which api_key_test holds.
  if (key < 0 || static_cast<std::size_t>(key) >= apis.size()) return nullptr;
  return &apis[static_cast<std::size_t>(key)];
}

const ApiInfo& api_info(ApiKey key) {
  return *find_api(static_cast<std::int16_t>(key));
}

VersionRange advertised_versions(const ApiInfo& api, bool unstable_versions_enabled) {
  VersionRange range = unstable_versions_enabled ? api.versions : api.stable_versions;
  if (api.key == ApiKey::produce) range.first = 0;
  return range;
}

const MessageSchema* find_message(const char* name) {
  for (const MessageSchema* message : all_messages()) {
    if (std::strcmp(message->name, name) == 0) return message;
  }
  return nullptr;
}

}  // namespace dohle::protocol
