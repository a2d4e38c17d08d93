#include "server/api/dispatcher.h"

#include "protocol/messages/api_versions.h"
#include "protocol/messages/list_offsets.h"
#include "protocol/messages/metadata.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using Action = net::Response::Action;

class DispatcherTest : public BrokerFixture {
 protected:
  Action action_of(codec::Blob frame, bool on_controller = false) {
    return answer_to(std::move(frame), on_controller).action;
  }
  static codec::Blob with_key(std::int16_t key, std::int16_t version) {
    auto frame = frame_of(0, protocol::MetadataRequest{});
    frame[0] = static_cast<std::uint8_t>(key >> 8);
    frame[1] = static_cast<std::uint8_t>(key);
    frame[2] = static_cast<std::uint8_t>(version >> 8);
    frame[3] = static_cast<std::uint8_t>(version);
    return frame;
  }
};

TEST_F(DispatcherTest, WhatIsNoRequestClosesTheConnection) {
  // behaviours.md 4
  EXPECT_EQ(action_of({}), Action::close);
  EXPECT_EQ(action_of({0, 3, 0}), Action::close);
  EXPECT_EQ(action_of({0, 3, 0, 1}), Action::close);
  EXPECT_EQ(action_of(with_key(3, 14)), Action::close);
  EXPECT_EQ(action_of(with_key(3, -1)), Action::close);
  EXPECT_EQ(action_of(with_key(4, 0)), Action::close);  // LeaderAndIsr is gone since 4.0
  EXPECT_EQ(action_of(with_key(999, 0)), Action::close);
  EXPECT_EQ(action_of(with_key(-1, 0)), Action::close);
  EXPECT_EQ(action_of(with_key(3, 0)), Action::send);
}

TEST_F(DispatcherTest, ABodyThatIsCutClosesTheConnection) {
  protocol::MetadataRequest request;
  request.topics.emplace().emplace_back().name = "t";
  for (const std::int16_t version : {1, 13}) {
    const auto whole = frame_of(version, request);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_EQ(action_of({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}), Action::close) << size;
    }
    // Bytes behind the last field are ignored (compat-tests/FINDINGS.md).
    auto longer = whole;
    longer.push_back(17);
    EXPECT_EQ(action_of(longer), Action::send);
  }
}

TEST_F(DispatcherTest, AListenerAnswersItsOwn) {
  const auto frame = frame_of(1, protocol::MetadataRequest{});
  EXPECT_EQ(action_of(frame), Action::send);
  EXPECT_EQ(action_of(frame, true), Action::close);
}

TEST_F(DispatcherTest, TheHeaderOfAnAnswerGoesWithItsVersion) {
  const auto old = answer_to(frame_of(8, protocol::MetadataRequest{})).bytes;
  ASSERT_GT(old.size(), 8u);
  EXPECT_EQ(old[3], TestBroker::correlation_id);
  EXPECT_EQ(old[4], 0);  // throttle_time_ms
  // v9 has a flexible header: one byte for its tags stands between.
  const auto flexible = answer_to(frame_of(9, protocol::MetadataRequest{})).bytes;
  codec::Reader reader(flexible);
  EXPECT_EQ(reader.i32(), TestBroker::correlation_id);
  EXPECT_EQ(reader.i8(), 0);
  protocol::MetadataResponse response;
  decode(reader, 9, response);
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(reader.remaining(), 0u);
  // ApiVersions never has one (behaviours.md 2).
  protocol::ApiVersionsRequest versions;
  versions.client_software_name = "a";
  versions.client_software_version = "1";
  const auto plain = answer_to(frame_of(3, versions)).bytes;
  codec::Reader plain_reader(plain);
  plain_reader.i32();
  protocol::ApiVersionsResponse plain_response;
  decode(plain_reader, 3, plain_response);
  EXPECT_TRUE(plain_reader.ok());
  EXPECT_EQ(plain_reader.remaining(), 0u);
}

TEST_F(DispatcherTest, UnknownTagsAreSkipped) {
  // behaviours.md 11
  auto frame = frame_of(9, protocol::MetadataRequest{});
  ASSERT_EQ(frame.back(), 0);
  frame.pop_back();
  for (const std::uint8_t byte : {1, 77, 2, 1, 2}) frame.push_back(byte);  // one tag, number 77, two bytes
  EXPECT_EQ(action_of(frame), Action::send);
}

TEST_F(DispatcherTest, RecordsFromFilesStandBetweenTheFields) {
  create_topic("t", 2);
  const Batch large{.value = std::string(50'000, 'x')};
  produce("t", large, 0);
  produce("t", large, 1);
  auto request = fetch_request("t", 0);
  request.topics[0].partitions.push_back(request.topics[0].partitions[0]);
  request.topics[0].partitions[1].partition = 1;
  const auto partitions = fetch_all(request).responses.at(0).partitions;
  ASSERT_EQ(partitions.size(), 2u);
  for (const auto& partition : partitions) {
    ASSERT_EQ(partition.records.bytes.size(), large.bytes().size());
    EXPECT_TRUE(protocol::RecordBatch(partition.records.bytes).crc_is_valid());
  }
}

}  // namespace
}  // namespace dohle::api
