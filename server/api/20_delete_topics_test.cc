#include "protocol/messages/delete_topics.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using protocol::DeleteTopicsRequest;
using protocol::DeleteTopicsResponse;
using protocol::ErrorCode;

class DeleteTopics : public BrokerFixture {
 protected:
  DeleteTopicsResponse ask(const DeleteTopicsRequest& request, std::int16_t version = 6) {
    return call<DeleteTopicsRequest, DeleteTopicsResponse>(version, request);
  }
  static DeleteTopicsRequest by_name(const std::string& name) {
    DeleteTopicsRequest request;
    request.timeout_ms = 1000;
    request.topics.emplace_back().name = name;
    return request;
  }
};

TEST_F(DeleteTopics, WhatIsDeletedIsGoneWithTheAnswer) {
  // behaviours.md 157, 193
  create_topic("t");
  produce("t", {.records = 5});
  EXPECT_EQ(ask(by_name("t")).responses.at(0).error_code, 0);
  EXPECT_EQ(produce("t", {}).error_code, code(ErrorCode::unknown_topic_or_partition));
  create_topic("t");
  EXPECT_EQ(produce("t", {}).base_offset, 0);
}

TEST_F(DeleteTopics, ByIdAndByNameButNotBoth) {
  // behaviours.md 157
  const auto id = create_topic("t");
  auto both = by_name("t");
  both.topics[0].topic_id = id;
  EXPECT_EQ(ask(both).responses.at(0).error_code, code(ErrorCode::invalid_request));
  DeleteTopicsRequest request;
  request.timeout_ms = 1000;
  auto& topic = request.topics.emplace_back();
  topic.name.reset();
  topic.topic_id = id;
  const auto deleted = ask(request).responses.at(0);
  EXPECT_EQ(deleted.error_code, 0);
  EXPECT_EQ(deleted.name, "t");
  EXPECT_EQ(ask(request).responses.at(0).error_code, code(ErrorCode::unknown_topic_id));
  EXPECT_EQ(ask(by_name("t")).responses.at(0).error_code, code(ErrorCode::unknown_topic_or_partition));
}

TEST_F(DeleteTopics, OldVersionsNameThem) {
  create_topic("t");
  DeleteTopicsRequest request;
  request.timeout_ms = 1000;
  request.topic_names = {"t", "u"};
  const auto responses = ask(request, 1).responses;
  ASSERT_EQ(responses.size(), 2u);
  for (const auto& one : responses) {
    EXPECT_EQ(one.error_code, one.name == "t" ? 0 : code(ErrorCode::unknown_topic_or_partition));
  }
}

TEST_F(DeleteTopics, TheBrokerMayForbidIt) {
  configs["delete.topic.enable"] = "false";
  create_topic("t");
  EXPECT_EQ(ask(by_name("t")).responses.at(0).error_code, code(ErrorCode::topic_deletion_disabled));
  DeleteTopicsRequest old;
  old.topic_names = {"t"};
  EXPECT_EQ(ask(old, 2).responses.at(0).error_code, code(ErrorCode::invalid_request));
  EXPECT_EQ(produce("t", {}).error_code, 0);
}

TEST_F(DeleteTopics, ARequestWithoutTimeIsNotBegun) {
  create_topic("t");
  DeleteTopicsRequest request;
  request.topic_names = {"t"};
  const auto response = call<DeleteTopicsRequest, protocol::DeleteTopicsResponse>(4, request);
  EXPECT_EQ(response.responses.at(0).error_code, code(ErrorCode::request_timed_out));
  EXPECT_NE(broker().services().image.current()->topics->find("t"), nullptr);
}

}  // namespace
}  // namespace dohle::api
