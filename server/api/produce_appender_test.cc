// The rules of appending are tested through whole requests in 00_produce_test.cc; here stands how answers are grouped.
#include "server/api/produce_appender.h"

#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;

class ProduceAppenderTest : public BrokerFixture {
 protected:
  /// The records' view points into the frame, as the dispatcher's does.
  void prepare(protocol::ProduceRequest& request) {
    frame_ = Batch{.records = 2}.bytes();
    for (auto& topic : request.topic_data) {
      for (auto& partition : topic.partition_data) partition.records = protocol::Records::of(frame_);
    }
  }
  ProduceAppender appender(protocol::ProduceRequest& request) {
    context_.emplace(RequestContext{.header = {}, .session = session_, .frame = frame_});
    context_->header.request_api_version = 9;
    return ProduceAppender(broker().services(), *context_, request);
  }

  codec::Blob frame_;
  net::Session session_;
  std::optional<RequestContext> context_;
};

TEST_F(ProduceAppenderTest, PartitionsOfATopicStayTogether) {
  create_topic("t", 2);
  auto request = produce_request("t", {}, 1);
  request.topic_data[0].partition_data.emplace_back().index = 7;
  request.topic_data.push_back(produce_request("u", {}).topic_data[0]);
  prepare(request);
  auto one = appender(request);
  one.append();
  EXPECT_TRUE(one.has_error());
  EXPECT_TRUE(one.due_flushes().empty());
  const auto response = one.answer();
  ASSERT_EQ(response.responses.size(), 2u);
  ASSERT_EQ(response.responses[0].partition_responses.size(), 2u);
  EXPECT_EQ(response.responses[0].partition_responses[0].error_code, 0);
  EXPECT_EQ(response.responses[0].partition_responses[1].index, 7);
  EXPECT_EQ(response.responses[0].partition_responses[1].error_code, code(ErrorCode::unknown_topic_or_partition));
  EXPECT_EQ(response.responses[1].name, "u");
}

TEST_F(ProduceAppenderTest, AFailedFlushTakesTheOffsetBack) {
  create_topic("t", 1, {{"flush.messages", "1"}});
  auto request = produce_request("t", {});
  prepare(request);
  auto one = appender(request);
  one.append();
  EXPECT_FALSE(one.has_error());
  const auto due = one.due_flushes();
  ASSERT_EQ(due.size(), 1u);
  one.flush_failed(*due[0], ErrorCode::kafka_storage_error);
  EXPECT_TRUE(one.has_error());
  const auto answer = one.answer().responses.at(0).partition_responses.at(0);
  EXPECT_EQ(answer.error_code, code(ErrorCode::kafka_storage_error));
  EXPECT_EQ(answer.base_offset, -1);
}

TEST_F(ProduceAppenderTest, BatchesAreStampedInTheFrame) {
  create_topic("t");
  auto request = produce_request("t", {});
  prepare(request);
  auto first = appender(request);
  first.append();
  EXPECT_EQ(protocol::RecordBatch(frame_).base_offset(), 0);
  prepare(request);
  auto second = appender(request);
  second.append();
  EXPECT_EQ(protocol::RecordBatch(frame_).base_offset(), 2);
}

TEST_F(ProduceAppenderTest, ABatchThatTakesLongIsAppendedAfterTheOthers) {
  create_topic("t", 2);
  auto request = produce_request("t", {}, 1);
  request.topic_data[0].partition_data.emplace_back().index = 0;
  const auto small = Batch{.records = 2}.bytes();
  const auto large = Batch{.value = std::string(3 << 20, 'x'), .compression = codec::Compression::zstd}.bytes();
  frame_ = large;
  frame_.insert(frame_.end(), small.begin(), small.end());
  request.topic_data[0].partition_data[0].records = protocol::Records::of(codec::Bytes(frame_).first(large.size()));
  request.topic_data[0].partition_data[1].records = protocol::Records::of(codec::Bytes(frame_).subspan(large.size()));
  auto one = appender(request);
  one.append();
  ASSERT_TRUE(one.has_put_off());
  EXPECT_EQ(broker().partition("t", 0)->log_end_offset(), 2);
  EXPECT_EQ(broker().partition("t", 1)->log_end_offset(), 0);
  one.judge_put_off();
  one.append_put_off();
  EXPECT_FALSE(one.has_put_off());
  EXPECT_FALSE(one.has_error());
  EXPECT_EQ(broker().partition("t", 1)->log_end_offset(), 1);
}

}  // namespace
}  // namespace dohle::api
