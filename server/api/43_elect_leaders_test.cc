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

TEST_F(ElectLeaders, OfAllPartitionsOnlyThoseThatChangeAreNamedButEveryTopic) {
  create_topic("t", 2);
  ElectLeadersRequest request;
  request.topic_partitions.reset();
  const auto response = ask(request);
  EXPECT_EQ(response.error_code, 0);
  ASSERT_EQ(response.replica_election_results.size(), 1u);
  EXPECT_EQ(response.replica_election_results[0].topic, "t");
  EXPECT_TRUE(response.replica_election_results[0].partition_result.empty());
}

TEST_F(ElectLeaders, AnErrorOfTheRequestIsSaidPerPartitionToo) {
  create_topic("t");
  ElectLeadersRequest request;
  request.timeout_ms = 0;
  auto& asked = request.topic_partitions.emplace().emplace_back();
  asked.topic = "t";
  asked.partitions = {0};
  const auto response = ask(request);
  EXPECT_EQ(response.error_code, code(ErrorCode::request_timed_out));
  EXPECT_EQ(response.replica_election_results.at(0).partition_result.at(0).error_code,
            code(ErrorCode::request_timed_out));
}

}  // namespace
}  // namespace dohle::api
