#include "server/replica/replica_set.h"

#include <algorithm>
#include <cerrno>

#include "server/replica/replica_fixture.h"

namespace dohle::replica {
namespace {

using protocol::ErrorCode;

const auto first_id = codec::Uuid::reserved(150);
const auto second_id = codec::Uuid::reserved(151);

config::BrokerConfig broker_config(const config::ConfigMap& more = {}) {
  auto properties = config::sample_properties();
  for (const auto& [key, value] : more) properties[key] = value;
  return config::load_broker_config(properties)->config;
}

class ReplicaSetTest : public ReplicaFixture {
 protected:
  std::vector<std::string> names() {
    std::vector<std::string> found;
    for (const auto* path : {"/a", "/b"}) {
      const auto entries = disk_.directory(path)->list();
      for (const auto& entry : *entries) found.push_back(entry.name);
    }
    std::ranges::sort(found);
    return found;
  }
  bool has_name(const std::function<bool(const std::string&)>& matches) {
    return std::ranges::any_of(names(), matches);
  }

  runtime::Snapshot<config::BrokerConfig> config_{std::make_shared<config::BrokerConfig>(broker_config())};
  std::unique_ptr<ReplicaSet> set_ = std::make_unique<ReplicaSet>(broker_id, *directories_, config_);
};

TEST_F(ReplicaSetTest, WhatTheImageSaysIsCreatedAndFound) {
  add_topic("t", first_id, 3);
  set_->apply(*image_, {first_id});
  EXPECT_EQ(set_->size(), 3u);
  const auto hosted = set_->find(*image_, "t", 2);
  EXPECT_EQ(hosted.error, ErrorCode::none);
  ASSERT_TRUE(hosted.partition);
  EXPECT_EQ(hosted.partition, set_->find(first_id, 2));
  EXPECT_EQ(hosted.partition->name(), "t-2");
  EXPECT_TRUE(hosted.partition->is_leader());
  EXPECT_EQ(append(*hosted.partition, batch()).base_offset, 0);
  // behaviours.md 196
  EXPECT_EQ(set_->find(*image_, "t", 3).error, ErrorCode::unknown_topic_or_partition);
  EXPECT_EQ(set_->find(*image_, "t", -1).error, ErrorCode::unknown_topic_or_partition);
  EXPECT_EQ(set_->find(*image_, "u", 0).error, ErrorCode::unknown_topic_or_partition);
  EXPECT_EQ(set_->find(first_id, -1), nullptr);
  EXPECT_EQ(set_->find(second_id, 0), nullptr);
}

TEST_F(ReplicaSetTest, WhatLiesElsewhereIsNotHere) {
  add_topic("t", first_id, 1, {2, 3});
  set_->apply(*image_, {first_id});
  EXPECT_EQ(set_->size(), 0u);
  EXPECT_EQ(set_->find(*image_, "t", 0).error, ErrorCode::not_leader_or_follower);
}

TEST_F(ReplicaSetTest, ATopicsConfigurationReachesItsLogs) {
  add_topic("t", first_id);
  set_topic_config("t", "retention.ms", "5");
  set_->apply(*image_, {first_id});
  EXPECT_EQ(set_->find(first_id, 0)->config()->retention_ms, 5);
  set_topic_config("t", "retention.ms", "6");
  set_->apply(*image_, {first_id});
  EXPECT_EQ(set_->find(first_id, 0)->config()->retention_ms, 6);
  EXPECT_EQ(set_->find(first_id, 0)->log().config().retention_ms, 6);
}

TEST_F(ReplicaSetTest, TheBrokersConfigurationReachesAllLogs) {
  add_topic("t", first_id);
  set_->apply(*image_, {first_id});
  config_.publish(std::make_shared<config::BrokerConfig>(broker_config({{"log.retention.ms", "77"}})));
  set_->reconfigure(*image_);
  EXPECT_EQ(set_->find(first_id, 0)->config()->retention_ms, 77);
}

TEST_F(ReplicaSetTest, AValueThatCannotBeReadFallsBackToTheBrokers) {
  add_topic("t", first_id);
  set_topic_config("t", "retention.ms", "soon");
  set_->apply(*image_, {first_id});
  ASSERT_TRUE(set_->find(first_id, 0));
  EXPECT_EQ(set_->find(first_id, 0)->config()->retention_ms, 604'800'000);
}

TEST_F(ReplicaSetTest, ADeletedTopicIsGoneAndItsFilesFollow) {
  add_topic("t", first_id, 2);
  set_->apply(*image_, {first_id});
  const auto held = set_->find(first_id, 0);
  append(*held, batch());
  remove_topic(first_id);
  set_->apply(*image_, {first_id});
  EXPECT_EQ(set_->size(), 0u);
  EXPECT_EQ(append(*held, batch()).error, ErrorCode::unknown_topic_or_partition);
  EXPECT_FALSE(has_name([](const auto& name) { return name == "t-0" || name == "t-1"; }));
  EXPECT_TRUE(has_name([](const auto& name) { return name.ends_with("-delete"); }));
  // The same name again shares nothing with it (behaviours.md 193).
  add_topic("t", second_id);
  set_->apply(*image_, {second_id});
  EXPECT_EQ(set_->find(*image_, "t", 0).partition->log_end_offset(), 0);
}

TEST_F(ReplicaSetTest, ATopicGrows) {
  add_topic("t", first_id, 1);
  set_->apply(*image_, {first_id});
  const auto before = set_->find(first_id, 0);
  append(*before, batch());
  add_topic("t", first_id, 3);
  set_->apply(*image_, {first_id});
  EXPECT_EQ(set_->size(), 3u);
  EXPECT_EQ(set_->find(first_id, 0), before);
}

TEST_F(ReplicaSetTest, LogsAreTakenOverAndStraysPutAside) {
  add_topic("kept", first_id);
  add_topic("gone", second_id);
  add_topic("moved", codec::Uuid::reserved(152));
  set_->apply(*image_, {first_id, second_id, codec::Uuid::reserved(152)});
  append(*set_->find(first_id, 0), batch(3));
  set_.reset();

  auto logs = open();
  remove_topic(second_id);
  remove_topic(codec::Uuid::reserved(152));
  add_topic("moved", codec::Uuid::reserved(153), 1, {2});
  add_topic("fresh", codec::Uuid::reserved(154));
  set_ = std::make_unique<ReplicaSet>(broker_id, *directories_, config_);
  set_->start(*image_, std::move(logs));
  EXPECT_EQ(set_->size(), 2u);
  EXPECT_EQ(set_->find(first_id, 0)->log_end_offset(), 3);
  EXPECT_EQ(set_->find(codec::Uuid::reserved(154), 0)->log_end_offset(), 0);
  EXPECT_TRUE(has_name([](const auto& name) { return name.starts_with("gone-0") && name.ends_with("-stray"); }));
  EXPECT_TRUE(has_name([](const auto& name) { return name.starts_with("moved-0") && name.ends_with("-stray"); }));
}

TEST_F(ReplicaSetTest, ATopicOfTheSameNameAndAnotherIdDoesNotGetTheOldLog) {
  add_topic("t", first_id);
  set_->apply(*image_, {first_id});
  append(*set_->find(first_id, 0), batch(3));
  set_.reset();
  auto logs = open();
  remove_topic(first_id);
  add_topic("t", second_id);
  set_ = std::make_unique<ReplicaSet>(broker_id, *directories_, config_);
  set_->start(*image_, std::move(logs));
  ASSERT_TRUE(set_->find(second_id, 0));
  EXPECT_EQ(set_->find(second_id, 0)->log_end_offset(), 0);
}

TEST_F(ReplicaSetTest, AFailedDiskTakesItsPartitionsAlongAndIsToldOnce) {
  add_topic("t", first_id, 4);
  set_->apply(*image_, {first_id});
  std::vector<std::string> told;
  set_->on_directory_failure([&told](log::LogDirectory& directory) { told.push_back(directory.path); });
  auto failed = set_->find(first_id, 0);
  set_->report_disk_failure(*failed, "broken");
  set_->report_disk_failure(*failed, "broken");
  EXPECT_EQ(told, (std::vector{failed->directory()->path}));
  EXPECT_FALSE(failed->directory()->online);
  int offline = 0;
  for (int i = 0; i < 4; ++i) {
    const auto partition = set_->find(first_id, i);
    const bool same = partition->directory() == failed->directory();
    offline += same ? 1 : 0;
    EXPECT_EQ(append(*partition, batch()).error, same ? ErrorCode::kafka_storage_error : ErrorCode::none);
  }
  EXPECT_EQ(offline, 2);
}

TEST_F(ReplicaSetTest, WhereALogCannotBeMadeTheBrokerDoesNotLead) {
  add_topic("t", first_id);
  disk_.fail_all(EIO, dohle::testing::DiskCall::subdirectory);
  set_->apply(*image_, {first_id});
  EXPECT_EQ(set_->find(*image_, "t", 0).error, ErrorCode::not_leader_or_follower);
  disk_.clear_failures();
  set_->apply(*image_, {first_id});
  EXPECT_EQ(set_->find(*image_, "t", 0).error, ErrorCode::none);
}

}  // namespace
}  // namespace dohle::replica
