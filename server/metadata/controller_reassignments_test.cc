#include <gtest/gtest.h>

#include "server/metadata/controller.h"
#include "server/metadata/metadata_delta.h"
#include "server/metadata/sample_test_support.h"

namespace dohle::metadata {
namespace {

class ReassignmentTest : public ::testing::Test {
 protected:
  ReassignmentTest() : controller_({}, sample_schema), image_(image_with_brokers(3)) {
    protocol::CreateTopicsRequest request;
    auto& topic = request.topics.emplace_back();
    topic.name = "t";
    topic.num_partitions = -1;
    topic.replication_factor = -1;
    topic.assignments.push_back({0, {1}, {}});
    replay(controller_.create_topics(image_, request).records);
  }
  void replay(const std::vector<MetadataRecord>& records) {
    MetadataDelta delta(std::make_shared<MetadataImage>(image_));
    for (const auto& record : records) ASSERT_TRUE(delta.replay(record).has_value());
    image_ = *delta.apply({});
  }
  std::string reassign(const std::string& topic, std::optional<std::vector<std::int32_t>> replicas,
                       bool allow_factor = true) {
    const auto result =
        controller_.alter_partition_reassignments(image_, {{topic, 0, std::move(replicas)}}, allow_factor);
    replay(result.records);
    const ApiError& error = result.response.at(0).error;
    return std::to_string(static_cast<int>(error.code)) + " " + error.message.value_or("-");
  }
  const PartitionRegistration& partition() { return *image_.topics->find("t")->partition(0); }

  Controller controller_;
  MetadataImage image_;
};

TEST_F(ReassignmentTest, KafkasWordsOnOneNode) {
  EXPECT_EQ(reassign("t", std::nullopt), "85 -");
  EXPECT_EQ(reassign("t", {{1}}), "0 -");
  EXPECT_EQ(reassign("t", {{7}}),
            "39 The manual partition assignment includes broker 7, but no such broker is registered.");
  EXPECT_EQ(reassign("nosuch", {{1}}), "3 Unable to find a topic named nosuch.");
  EXPECT_EQ(reassign("t", {{1, 2}}, false), "38 The replication factor is changed from 1 to 2");
  EXPECT_TRUE(controller_.list_partition_reassignments(image_, std::nullopt).empty());
}

TEST_F(ReassignmentTest, AMoveAddsFirstAndCanBeCancelled) {
  EXPECT_EQ(reassign("t", {{2}}), "0 -");
  EXPECT_EQ(partition().replicas, (std::vector<std::int32_t>{2, 1}));
  EXPECT_EQ(partition().adding_replicas, std::vector<std::int32_t>{2});
  EXPECT_EQ(partition().removing_replicas, std::vector<std::int32_t>{1});
  EXPECT_EQ(partition().leader, 1);
  EXPECT_EQ(controller_.list_partition_reassignments(image_, std::nullopt).size(), 1U);
  EXPECT_EQ(reassign("t", std::nullopt), "0 -");
  EXPECT_EQ(partition().replicas, std::vector<std::int32_t>{1});
  EXPECT_FALSE(partition().is_reassigning());
}

}  // namespace
}  // namespace dohle::metadata
