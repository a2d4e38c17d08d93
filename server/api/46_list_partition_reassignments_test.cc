// What is listed of a move is tested beside the controller (controller_reassignments_test): one node has none.
#include "protocol/messages/list_partition_reassignments.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using protocol::ListPartitionReassignmentsRequest;
using protocol::ListPartitionReassignmentsResponse;

using ListReassignments = BrokerFixture;

TEST_F(ListReassignments, OneNodeHasNone) {
  // behaviours.md 159: kafka-topics --describe asks this each time.
  create_topic("t");
  ListPartitionReassignmentsRequest request;
  for (const bool named : {false, true}) {
    request.topics.reset();
    if (named) {
      auto& asked = request.topics.emplace().emplace_back();
      asked.name = "t";
      asked.partition_indexes = {0, 9};
    }
    const auto response = call<ListPartitionReassignmentsRequest, ListPartitionReassignmentsResponse>(0, request);
    EXPECT_EQ(response.error_code, 0);
    EXPECT_EQ(response.error_message, std::nullopt);
    EXPECT_TRUE(response.topics.empty());
  }
}

}  // namespace
}  // namespace dohle::api
