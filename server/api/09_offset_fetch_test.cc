#include "protocol/messages/offset_fetch.h"
#include "server/api/group_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;
using protocol::OffsetFetchRequest;
using protocol::OffsetFetchResponse;

class OffsetFetch : public GroupFixture {
 protected:
  OffsetFetchResponse ask(const OffsetFetchRequest& request, std::int16_t version) {
    return call<OffsetFetchRequest, OffsetFetchResponse>(version, request);
  }
  static OffsetFetchRequest of_group(const std::string& id, const std::string& topic) {
    OffsetFetchRequest request;
    auto& group = request.groups.emplace_back();
    group.group_id = id;
    auto& asked = group.topics->emplace_back();
    asked.name = topic;
    asked.partition_indexes = {0};
    return request;
  }
};

TEST_F(OffsetFetch, WhatWasCommittedComesBack) {
  // behaviours.md 117, 123
  create_topic("t");
  start_coordinator();
  auto request = commit_request("g", "t", 5);
  request.topics[0].partitions[0].committed_leader_epoch = 3;
  request.topics[0].partitions[0].committed_metadata = "note";
  ASSERT_EQ(commit(request), 0);
  const auto group = ask(of_group("g", "t"), 8).groups.at(0);
  EXPECT_EQ(group.error_code, 0);
  const auto& partition = group.topics.at(0).partitions.at(0);
  EXPECT_EQ(partition.committed_offset, 5);
  EXPECT_EQ(partition.committed_leader_epoch, 3);
  EXPECT_EQ(partition.metadata, "note");
  EXPECT_EQ(partition.error_code, 0);
}

TEST_F(OffsetFetch, NoCommitIsNoError) {
  // behaviours.md 122
  create_topic("t");
  start_coordinator();
  const auto group = ask(of_group("absent", "t"), 9).groups.at(0);
  EXPECT_EQ(group.group_id, "absent");
  EXPECT_EQ(group.error_code, 0);
  const auto& partition = group.topics.at(0).partitions.at(0);
  EXPECT_EQ(partition.committed_offset, -1);
  EXPECT_EQ(partition.committed_leader_epoch, -1);
  EXPECT_EQ(partition.metadata, "");
  EXPECT_EQ(partition.error_code, 0);
}

TEST_F(OffsetFetch, NullTopicsAreAllOfTheGroup) {
  // behaviours.md 121
  create_topic("t");
  create_topic("u");
  start_coordinator();
  ASSERT_EQ(commit(commit_request("g", "t", 5)), 0);
  OffsetFetchRequest one;
  one.group_id = "g";
  one.topics.reset();
  const auto old = ask(one, 7);
  EXPECT_EQ(old.error_code, 0);
  ASSERT_EQ(old.topics.size(), 1u);
  EXPECT_EQ(old.topics[0].name, "t");
  EXPECT_EQ(old.topics[0].partitions.at(0).committed_offset, 5);
  OffsetFetchRequest many;
  for (const auto* id : {"g", "absent"}) {
    auto& group = many.groups.emplace_back();
    group.group_id = id;
    group.topics.reset();
  }
  const auto groups = ask(many, 8).groups;
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].topics.size(), 1u);
  EXPECT_EQ(groups[1].error_code, 0);
  EXPECT_TRUE(groups[1].topics.empty());
}

TEST_F(OffsetFetch, TopicsHaveIds) {
  // behaviours.md 124
  const auto id = create_topic("t");
  start_coordinator();
  ASSERT_EQ(commit(commit_request("g", "t", 5)), 0);
  auto request = of_group("g", "");
  request.groups[0].topics->at(0).topic_id = id;
  const auto known = ask(request, 10).groups.at(0).topics.at(0);
  EXPECT_EQ(known.topic_id, id);
  EXPECT_EQ(known.partitions.at(0).committed_offset, 5);
  request.groups[0].topics->at(0).topic_id = codec::Uuid::random();
  const auto unknown = ask(request, 10).groups.at(0).topics.at(0).partitions.at(0);
  EXPECT_EQ(unknown.error_code, code(ErrorCode::unknown_topic_id));
  EXPECT_EQ(unknown.committed_offset, -1);
}

}  // namespace
}  // namespace dohle::api
