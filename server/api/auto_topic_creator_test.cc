#include "server/api/auto_topic_creator.h"

#include <thread>

#include "server/api/broker_fixture.h"
#include "server/api/controller_home.h"

namespace dohle::api {
namespace {

class AutoTopics : public BrokerFixture {
 protected:
  const metadata::TopicImage* create(const std::string& name) {
    broker().services().auto_topics.create({name});
    settle();
    image_ = broker().services().image.current();
    return image_->topics->find(name);
  }
  /// Until the controller has done everything that was asked before.
  void settle() {
    std::promise<void> done;
    broker().services().controller.post<int>([](const auto&, const auto&) { return metadata::ControllerResult<int>{}; },
                                             [&done](const auto&) { done.set_value(); });
    done.get_future().wait();
  }
  std::string topic_config(const std::string& topic, const std::string& key) {
    const auto& set = image_->configs->configs({metadata::ConfigResourceType::topic, topic});
    const auto found = set.find(key);
    return found == set.end() ? "-" : found->second;
  }

  std::shared_ptr<const metadata::MetadataImage> image_;
};

TEST_F(AutoTopics, ATopicGetsTheBrokersDefaults) {
  configs["num.partitions"] = "4";
  const auto* topic = create("t");
  ASSERT_NE(topic, nullptr);
  EXPECT_EQ(topic->partitions.size(), 4u);
  EXPECT_EQ(topic->partition(0)->replicas.size(), 1u);
}

TEST_F(AutoTopics, InternalTopicsGetTheirOwn) {
  // DefaultAutoTopicCreationManager, GroupCoordinatorService.groupMetadataTopicConfigs, TransactionCoordinator.
  configs["offsets.topic.num.partitions"] = "5";
  configs["offsets.topic.replication.factor"] = "3";  // clipped to the one broker
  configs["transaction.state.log.num.partitions"] = "7";
  const auto* offsets = create("__consumer_offsets");
  ASSERT_NE(offsets, nullptr);
  EXPECT_EQ(offsets->partitions.size(), 5u);
  EXPECT_EQ(offsets->partition(0)->replicas.size(), 1u);
  EXPECT_EQ(topic_config("__consumer_offsets", "cleanup.policy"), "compact");
  EXPECT_EQ(topic_config("__consumer_offsets", "compression.type"), "producer");
  EXPECT_EQ(topic_config("__consumer_offsets", "segment.bytes"), "104857600");
  const auto* transactions = create("__transaction_state");
  ASSERT_NE(transactions, nullptr);
  EXPECT_EQ(transactions->partitions.size(), 7u);
  EXPECT_EQ(topic_config("__transaction_state", "compression.type"), "uncompressed");
  EXPECT_EQ(topic_config("__transaction_state", "unclean.leader.election.enable"), "false");
  EXPECT_EQ(topic_config("__transaction_state", "min.insync.replicas"), "1");
}

TEST_F(AutoTopics, WhatIsThereStays) {
  const auto id = create_topic("t", 2);
  const auto* topic = create("t");
  ASSERT_NE(topic, nullptr);
  EXPECT_EQ(topic->id, id);
  EXPECT_EQ(topic->partitions.size(), 2u);
}

TEST_F(AutoTopics, AskingAgainWhileItIsUnderWayAsksOnce) {
  const auto before = broker().services().controller.last_applied_offset();
  std::promise<void> go;
  auto gate = go.get_future().share();
  broker().services().controller.post<int>(
      [gate](const auto&, const auto&) {
        gate.wait();
        return metadata::ControllerResult<int>{};
      },
      [](const auto&) {});
  for (int i = 0; i < 3; ++i) broker().services().auto_topics.create({"t"});
  go.set_value();
  settle();
  // TopicRecord and PartitionRecord.
  EXPECT_EQ(broker().services().controller.last_applied_offset(), before + 2);
  // And when it is done, a deleted topic can be asked for again.
  EXPECT_NE(create("u"), nullptr);
}

}  // namespace
}  // namespace dohle::api
