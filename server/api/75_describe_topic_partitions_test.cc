#include "protocol/messages/describe_topic_partitions.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using protocol::DescribeTopicPartitionsRequest;
using protocol::DescribeTopicPartitionsResponse;
using protocol::ErrorCode;

class DescribeTopicPartitions : public BrokerFixture {
 protected:
  static DescribeTopicPartitionsRequest request_for(const std::vector<std::string>& names) {
    DescribeTopicPartitionsRequest request;
    for (const auto& name : names) request.topics.emplace_back().name = name;
    return request;
  }
  DescribeTopicPartitionsResponse ask(const DescribeTopicPartitionsRequest& request) {
    return call<DescribeTopicPartitionsRequest, DescribeTopicPartitionsResponse>(0, request);
  }
  /// "a0 a1 b0": what is in the answer.
  static std::string listed(const DescribeTopicPartitionsResponse& response) {
    std::string text;
    for (const auto& topic : response.topics) {
      for (const auto& partition : topic.partitions) {
        text += (text.empty() ? "" : " ") + topic.name.value_or("?") + std::to_string(partition.partition_index);
      }
    }
    return text;
  }
};

TEST_F(DescribeTopicPartitions, TopicsComeByName) {
  // behaviours.md 31
  create_topic("b", 2);
  create_topic("a");
  EXPECT_EQ(listed(ask(request_for({}))), "a0 b0 b1");
  EXPECT_EQ(listed(ask(request_for({"b", "a"}))), "a0 b0 b1");
  EXPECT_EQ(listed(ask(request_for({"b"}))), "b0 b1");
  const auto partition = ask(request_for({"a"})).topics.at(0).partitions.at(0);
  EXPECT_EQ(partition.leader_id, 1);
  EXPECT_EQ(partition.isr_nodes, std::vector<std::int32_t>{1});
  EXPECT_EQ(partition.eligible_leader_replicas, std::vector<std::int32_t>{});
}

TEST_F(DescribeTopicPartitions, UnknownTopicsAreNamed) {
  create_topic("a");
  const auto response = ask(request_for({"a", "b", "c d"}));
  ASSERT_EQ(response.topics.size(), 3u);
  EXPECT_EQ(response.topics[1].error_code, code(ErrorCode::unknown_topic_or_partition));
  EXPECT_EQ(response.topics[1].name, "b");
  EXPECT_EQ(response.topics[2].error_code, code(ErrorCode::invalid_topic_exception));
}

TEST_F(DescribeTopicPartitions, PagesGoOnWhereTheLastEnded) {
  create_topic("a", 3);
  create_topic("b", 2);
  auto request = request_for({});
  request.response_partition_limit = 2;
  std::vector<std::string> pages;
  for (int i = 0; i < 5; ++i) {
    const auto response = ask(request);
    pages.push_back(listed(response));
    if (!response.next_cursor) break;
    request.cursor.emplace();
    request.cursor->topic_name = response.next_cursor->topic_name;
    request.cursor->partition_index = response.next_cursor->partition_index;
  }
  EXPECT_EQ(pages, (std::vector<std::string>{"a0 a1", "a2 b0", "b1"}));
}

TEST_F(DescribeTopicPartitions, TheBrokersLimitHoldsToo) {
  configs["max.request.partition.size.limit"] = "1";
  create_topic("a", 3);
  EXPECT_EQ(listed(ask(request_for({}))), "a0");
}

TEST_F(DescribeTopicPartitions, ACursorThatIsNone) {
  create_topic("a");
  auto request = request_for({"a"});
  request.cursor.emplace();
  request.cursor->topic_name = "a";
  request.cursor->partition_index = -1;
  EXPECT_EQ(ask(request).topics.at(0).error_code, code(ErrorCode::invalid_request));
  request.cursor->partition_index = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(listed(ask(request)), "");
  // One that points behind what was asked for.
  request.cursor->topic_name = "b";
  request.cursor->partition_index = 0;
  EXPECT_EQ(ask(request).topics.at(0).error_code, code(ErrorCode::invalid_request));
}

}  // namespace
}  // namespace dohle::api
