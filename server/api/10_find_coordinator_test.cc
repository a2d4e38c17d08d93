#include "protocol/messages/find_coordinator.h"
#include "server/api/group_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;
using protocol::FindCoordinatorRequest;
using protocol::FindCoordinatorResponse;

class FindCoordinator : public GroupFixture {
 protected:
  FindCoordinatorResponse ask(const FindCoordinatorRequest& request, std::int16_t version) {
    return call<FindCoordinatorRequest, FindCoordinatorResponse>(version, request);
  }
};

TEST_F(FindCoordinator, TheFirstToAskMakesTheTopic) {
  // behaviours.md 100
  FindCoordinatorRequest request;
  request.coordinator_keys = {"g", "h"};
  const auto first = ask(request, 4).coordinators;
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[0].error_code, code(ErrorCode::coordinator_not_available));
  EXPECT_EQ(first[0].node_id, -1);
  EXPECT_EQ(first[0].port, -1);
  start_coordinator();
  const auto found = ask(request, 4).coordinators;
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].key, "g");
  EXPECT_EQ(found[1].key, "h");
  for (const auto& one : found) {
    EXPECT_EQ(one.error_code, 0);
    EXPECT_EQ(one.node_id, TestBroker::node_id);
    EXPECT_EQ(one.host, "localhost");
    EXPECT_EQ(one.port, 9092);
  }
}

TEST_F(FindCoordinator, OldVersionsAskForOne) {
  start_coordinator();
  FindCoordinatorRequest request;
  request.key = "g";
  for (const std::int16_t version : {0, 3}) {
    const auto response = ask(request, version);
    EXPECT_EQ(response.error_code, 0);
    EXPECT_EQ(response.node_id, TestBroker::node_id);
    EXPECT_EQ(response.port, 9092);
  }
}

TEST_F(FindCoordinator, KeysHaveKnownTypes) {
  FindCoordinatorRequest one;
  one.key = "g";
  one.key_type = 3;
  EXPECT_EQ(ask(one, 3).error_code, code(ErrorCode::invalid_request));
  FindCoordinatorRequest many;
  many.key_type = 3;
  many.coordinator_keys = {"g"};
  EXPECT_EQ(ask(many, 4).coordinators.at(0).error_code, code(ErrorCode::invalid_request));
}

}  // namespace
}  // namespace dohle::api
