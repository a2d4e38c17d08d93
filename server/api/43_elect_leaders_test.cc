#include "protocol/messages/elect_leaders.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using protocol::ElectLeadersRequest;
using protocol::ElectLeadersResponse;
using protocol::ErrorCode;

class ElectLeaders : public BrokerFixture {
 protected:
  ElectLeadersResponse ask(const ElectLeadersRequest& request) {
    return call<ElectLeadersRequest, ElectLeadersResponse>(2, request);
  }
};

TEST_F(ElectLeaders, NothingToDoIsSaidPerPartition) {
  // behaviours.md 160
  create_topic("t", 2);
  ElectLeadersRequest request;
  request.topic_partitions.emplace();
  auto& asked = request.topic_partitions->emplace_back();
  asked.topic = "t";
  asked.partitions = {0, 1, 9};
  const auto response = ask(request);
  EXPECT_EQ(response.error_code, 0);
  ASSERT_EQ(response.replica_election_results.size(), 1u);
  const auto& results = response.replica_election_results[0].partition_result;
  ASSERT_EQ(results.size(), 3u);
  for (const auto& result : results) {
    const auto expected =
        result.partition_id == 9 ? ErrorCode::unknown_topic_or_partition : ErrorCode::election_not_needed;
    EXPECT_EQ(result.error_code, code(expected)) << result.partition_id;
  }
}

TEST_F(ElectLeaders, OfAllPartitionsOnlyThoseThatChangeAreNamed) {
  create_topic("t", 2);
  ElectLeadersRequest request;
  request.topic_partitions.reset();
  const auto response = ask(request);
  EXPECT_EQ(response.error_code, 0);
  EXPECT_TRUE(response.replica_election_results.empty());
}

}  // namespace
}  // namespace dohle::api
