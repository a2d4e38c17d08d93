#include "protocol/messages/alter_partition_reassignments.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using protocol::AlterPartitionReassignmentsRequest;
using protocol::AlterPartitionReassignmentsResponse;
using protocol::ErrorCode;

class AlterReassignments : public BrokerFixture {
 protected:
  AlterPartitionReassignmentsResponse ask(const AlterPartitionReassignmentsRequest& request) {
    return call<AlterPartitionReassignmentsRequest, AlterPartitionReassignmentsResponse>(1, request);
  }
  static AlterPartitionReassignmentsRequest request_for(const std::string& topic,
                                                        std::optional<std::vector<std::int32_t>> replicas) {
    AlterPartitionReassignmentsRequest request;
    auto& asked = request.topics.emplace_back();
    asked.name = topic;
    asked.partitions.emplace_back().replicas = std::move(replicas);
    return request;
  }
};

TEST_F(AlterReassignments, OneNodeHasLittleToMove) {
  // behaviours.md 159
  create_topic("t");
  const auto error_of = [this](const AlterPartitionReassignmentsRequest& request) {
    const auto response = ask(request);
    EXPECT_EQ(response.error_code, 0);
    return response.responses.at(0).partitions.at(0).error_code;
  };
  EXPECT_EQ(error_of(request_for("t", std::vector<std::int32_t>{1})), 0);
  EXPECT_EQ(error_of(request_for("t", std::nullopt)), code(ErrorCode::no_reassignment_in_progress));
  EXPECT_EQ(error_of(request_for("t", std::vector<std::int32_t>{2})), code(ErrorCode::invalid_replica_assignment));
  EXPECT_EQ(error_of(request_for("u", std::vector<std::int32_t>{1})), code(ErrorCode::unknown_topic_or_partition));
}

TEST_F(AlterReassignments, AnswersStandWhereTheQuestionsStood) {
  create_topic("t", 2);
  auto request = request_for("u", std::vector<std::int32_t>{1});
  request.topics.push_back(request_for("t", std::nullopt).topics[0]);
  auto& second = request.topics[1].partitions.emplace_back();
  second.partition_index = 1;
  second.replicas = std::vector<std::int32_t>{1};
  const auto response = ask(request);
  ASSERT_EQ(response.responses.size(), 2u);
  EXPECT_EQ(response.responses[0].name, "u");
  EXPECT_EQ(response.responses[1].name, "t");
  ASSERT_EQ(response.responses[1].partitions.size(), 2u);
  EXPECT_EQ(response.responses[1].partitions[0].error_code, code(ErrorCode::no_reassignment_in_progress));
  EXPECT_EQ(response.responses[1].partitions[1].partition_index, 1);
  EXPECT_EQ(response.responses[1].partitions[1].error_code, 0);
}

}  // namespace
}  // namespace dohle::api
