#include "protocol/messages/describe_quorum.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using protocol::DescribeQuorumRequest;
using protocol::DescribeQuorumResponse;
using protocol::ErrorCode;

class DescribeQuorum : public BrokerFixture {
 protected:
  static DescribeQuorumRequest request_for(const std::string& topic, std::int32_t partition) {
    DescribeQuorumRequest request;
    auto& asked = request.topics.emplace_back();
    asked.topic_name = topic;
    asked.partitions.emplace_back().partition_index = partition;
    return request;
  }
  DescribeQuorumResponse ask(const DescribeQuorumRequest& request, std::int16_t version = 2) {
    return call<DescribeQuorumRequest, DescribeQuorumResponse>(version, request);
  }
};

TEST_F(DescribeQuorum, TheOnlyVoterLeadsAndHasEverything) {
  const auto response = ask(request_for("__cluster_metadata", 0));
  EXPECT_EQ(response.error_code, 0);
  const auto& partition = response.topics.at(0).partitions.at(0);
  EXPECT_EQ(partition.error_code, 0);
  EXPECT_EQ(partition.leader_id, 1);
  EXPECT_EQ(partition.leader_epoch, 1);
  EXPECT_GT(partition.high_watermark, 0);
  ASSERT_EQ(partition.current_voters.size(), 1u);
  EXPECT_EQ(partition.current_voters[0].log_end_offset, partition.high_watermark);
  EXPECT_FALSE(partition.current_voters[0].replica_directory_id.is_zero());
  EXPECT_EQ(partition.current_voters[0].last_caught_up_timestamp, broker().clock().wall_ms());
  EXPECT_TRUE(partition.observers.empty());
  ASSERT_EQ(response.nodes.size(), 1u);
  EXPECT_EQ(response.nodes[0].listeners.at(0).name, "CONTROLLER");
  EXPECT_EQ(response.nodes[0].listeners[0].port, 9093);
  // It grows with what is committed.
  create_topic("t");
  EXPECT_GT(ask(request_for("__cluster_metadata", 0)).topics[0].partitions[0].high_watermark, partition.high_watermark);
}

TEST_F(DescribeQuorum, OldVersionsHaveNoDirectoriesAndNoNodes) {
  for (const std::int16_t version : {0, 1}) {
    const auto response = ask(request_for("__cluster_metadata", 0), version);
    EXPECT_EQ(response.topics.at(0).partitions.at(0).leader_id, 1) << version;
    EXPECT_TRUE(response.nodes.empty()) << version;
  }
}

TEST_F(DescribeQuorum, OtherPartitionsAreUnknown) {
  for (const auto& request : {request_for("t", 0), request_for("__cluster_metadata", 1)}) {
    const auto response = ask(request);
    EXPECT_EQ(response.topics.at(0).partitions.at(0).error_code, code(ErrorCode::unknown_topic_or_partition));
  }
}

}  // namespace
}  // namespace dohle::api
