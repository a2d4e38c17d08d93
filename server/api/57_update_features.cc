// UpdateFeatures, key 57, v0 to v2 (KIP-584). v0: allow_downgrade; v1: upgrade_type and validate_only; v2: all or
// nothing, no result per feature. Source: org.apache.kafka.controller.QuorumController.updateFeatures.

#include "protocol/messages/update_features.h"
#include "server/api/async_handlers.h"
#include "server/api/controller_home.h"
#include "server/api/services.h"

namespace dohle::api {

namespace {

std::vector<metadata::FeatureUpdate> updates_of(const protocol::UpdateFeaturesRequest& request) {
  std::vector<metadata::FeatureUpdate> updates;
  for (const auto& update : request.feature_updates) {
    // v0's allow_downgrade is not looked at: its upgrade_type is the default, an upgrade.
    const auto kind = static_cast<metadata::FeatureUpdate::Kind>(update.upgrade_type);
    updates.push_back({update.feature, update.max_version_level, kind});
  }
  return updates;
}

}  // namespace

boost::asio::awaitable<protocol::UpdateFeaturesResponse> update_features(Services& services, RequestContext& context,
                                                                         protocol::UpdateFeaturesRequest& request) {
  const auto version = context.version();
  const auto kraft_version = services.controller.kraft_version();
  const auto operation = [&request, kraft_version](const metadata::Controller& controller,
                                                   const metadata::MetadataImage& image) {
    return controller.update_features(image, kraft_version, updates_of(request));
  };
  const auto result = co_await services.controller.run<std::monostate>(operation, request.validate_only);

  protocol::UpdateFeaturesResponse response;
  response.error_code = static_cast<std::int16_t>(result.error.code);
  response.error_message = result.error.message;
  if (result.error.failed() || version >= 2) co_return response;
  for (const auto& update : request.feature_updates) {
    auto& answer = response.results.emplace_back();
    answer.feature = update.feature;
    answer.error_message = "NONE";  // as Errors.NONE prints itself
  }
  co_return response;
}

}  // namespace dohle::api
