// ApiVersions, key 18, v0 to v5. v3: the client's software (KIP-511) and features; v4: features from level 0 are listed
// too; v5: the cluster and node that the client means to talk to (KIP-1242). A version that we don't know is answered
// in v0 by the dispatcher. Source: kafka.server.KafkaApis.handleApiVersionsRequest, SimpleApiVersionManager.

#include <algorithm>

#include "protocol/messages/api_versions.h"
#include "server/api/api_table.h"
#include "server/api/controller_home.h"
#include "server/api/handlers.h"
#include "server/api/services.h"

namespace dohle::api {

namespace {

using protocol::ErrorCode;

/// [a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])?
bool is_software_word(std::string_view word) {
  const auto is_alphanumeric = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  if (word.empty() || !is_alphanumeric(word.front()) || !is_alphanumeric(word.back())) return false;
  return std::ranges::all_of(word, [&](char c) { return is_alphanumeric(c) || c == '-' || c == '.'; });
}

ErrorCode check(const Services& services, const RequestContext& context, const protocol::ApiVersionsRequest& request) {
  const auto version = context.version();
  if (version >= 3 &&
      (!is_software_word(request.client_software_name) || !is_software_word(request.client_software_version))) {
    return ErrorCode::invalid_request;
  }
  if (version < 5) return ErrorCode::none;
  if (request.cluster_id.has_value() != (request.node_id != -1)) return ErrorCode::invalid_request;
  if (!context.session.is_controller && request.cluster_id.has_value() &&
      (*request.cluster_id != services.cluster_id || request.node_id != services.node_id)) {
    return ErrorCode::rebootstrap_required;
  }
  return ErrorCode::none;
}

void add_apis(bool on_controller, protocol::ApiVersionsResponse& response) {
  for (const auto& row : api_table()) {
    if (!(on_controller ? row.on_controller : row.on_broker)) continue;
    const auto& api = protocol::api_info(row.key);
    const auto range = on_controller ? api.stable_versions : protocol::advertised_versions(api, false);
    auto& answer = response.api_keys.emplace_back();
    answer.api_key = static_cast<std::int16_t>(row.key);
    answer.min_version = range.first;
    answer.max_version = range.last;
  }
}

void add_features(const Services& services, std::int16_t version, protocol::ApiVersionsResponse& response) {
  for (const auto& [name, range] : metadata::supported_features()) {
    // Java clients before 3.9 fail on a range that begins at 0 (KAFKA-17011).
    if (version < 4 && range.min == 0) continue;
    auto& answer = response.supported_features.emplace_back();
    answer.name = name;
    answer.min_version = range.min;
    answer.max_version = range.max;
  }
  const auto image = services.image.current();
  const auto add = [&](std::string name, std::int16_t level) {
    if (level == 0) return;
    auto& answer = response.finalized_features.emplace_back();
    answer.name = std::move(name);
    answer.min_version_level = level;
    answer.max_version_level = level;
  };
  add("metadata.version", image->features->metadata_version.value_or(0));
  for (const auto& [name, level] : image->features->levels) add(name, level);
  add("kraft.version", services.controller.kraft_version());
  response.finalized_features_epoch = services.controller.last_applied_offset();
}

}  // namespace

protocol::ApiVersionsResponse api_versions(Services& services, RequestContext& context,
                                           protocol::ApiVersionsRequest& request) {
  protocol::ApiVersionsResponse response;
  if (const auto error = check(services, context, request); error != ErrorCode::none) {
    response.error_code = static_cast<std::int16_t>(error);
    return response;
  }
  if (context.version() >= 3) {
    context.session.client_software_name = request.client_software_name;
    context.session.client_software_version = request.client_software_version;
  }
  add_apis(context.session.is_controller, response);
  add_features(services, context.version(), response);
  return response;
}

}  // namespace dohle::api
