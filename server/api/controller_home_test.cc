#include "server/api/controller_home.h"

#include <gtest/gtest.h>

#include <future>

#include "server/api/config_schema.h"
#include "server/metadata/meta_properties.h"
#include "server/metadata/storage_format.h"
#include "server/testing/fake_clock.h"
#include "server/testing/fake_disk.h"

namespace dohle::api {
namespace {

using metadata::MetadataRecord;

class ControllerHomeTest : public ::testing::Test {
 protected:
  ControllerHomeTest() {
    auto directory = disk_.directory();
    metadata::FormatOptions format;
    format.cluster_id = "MkU3OEVBNTcwNTJENDM2Qk";
    format.controller_endpoint = {"CONTROLLER", "localhost", 9093, 0};
    EXPECT_TRUE(metadata::format_directory(*directory, true, format, 0));
    metadata::QuorumNodeOptions options;
    options.cluster_id = format.cluster_id;
    options.directory_id = metadata::read_meta_properties(*directory)->value().directory_id.value();
    options.controller_endpoints = {format.controller_endpoint};
    auto node = metadata::QuorumNode::open(directory, options, clock_);
    EXPECT_TRUE(node && (*node)->activate());
    home_ =
        std::make_unique<ControllerHome>(std::move(*node), metadata::Controller({}, schema_), image_,
                                         [this](const metadata::ImagePointer& image, const MetadataChanges& changes) {
                                           // The image is there before anybody is told.
                                           EXPECT_EQ(image_.current()->topics->size(), image->topics->size());
                                           told_.push_back(changes);
                                         });
  }

  using Result = metadata::ControllerResult<int>;
  static Result with_records(std::vector<MetadataRecord> records) {
    return {.error = {}, .records = records, .response = 1};
  }

  /// Runs on the home thread and waits.
  Result post(std::function<Result()> operation) {
    std::promise<Result> done;
    home_->post<int>([&operation](const auto&, const auto&) { return operation(); },
                     [&done](const Result& result) { done.set_value(result); });
    return done.get_future().get();
  }

  static MetadataRecord topic_record(const std::string& name, std::uint8_t number) {
    protocol::TopicRecord topic;
    topic.name = name;
    topic.topic_id = codec::Uuid::reserved(number);
    return {topic, 0};
  }
  static MetadataRecord config_record(metadata::ConfigResourceType type, const std::string& name) {
    protocol::ConfigRecord record;
    record.resource_type = static_cast<std::int8_t>(type);
    record.resource_name = name;
    record.name = "retention.ms";
    record.value = "5";
    return {record, 0};
  }

  dohle::testing::FakeDisk disk_;
  dohle::testing::FakeClock clock_;
  runtime::Snapshot<config::BrokerConfig> config_{std::make_shared<config::BrokerConfig>()};
  runtime::Snapshot<metadata::MetadataImage> image_{std::make_shared<metadata::MetadataImage>()};
  TableConfigSchema schema_{config_};
  std::vector<MetadataChanges> told_;
  std::unique_ptr<ControllerHome> home_;
};

TEST_F(ControllerHomeTest, TheImageOfTheStartIsPublished) {
  EXPECT_TRUE(image_.current()->features->metadata_version.has_value());
  EXPECT_EQ(home_->leader_epoch(), 1);
  EXPECT_EQ(home_->kraft_version(), 1);
  EXPECT_FALSE(home_->voter_directory_id().is_zero());
  EXPECT_TRUE(told_.empty());
}

TEST_F(ControllerHomeTest, ACommitIsOnTheDiskAndPublishedBeforeTheAnswer) {
  home_->start();
  const auto before = home_->last_applied_offset();
  const auto syncs = disk_.calls(dohle::testing::DiskCall::sync);
  EXPECT_EQ(post([] { return with_records({topic_record("t", 150)}); }).response, 1);
  EXPECT_NE(image_.current()->topics->find("t"), nullptr);
  EXPECT_GT(disk_.calls(dohle::testing::DiskCall::sync), syncs);
  EXPECT_EQ(home_->last_applied_offset(), before + 1);
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_EQ(told_[0].topics, std::vector{codec::Uuid::reserved(150)});
}

TEST_F(ControllerHomeTest, WhatFailsOrChangesNothingIsNotTold) {
  home_->start();
  const auto before = home_->last_applied_offset();
  post([] {
    auto result = with_records({topic_record("t", 150)});
    result.error.code = protocol::ErrorCode::invalid_request;
    return result;
  });
  post([] { return with_records({}); });
  EXPECT_EQ(home_->last_applied_offset(), before);
  EXPECT_TRUE(told_.empty());
}

TEST_F(ControllerHomeTest, ChangesSayWhatTheyTouch) {
  home_->commit({topic_record("t", 150)});
  home_->commit({config_record(metadata::ConfigResourceType::topic, "t"),
                 config_record(metadata::ConfigResourceType::topic, "unknown")});
  home_->commit({config_record(metadata::ConfigResourceType::broker, "")});
  home_->commit({config_record(metadata::ConfigResourceType::group, "g")});
  protocol::RemoveTopicRecord removal;
  removal.topic_id = codec::Uuid::reserved(150);
  home_->commit({{removal, 0}});
  ASSERT_EQ(told_.size(), 5u);
  EXPECT_EQ(told_[1].topics, std::vector{codec::Uuid::reserved(150)});
  EXPECT_FALSE(told_[1].broker_configs);
  EXPECT_TRUE(told_[2].broker_configs);
  EXPECT_TRUE(told_[2].topics.empty());
  EXPECT_EQ(told_[3].groups, std::vector<std::string>{"g"});
  EXPECT_EQ(told_[4].topics, std::vector{codec::Uuid::reserved(150)});
}

TEST_F(ControllerHomeTest, AStopFinishesWhatWasAskedFor) {
  home_->start();
  std::vector<int> order;
  for (int i = 0; i < 10; ++i) {
    home_->post<int>(
        [i](const auto&, const auto&) {
          return with_records({topic_record("t" + std::to_string(i), static_cast<std::uint8_t>(150 + i))});
        },
        [&order, i](const Result&) { order.push_back(i); });
  }
  home_->stop();
  EXPECT_EQ(order, (std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(image_.current()->topics->size(), 10u);
  home_->stop();
}

using ControllerHomeDeathTest = ControllerHomeTest;

TEST_F(ControllerHomeDeathTest, WithoutItsDiskTheProcessEnds) {
  EXPECT_EXIT(
      {
        disk_.fail_all(EIO);
        home_->commit({topic_record("t", 150)});
      },
      ::testing::ExitedWithCode(1), "");
}

}  // namespace
}  // namespace dohle::api
