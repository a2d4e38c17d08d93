// Where a partition's leader is now, for answers that say "not here" (KIP-951).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "server/metadata/metadata_image.h"

namespace dohle::api {

struct LeaderHint {
  std::int32_t leader_id = -1;
  std::int32_t leader_epoch = -1;
};

inline LeaderHint current_leader(const metadata::MetadataImage& image, std::string_view topic_name,
                                 std::int32_t partition, std::string_view listener) {
  const auto* topic = image.topics->find(topic_name);
  const auto* registration = topic == nullptr ? nullptr : topic->partition(partition);
  if (registration == nullptr) return {};
  const auto* broker = image.cluster->broker(registration->leader);
  const bool reachable = broker != nullptr && broker->endpoint(listener) != nullptr;
  return {reachable ? registration->leader : -1, registration->leader_epoch};
}

/// Adds the leader's address to an answer's `node_endpoints`, once.
template <typename NodeEndpoints>
void add_node_endpoint(const metadata::MetadataImage& image, const LeaderHint& hint, std::string_view listener,
                       NodeEndpoints& endpoints) {
  const auto* broker = image.cluster->broker(hint.leader_id);
  const auto* endpoint = broker == nullptr ? nullptr : broker->endpoint(listener);
  if (endpoint == nullptr) return;
  if (std::ranges::any_of(endpoints, [&](const auto& known) { return known.node_id == hint.leader_id; })) return;
  auto& answer = endpoints.emplace_back();
  answer.node_id = hint.leader_id;
  answer.host = endpoint->host;
  answer.port = endpoint->port;
  answer.rack = broker->rack;
}

}  // namespace dohle::api
