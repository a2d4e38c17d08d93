#include <gtest/gtest.h>

#include "server/metadata/controller.h"
#include "server/metadata/metadata_delta.h"
#include "server/metadata/sample_test_support.h"

namespace dohle::metadata {
namespace {

TEST(ControllerBrokers, ProducerIdsComeInBlocksOfAThousand) {
  const Controller controller({}, sample_schema);
  MetadataImage image = image_with_brokers(1);
  const auto first = controller.allocate_producer_ids(image, 1, 10);
  EXPECT_EQ(first.response.first_producer_id, 0);
  MetadataDelta delta(std::make_shared<MetadataImage>(image));
  ASSERT_TRUE(delta.replay(first.records.at(0)).has_value());
  EXPECT_EQ(controller.allocate_producer_ids(*delta.apply({}), 1, 10).response.first_producer_id, 1000);
  EXPECT_EQ(controller.allocate_producer_ids(image, 1, 9).error.message,
            "Expected broker epoch 10, but got broker epoch 9");
  EXPECT_EQ(controller.allocate_producer_ids(image, 9, 9).error.message,
            "No broker registration found for broker id 9");
}

TEST(ControllerBrokers, AnotherBrokerTakesOverWhenOneIsFenced) {
  const Controller controller({}, sample_schema);
  MetadataImage image = image_with_brokers(2);
  protocol::CreateTopicsRequest request;
  auto& topic = request.topics.emplace_back();
  topic.name = "t";
  topic.num_partitions = -1;
  topic.replication_factor = -1;
  topic.assignments.push_back({0, {1, 2}, {}});
  const auto created = controller.create_topics(image, request);
  MetadataDelta delta(std::make_shared<MetadataImage>(image));
  for (const auto& record : created.records) ASSERT_TRUE(delta.replay(record).has_value());
  image = *delta.apply({});
  const auto fenced = controller.fence_broker(image, 1);
  ASSERT_EQ(fenced.records.size(), 2U);
  const auto& change = std::get<protocol::PartitionChangeRecord>(fenced.records[0].message);
  EXPECT_EQ(change.leader, 2);
  EXPECT_EQ(change.isr, std::vector<std::int32_t>{2});
  const auto offline = controller.directories_offline(image, 2, {codec::Uuid::reserved(102)});
  ASSERT_EQ(offline.records.size(), 2U);
  EXPECT_EQ(std::get<protocol::PartitionChangeRecord>(offline.records[0].message).isr, std::vector<std::int32_t>{1});
  EXPECT_EQ(controller.fence_broker(image, 5).error.message, "Broker ID 5 is not currently registered");
}

}  // namespace
}  // namespace dohle::metadata
