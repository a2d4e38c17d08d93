#include "server/api/fetch_session.h"

#include <gtest/gtest.h>

namespace dohle::api {
namespace {

using protocol::ErrorCode;

const codec::Uuid topic_a = codec::Uuid::reserved(201);
const codec::Uuid topic_b = codec::Uuid::reserved(202);

FetchPartitionRequest ask(const codec::Uuid& topic, std::int32_t partition, std::int64_t offset = 0) {
  return {.name = {topic, "", partition}, .max_bytes = 100, .fetch_offset = offset};
}

FetchPartitionAnswer say(const codec::Uuid& topic, std::int32_t partition, std::int64_t high_watermark,
                         bool has_records = false, ErrorCode error = ErrorCode::none) {
  return {.name = {topic, "", partition},
          .error = error,
          .high_watermark = high_watermark,
          .log_start_offset = 0,
          .has_records = has_records};
}

class FetchSessionTest : public testing::Test {
 protected:
  FetchContext begin(std::int32_t id, std::int32_t epoch, std::vector<FetchPartitionRequest> partitions = {},
                     std::vector<FetchPartitionName> forgotten = {}, bool uses_topic_ids = true) {
    FetchSessionRequest request;
    request.session_id = id;
    request.epoch = epoch;
    request.uses_topic_ids = uses_topic_ids;
    request.partitions = std::move(partitions);
    request.forgotten = std::move(forgotten);
    return cache_.begin(std::move(request), now_ms_);
  }

  std::int32_t open_session() {
    auto context = begin(0, 0, {ask(topic_a, 0), ask(topic_a, 1), ask(topic_b, 0)});
    return context.finish({say(topic_a, 0, 10), say(topic_a, 1, 20), say(topic_b, 0, 30)}, now_ms_).session_id;
  }

  std::vector<std::int32_t> order(const FetchContext& context) {
    std::vector<std::int32_t> result;
    for (const auto& partition : context.partitions()) {
      result.push_back(partition.name.partition + (partition.name.topic_id == topic_b ? 10 : 0));
    }
    return result;
  }

  FetchSessionCache cache_{1000};
  std::int64_t now_ms_ = 1'000;
};

// behaviours.md 67: epoch 0 and id 0 ask for a session; epoch -1 wants none.
TEST_F(FetchSessionTest, AFullFetchMakesASessionAndAFinalOneDoesNot) {
  EXPECT_GT(open_session(), 0);
  auto context = begin(0, -1, {ask(topic_a, 0)});
  const auto outcome = context.finish({say(topic_a, 0, 10)}, now_ms_);
  EXPECT_EQ(outcome.session_id, 0);
  EXPECT_EQ(outcome.included, std::vector<bool>{true});
  EXPECT_EQ(cache_.size(), 1U);
}

// behaviours.md 68: session errors are the whole answer.
TEST_F(FetchSessionTest, AnUnknownIdAndAWrongEpochAreErrors) {
  const auto id = open_session();
  EXPECT_EQ(begin(id, 7).error(), ErrorCode::invalid_fetch_session_epoch);
  EXPECT_EQ(begin(id + 1, 1).error(), ErrorCode::fetch_session_id_not_found);
  EXPECT_EQ(begin(-5, 1).error(), ErrorCode::fetch_session_id_not_found);
  EXPECT_EQ(begin(id, 1, {}, {}, false).error(), ErrorCode::fetch_session_topic_id_error);
}

// behaviours.md 70: what did not change is left out.
TEST_F(FetchSessionTest, AnIncrementalAnswerHoldsOnlyWhatChanged) {
  const auto id = open_session();
  auto context = begin(id, 1);
  ASSERT_EQ(context.error(), ErrorCode::none);
  EXPECT_EQ(order(context), (std::vector<std::int32_t>{0, 1, 10}));
  const auto outcome = context.finish({say(topic_a, 0, 10), say(topic_a, 1, 21), say(topic_b, 0, 30, true)}, now_ms_);
  EXPECT_EQ(outcome.session_id, id);
  EXPECT_EQ(outcome.included, (std::vector<bool>{false, true, true}));
}

// behaviours.md 72: partitions that had data move to the back.
TEST_F(FetchSessionTest, PartitionsWithRecordsMoveToTheBack) {
  const auto id = open_session();
  begin(id, 1).finish({say(topic_a, 0, 11, true), say(topic_a, 1, 20), say(topic_b, 0, 30)}, now_ms_);
  EXPECT_EQ(order(begin(id, 2)), (std::vector<std::int32_t>{1, 10, 0}));
}

// behaviours.md 71: after an error the partition is sent again once it is healthy.
TEST_F(FetchSessionTest, APartitionIsSentAgainAfterAnError) {
  const auto id = open_session();
  const auto failing = begin(id, 1).finish(
      {say(topic_a, 0, -1, false, ErrorCode::not_leader_or_follower), say(topic_a, 1, 20), say(topic_b, 0, 30)},
      now_ms_);
  EXPECT_EQ(failing.included, (std::vector<bool>{true, false, false}));
  const auto healthy = begin(id, 2).finish({say(topic_a, 0, 10), say(topic_a, 1, 20), say(topic_b, 0, 30)}, now_ms_);
  EXPECT_EQ(healthy.included, (std::vector<bool>{true, false, false}));
}

// behaviours.md 69: forgotten partitions are dropped at once.
TEST_F(FetchSessionTest, ForgottenPartitionsAreGoneAndNewOnesAreAdded) {
  const auto id = open_session();
  EXPECT_EQ(order(begin(id, 1, {ask(topic_b, 1)}, {{topic_a, "", 0}})), (std::vector<std::int32_t>{1, 10, 11}));
  auto emptied = begin(id, 2, {}, {{topic_a, "", 1}, {topic_b, "", 0}, {topic_b, "", 1}});
  EXPECT_EQ(emptied.error(), ErrorCode::none);
  EXPECT_TRUE(emptied.partitions().empty());
  EXPECT_EQ(emptied.finish({}, now_ms_).session_id, 0);
  EXPECT_EQ(cache_.size(), 0U);
}

TEST_F(FetchSessionTest, ARepeatedRequestGetsAnEpochError) {
  const auto id = open_session();
  auto first = begin(id, 1);
  begin(id, 2);
  EXPECT_EQ(first.finish({}, now_ms_).error, ErrorCode::invalid_fetch_session_epoch);
}

// behaviours.md 73: idle sessions are evicted after two minutes, live ones are not.
TEST(FetchSessionCacheTest, AStaleSessionMakesRoomAndAFreshOneDoesNot) {
  FetchSessionCache cache(8);  // one slot for each shard
  const auto open = [&cache](std::int64_t now_ms) {
    FetchSessionRequest request;
    request.epoch = 0;
    request.uses_topic_ids = true;
    request.partitions = {ask(topic_a, 0)};
    return cache.begin(std::move(request), now_ms).finish({say(topic_a, 0, 1)}, now_ms).session_id;
  };
  for (int i = 0; i < 8; ++i) EXPECT_GT(open(0), 0);
  EXPECT_EQ(open(60'000), 0);
  EXPECT_GT(open(120'001), 0);
  EXPECT_EQ(cache.size(), 8U);
}

// Version 12 and below know partitions by name.
TEST_F(FetchSessionTest, NamesAndIdsAreDifferentKinds) {
  EXPECT_EQ((FetchPartitionName{topic_a, "", 0}), (FetchPartitionName{topic_a, "resolved", 0}));
  EXPECT_FALSE((FetchPartitionName{{}, "x", 0}) == (FetchPartitionName{{}, "y", 0}));
}

}  // namespace
}  // namespace dohle::api
