#include "server/metadata/broker_lifecycle.h"

#include <gtest/gtest.h>

#include "server/metadata/meta_properties.h"
#include "server/metadata/sample_test_support.h"

namespace dohle::metadata {
namespace {

BrokerRegistrationRequest request_of(runtime::Directory& directory, std::int64_t previous_epoch) {
  BrokerRegistrationRequest request;
  request.broker_id = 1;
  request.cluster_id = "MkU3OEVBNTcwNTJENDM2Qk";
  request.incarnation_id = codec::Uuid::random();
  request.endpoints = {{"PLAINTEXT", "127.0.0.1", 25192, 0}};
  request.features = supported_features();
  request.log_directories = {*(*read_meta_properties(directory))->directory_id};
  request.previous_broker_epoch = previous_epoch;
  return request;
}

struct Node {
  testing::FakeClock clock;
  testing::FakeDisk disk;
  Controller controller{{}, sample_schema};
  std::unique_ptr<QuorumNode> node;

  explicit Node(const std::string& sample) {
    copy_sample(sample, *disk.directory());
    const auto id = *(*read_meta_properties(*disk.directory()))->directory_id;
    node = std::move(*QuorumNode::open(disk.directory(), sample_options(id), clock));
    EXPECT_TRUE(node->activate().has_value());
  }
  const PartitionRegistration& partition() { return *node->image()->topics->find("plain")->partition(0); }
};

// As killed-dynamic's log goes on after stopped-dynamic's: registered, unfenced, elected from the ELR.
TEST(BrokerLifecycle, AfterACleanStopTheEligibleReplicaLeads) {
  Node it("stopped-dynamic");
  BrokerLifecycle lifecycle(*it.node, it.controller);
  const auto epoch = lifecycle.register_broker(request_of(*it.disk.directory(), 14));
  ASSERT_TRUE(epoch.has_value()) << epoch.error().message;
  EXPECT_EQ(*epoch, 87);
  EXPECT_TRUE(it.node->image()->cluster->broker(1)->fenced);
  EXPECT_EQ(it.partition().leader, no_leader);
  ASSERT_TRUE(lifecycle.unfence().has_value());
  EXPECT_EQ(it.partition().leader, 1);
  EXPECT_EQ(it.partition().isr, std::vector<std::int32_t>{1});
  EXPECT_TRUE(it.partition().elr.empty());
  EXPECT_TRUE(it.partition().last_known_elr.empty());
  EXPECT_EQ(it.partition().leader_epoch, 2);
  EXPECT_EQ(it.partition().leader_recovery_state, LeaderRecoveryState::recovered);
}

TEST(BrokerLifecycle, AfterAKillTheLastKnownLeaderLeadsAndRecovers) {
  Node it("killed-dynamic");
  BrokerLifecycle lifecycle(*it.node, it.controller);
  ASSERT_TRUE(lifecycle.register_broker(request_of(*it.disk.directory(), -1)).has_value());
  EXPECT_EQ(it.partition().leader, no_leader);
  EXPECT_TRUE(it.partition().isr.empty());
  EXPECT_TRUE(it.partition().elr.empty());
  EXPECT_EQ(it.partition().last_known_elr, std::vector<std::int32_t>{1});
  ASSERT_TRUE(lifecycle.unfence().has_value());
  EXPECT_EQ(it.partition().leader, 1);
  EXPECT_EQ(it.partition().isr, std::vector<std::int32_t>{1});
  EXPECT_EQ(it.partition().leader_recovery_state, LeaderRecoveryState::recovering);
}

TEST(BrokerLifecycle, ACleanStopLeavesWhatKafkasLeaves) {
  Node it("killed-dynamic");
  BrokerLifecycle lifecycle(*it.node, it.controller);
  ASSERT_TRUE(lifecycle.register_broker(request_of(*it.disk.directory(), -1)).has_value());
  ASSERT_TRUE(lifecycle.unfence().has_value());
  ASSERT_TRUE(lifecycle.stop().has_value());
  EXPECT_EQ(it.partition().leader, no_leader);
  EXPECT_TRUE(it.partition().isr.empty());
  EXPECT_EQ(it.partition().elr, std::vector<std::int32_t>{1});
  EXPECT_EQ(it.partition().last_known_elr, std::vector<std::int32_t>{1});
  const BrokerRegistration& broker = *it.node->image()->cluster->broker(1);
  EXPECT_TRUE(broker.fenced);
  EXPECT_TRUE(broker.in_controlled_shutdown);
}

TEST(BrokerLifecycle, ARegistrationThatDoesNotFitIsOneLine) {
  Node it("stopped-dynamic");
  BrokerLifecycle lifecycle(*it.node, it.controller);
  auto request = request_of(*it.disk.directory(), 14);
  request.cluster_id = "other";
  EXPECT_EQ(lifecycle.register_broker(request).error().message,
            "Expected cluster ID MkU3OEVBNTcwNTJENDM2Qk, but got cluster ID other");
  request = request_of(*it.disk.directory(), 14);
  request.features.erase("share.version");
  EXPECT_EQ(
      lifecycle.register_broker(request).error().message,
      "Unable to register because the broker does not support finalized version 2 of share.version. The broker wants "
      "a version between 0 and 0, inclusive.");
  request = request_of(*it.disk.directory(), 14);
  request.log_directories.clear();
  EXPECT_EQ(lifecycle.register_broker(request).error().message, "No directories specified in request");
}

}  // namespace
}  // namespace dohle::metadata
