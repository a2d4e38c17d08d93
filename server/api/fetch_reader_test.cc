// The rules of fetching are tested through whole requests in 01_fetch_test.cc; here stands what only the reader knows.
#include "server/api/fetch_reader.h"

#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

class FetchReaderTest : public BrokerFixture {
 protected:
  FetchReader& reader(const protocol::FetchRequest& request) {
    request_ = request;
    context_.emplace(RequestContext{.header = {}, .session = session_, .frame = {}});
    context_->header.request_api_version = 12;
    session_.listener = "PLAINTEXT";
    return reader_.emplace(broker().services(), *context_, request_);
  }

  protocol::FetchRequest request_;
  net::Session session_;
  std::optional<RequestContext> context_;
  std::optional<FetchReader> reader_;
};

TEST_F(FetchReaderTest, ReadingAgainReplacesWhatWasRead) {
  create_topic("t");
  auto request = fetch_request("t", 0);
  request.max_wait_ms = 1000;
  auto& one = reader(request);
  one.read();
  EXPECT_FALSE(one.is_complete());
  produce("t", {.records = 2});
  one.read();
  EXPECT_TRUE(one.is_complete());
  one.read();
  const auto response = one.answer();
  EXPECT_EQ(response.responses.at(0).partitions.at(0).records.size_bytes(), Batch{.records = 2}.bytes().size());
}

TEST_F(FetchReaderTest, SmallRecordsAreCopiedAndLargeOnesStayInTheFile) {
  create_topic("t", 2);
  produce("t", {}, 0);
  produce("t", {.value = std::string(10'000, 'x')}, 1);
  auto request = fetch_request("t", 0);
  request.topics[0].partitions.push_back(request.topics[0].partitions[0]);
  request.topics[0].partitions[1].partition = 1;
  auto& one = reader(request);
  one.read();
  const auto response = one.answer();
  const auto& partitions = response.responses.at(0).partitions;
  EXPECT_EQ(partitions.at(0).records.external_bytes, 0u);
  EXPECT_EQ(context_->kept.size(), 1u);
  ASSERT_EQ(context_->slices.size(), 1u);
  EXPECT_EQ(partitions.at(1).records.external_bytes, context_->slices[0].size_bytes);
}

TEST_F(FetchReaderTest, APartitionThatIsNamedTwiceCountsOnceWithTheLast) {
  create_topic("t");
  produce("t", {.records = 3});
  auto request = fetch_request("t", 99);
  request.topics.push_back(fetch_request("t", 3).topics[0]);
  auto& one = reader(request);
  one.read();
  const auto response = one.answer();
  ASSERT_EQ(response.responses.size(), 1u);
  ASSERT_EQ(response.responses[0].partitions.size(), 1u);
  EXPECT_EQ(response.responses[0].partitions[0].error_code, 0);
}

TEST_F(FetchReaderTest, UnknownTopicsAreAnsweredLast) {
  // FetchManager answers what can be read first; within it the order of the request holds (behaviours.md 66).
  create_topic("t", 2);
  auto request = fetch_request("unknown", 0);
  request.topics.push_back(fetch_request("t", 0, 1).topics[0]);
  request.topics[1].partitions.push_back(request.topics[1].partitions[0]);
  request.topics[1].partitions[1].partition = 0;
  auto& one = reader(request);
  one.read();
  const auto response = one.answer();
  ASSERT_EQ(response.responses.size(), 2u);
  EXPECT_EQ(response.responses[0].topic, "t");
  EXPECT_EQ(response.responses[0].partitions.at(0).partition_index, 1);
  EXPECT_EQ(response.responses[0].partitions.at(1).partition_index, 0);
  EXPECT_EQ(response.responses[1].topic, "unknown");
}

}  // namespace
}  // namespace dohle::api
