#include <algorithm>

#include "protocol/messages/api_versions.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using protocol::ApiVersionsRequest;
using protocol::ApiVersionsResponse;
using protocol::ErrorCode;

class ApiVersions : public BrokerFixture {
 protected:
  static ApiVersionsRequest request() {
    ApiVersionsRequest request;
    request.client_software_name = "some-client";
    request.client_software_version = "1.2.3";
    return request;
  }
  ApiVersionsResponse ask(std::int16_t version, const ApiVersionsRequest& request, bool on_controller = false) {
    return call<ApiVersionsRequest, ApiVersionsResponse>(version, request, on_controller);
  }
  static std::pair<int, int> range(const ApiVersionsResponse& response, std::int16_t key) {
    const auto found = std::ranges::find(response.api_keys, key, [](const auto& api) { return api.api_key; });
    if (found == response.api_keys.end()) return {-1, -1};
    return {found->min_version, found->max_version};
  }
};

TEST_F(ApiVersions, RangesAreThoseOfTheReference) {
  // behaviours.md 5, 6, 7; every version has the same table.
  for (std::int16_t version = 0; version <= 5; ++version) {
    const auto response = ask(version, request());
    EXPECT_EQ(response.error_code, 0);
    EXPECT_EQ(range(response, 0), std::pair(0, 13));
    EXPECT_EQ(range(response, 1), std::pair(4, 18));
    EXPECT_EQ(range(response, 2), std::pair(1, 11));
    EXPECT_EQ(range(response, 3), std::pair(0, 13));
    EXPECT_EQ(range(response, 18), std::pair(0, 5));
    EXPECT_EQ(range(response, 19), std::pair(2, 7));
    EXPECT_TRUE(std::ranges::is_sorted(response.api_keys, {}, [](const auto& api) { return api.api_key; }));
  }
}

TEST_F(ApiVersions, AControllerOffersLess) {
  const auto response = ask(4, request(), true);
  EXPECT_EQ(range(response, 0), std::pair(-1, -1));
  EXPECT_EQ(range(response, 19), std::pair(2, 7));
}

TEST_F(ApiVersions, AVersionFromTheFutureIsAnsweredInVersionZero) {
  // behaviours.md 1, 2
  auto frame = frame_of(5, request());
  frame[2] = 0;
  frame[3] = 99;
  const auto response = read<ApiVersionsRequest, ApiVersionsResponse>(0, answer_to(frame));
  EXPECT_EQ(response.error_code, code(ErrorCode::unsupported_version));
  ASSERT_EQ(response.api_keys.size(), 1u);
  EXPECT_EQ(range(response, 18), std::pair(0, 5));
}

TEST_F(ApiVersions, TheClientIsRememberedIfItsNameIsOne) {
  EXPECT_EQ(ask(3, request()).error_code, 0);
  EXPECT_EQ(broker().session().client_software_name, "some-client");
  EXPECT_EQ(broker().session().client_software_version, "1.2.3");
  for (const auto* name : {"", "-x", "x-", "a b", "a_b"}) {
    auto bad = request();
    bad.client_software_name = name;
    const auto response = ask(3, bad);
    EXPECT_EQ(response.error_code, code(ErrorCode::invalid_request)) << name;
    EXPECT_TRUE(response.api_keys.empty());
    EXPECT_EQ(ask(2, bad).error_code, 0);
  }
  EXPECT_EQ(broker().session().client_software_name, "some-client");
}

TEST_F(ApiVersions, FeaturesAreToldHonestly) {
  // behaviours.md 8
  const auto response = ask(3, request());
  const auto level = [&response](const std::string& name) -> int {
    for (const auto& feature : response.finalized_features) {
      if (feature.name == name) return feature.max_version_level;
    }
    return -1;
  };
  EXPECT_EQ(level("metadata.version"), 33);
  EXPECT_EQ(level("group.version"), 1);
  EXPECT_EQ(level("transaction.version"), 2);
  EXPECT_EQ(level("kraft.version"), 1);
  EXPECT_GE(response.finalized_features_epoch, 0);
  // KAFKA-17011: a range that begins at 0 is for v4 on.
  const auto begins_at_zero = [](const auto& feature) { return feature.min_version == 0; };
  EXPECT_TRUE(std::ranges::none_of(response.supported_features, begins_at_zero));
  EXPECT_TRUE(std::ranges::any_of(ask(4, request()).supported_features, begins_at_zero));
}

TEST_F(ApiVersions, AClientInTheWrongClusterIsSentBack) {
  // KIP-1242
  auto meant = request();
  meant.cluster_id = broker().services().cluster_id;
  meant.node_id = 1;
  EXPECT_EQ(ask(5, meant).error_code, 0);
  meant.node_id = 2;
  EXPECT_EQ(ask(5, meant).error_code, code(ErrorCode::rebootstrap_required));
  meant.node_id = 1;
  meant.cluster_id = "another";
  EXPECT_EQ(ask(5, meant).error_code, code(ErrorCode::rebootstrap_required));
  meant.cluster_id.reset();
  EXPECT_EQ(ask(5, meant).error_code, code(ErrorCode::invalid_request));
}

}  // namespace
}  // namespace dohle::api
