// What is decided before a group is looked at, and that requests find their way through the runtime.
#include "server/groups/group_coordinator.h"

#include <gtest/gtest.h>

#include <future>

#include "server/coordinator/memory_log.h"

namespace dohle::groups {
namespace {

using protocol::ErrorCode;

class GroupCoordinatorTest : public testing::Test {
 protected:
  GroupCoordinatorTest() { reactors_.start(); }
  ~GroupCoordinatorTest() override {
    coordinator_.runtime().stop();
    reactors_.stop();
    disk_pool_.stop();
  }

  void lead() {
    auto image = std::make_shared<metadata::MetadataImage>();
    auto topics = std::make_shared<metadata::TopicsImage>();
    auto topic = std::make_shared<metadata::TopicImage>();
    topic->name = offsets_topic;
    topic->id = codec::Uuid::reserved(150);
    topic->partitions[0].leader = 1;
    topic->partitions[0].leader_epoch = 1;
    topics->put(topic);
    image->topics = topics;
    image_.publish(image);
    coordinator_.runtime().image_changed(image, {});
  }
  protocol::JoinGroupResponse join(const std::string& group, std::int32_t session_timeout_ms) {
    protocol::JoinGroupRequest request;
    request.group_id = group;
    request.member_id = "m";
    request.session_timeout_ms = session_timeout_ms;
    std::promise<protocol::JoinGroupResponse> answer;
    coordinator_.join({"client", "/127.0.0.1", 5}, request,
                      [&answer](protocol::JoinGroupResponse response) { answer.set_value(std::move(response)); });
    return answer.get_future().get();
  }
  static std::int16_t code(ErrorCode error) { return static_cast<std::int16_t>(error); }

  static config::BrokerConfig config() {
    config::BrokerConfig config;
    config.node_id = 1;
    config.offsets_topic_num_partitions = 1;
    return config;
  }

  std::shared_ptr<coordinator::MemoryLog> log_ = std::make_shared<coordinator::MemoryLog>();
  runtime::Snapshot<metadata::MetadataImage> image_{std::make_shared<metadata::MetadataImage>()};
  runtime::ReactorPool reactors_{1, "test"};
  runtime::DiskPool disk_pool_{"test", {}};
  GroupCoordinator coordinator_{
      config(), reactors_, disk_pool_, [this](std::int32_t) { return log_; }, image_, runtime::system_clock()};
};

TEST_F(GroupCoordinatorTest, SessionTimeoutsHaveBoundsAndGroupsHaveNames_98) {
  EXPECT_EQ(join("", 10'000).error_code, code(ErrorCode::invalid_group_id));
  EXPECT_EQ(join("", 10'000).member_id, "m");
  EXPECT_EQ(join("g", 5'999).error_code, code(ErrorCode::invalid_session_timeout));
  EXPECT_EQ(join("g", 1'800'001).error_code, code(ErrorCode::invalid_session_timeout));
  EXPECT_EQ(join("g", 6'000).error_code, code(ErrorCode::not_coordinator));
}

TEST_F(GroupCoordinatorTest, AnOffsetGoesThroughTheLogAndBack) {
  lead();
  protocol::OffsetCommitRequest request;
  request.group_id = "g";
  auto& topic = request.topics.emplace_back();
  topic.name = "t";
  topic.partitions.emplace_back().committed_offset = 7;
  std::int16_t error = -1;
  for (int i = 0; i < 400 && error != 0; ++i) {
    std::promise<protocol::OffsetCommitResponse> answer;
    coordinator_.commit(request, 8, [&](protocol::OffsetCommitResponse response) { answer.set_value(response); });
    error = answer.get_future().get().topics.at(0).partitions.at(0).error_code;
    if (error != 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ASSERT_EQ(error, 0);
  EXPECT_GE(log_->log_end_offset(), 1);
  OffsetOperations::FetchGroup fetch;
  fetch.group_id = "g";
  fetch.topics = std::nullopt;
  std::promise<OffsetOperations::FetchedGroup> fetched;
  coordinator_.fetch(fetch, false, [&](OffsetOperations::FetchedGroup group) { fetched.set_value(group); });
  EXPECT_EQ(fetched.get_future().get().topics.at(0).partitions.at(0).committed_offset, 7);
}

}  // namespace
}  // namespace dohle::groups
