#include "protocol/messages/describe_log_dirs.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

class DescribeLogDirs : public BrokerFixture {
 protected:
  protocol::DescribeLogDirsResponse describe(const protocol::DescribeLogDirsRequest& request) {
    return call<protocol::DescribeLogDirsRequest, protocol::DescribeLogDirsResponse>(5, request);
  }
};

TEST_F(DescribeLogDirs, PartitionsWithTheirSizes) {
  create_topic("t", 2);
  const auto records = Batch{.records = 3}.bytes();
  EXPECT_EQ(produce(produce_request("t", records, 1)).error_code, 0);
  protocol::DescribeLogDirsRequest request;
  auto& topic = request.topics.emplace().emplace_back();
  topic.topic = "t";
  topic.partitions = {1, 9};
  const auto answer = describe(request);
  ASSERT_EQ(answer.results.size(), 1u);
  ASSERT_EQ(answer.results[0].topics.size(), 1u);
  ASSERT_EQ(answer.results[0].topics[0].partitions.size(), 1u);
  EXPECT_EQ(answer.results[0].topics[0].partitions[0].partition_index, 1);
  EXPECT_EQ(answer.results[0].topics[0].partitions[0].partition_size, static_cast<std::int64_t>(records.size()));
  EXPECT_EQ(answer.results[0].topics[0].partitions[0].offset_lag, 0);
}

TEST_F(DescribeLogDirs, NullMeansAllAndAnEmptyListNone) {
  create_topic("t", 2);
  protocol::DescribeLogDirsRequest request;
  request.topics.reset();
  EXPECT_EQ(describe(request).results.at(0).topics.at(0).partitions.size(), 2u);
  request.topics.emplace();
  EXPECT_TRUE(describe(request).results.at(0).topics.empty());
}

}  // namespace
}  // namespace dohle::api
