// Which levels are allowed is tested beside the controller (controller_test); here, the versions of the request.
#include "protocol/messages/update_features.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;
using protocol::UpdateFeaturesRequest;
using protocol::UpdateFeaturesResponse;

class UpdateFeatures : public BrokerFixture {
 protected:
  static UpdateFeaturesRequest request_for(const std::string& feature, std::int16_t level, std::int8_t type = 1) {
    UpdateFeaturesRequest request;
    auto& update = request.feature_updates.emplace_back();
    update.feature = feature;
    update.max_version_level = level;
    update.upgrade_type = type;
    return request;
  }
  UpdateFeaturesResponse ask(const UpdateFeaturesRequest& request, std::int16_t version = 2) {
    return call<UpdateFeaturesRequest, UpdateFeaturesResponse>(version, request);
  }
  int level(const std::string& feature) { return broker().services().image.current()->features->level(feature); }
};

TEST_F(UpdateFeatures, ADowngradeMustBeMeant) {
  ASSERT_EQ(level("group.version"), 1);
  const auto refused = ask(request_for("group.version", 0));
  EXPECT_NE(refused.error_code, 0);
  EXPECT_EQ(level("group.version"), 1);
  EXPECT_EQ(ask(request_for("group.version", 0, 2)).error_code, 0);
  EXPECT_EQ(level("group.version"), 0);
}

TEST_F(UpdateFeatures, WhatIsOnlyValidatedIsNotDone) {
  auto request = request_for("group.version", 0, 2);
  request.validate_only = true;
  EXPECT_EQ(ask(request).error_code, 0);
  EXPECT_EQ(level("group.version"), 1);
}

// The reference says so, whatever KIP-584 promised: v0's flag is not looked at.
TEST_F(UpdateFeatures, TheFirstVersionsFlagIsNotLookedAt) {
  auto request = request_for("group.version", 0);
  request.feature_updates[0].allow_downgrade = true;
  EXPECT_NE(ask(request, 0).error_code, 0);
  EXPECT_EQ(level("group.version"), 1);
}

TEST_F(UpdateFeatures, VersionsBeforeTheSecondNameEachFeature) {
  const auto response = ask(request_for("group.version", 1), 1);
  EXPECT_EQ(response.error_code, 0);
  ASSERT_EQ(response.results.size(), 1u);
  EXPECT_EQ(response.results[0].feature, "group.version");
  EXPECT_EQ(response.results[0].error_message, "NONE");
  EXPECT_TRUE(ask(request_for("group.version", 1), 2).results.empty());
}

}  // namespace
}  // namespace dohle::api
