// testdata/records_of_kafka.txt: what GroupCoordinatorRecordHelpers of 4.4.0 made of the same values.
#include "server/groups/group_records.h"

#include <gtest/gtest.h>

#include "server/groups/group_replay.h"
#include "server/groups/records_of_kafka.h"

namespace dohle::groups {
namespace {

OffsetAndMetadata sample_offset() {
  OffsetAndMetadata offset;
  offset.committed_offset = 42;
  offset.leader_epoch = 5;
  offset.metadata = "note";
  offset.commit_timestamp_ms = 1'700'000'000'000;
  offset.topic_id = codec::Uuid::reserved(200);
  return offset;
}

TEST(GroupRecords, OffsetsAreKafkasBytes) {
  const auto kafka = records_of_kafka();
  EXPECT_EQ(offset_commit_record("g", "t", 3, sample_offset()), kafka.at("offset"));
  EXPECT_EQ(offset_commit_tombstone("g", "t", 3), kafka.at("offset_tombstone"));
  auto expiring = sample_offset();
  expiring.expire_timestamp_ms = 1'700'000'001'000;
  EXPECT_EQ(offset_commit_record("g", "t", 3, expiring), kafka.at("offset_expiring"));
}

TEST(GroupRecords, GroupsAreKafkasBytes) {
  const auto kafka = records_of_kafka();
  const std::int64_t now_ms = 1'700'000'000'000;
  EXPECT_EQ(empty_group_metadata_record(ClassicGroup("g", now_ms)), kafka.at("empty_group"));
  ClassicGroup group("g", now_ms);
  ClassicGroupMember member;
  member.id = "m1";
  member.group_instance_id = "i1";
  member.client_id = "client";
  member.client_host = "/127.0.0.1";
  member.rebalance_timeout_ms = 60'000;
  member.session_timeout_ms = 45'000;
  member.protocol_type = "consumer";
  member.protocols = {{"range", {1, 2, 3}}};
  group.add(std::move(member));
  group.transition_to(ClassicGroupState::preparing_rebalance, now_ms);
  group.begin_next_generation(now_ms);
  EXPECT_EQ(group_metadata_record(group, {{"m1", {9, 8}}}), kafka.at("group"));
  std::vector<coordinator::Record> tombstones;
  group.append_tombstones(tombstones);
  EXPECT_EQ(tombstones.at(0), kafka.at("group_tombstone"));
}

TEST(GroupRecords, AreReadBack) {
  const auto kafka = records_of_kafka();
  auto expected = sample_offset();
  expected.record_offset = 17;
  EXPECT_EQ(parse_offset_commit(kafka.at("offset"), 17)->offset, expected);
  EXPECT_EQ(parse_offset_commit(kafka.at("offset_tombstone"), 17)->offset, std::nullopt);
  EXPECT_EQ(parse_offset_commit(kafka.at("offset_expiring"), 17)->offset->expire_timestamp_ms, 1'700'000'001'000);
  const auto group = parse_classic_group("g", *kafka.at("group").value);
  ASSERT_TRUE(group.has_value());
  EXPECT_TRUE((*group)->is_in(ClassicGroupState::stable));
  EXPECT_EQ((*group)->generation(), 1);
  EXPECT_EQ((*group)->leader(), "m1");
  EXPECT_EQ((*group)->find("m1")->assignment, (codec::Blob{9, 8}));
  EXPECT_EQ((*group)->find("m1")->rebalance_timeout_ms, 60'000);
  EXPECT_EQ(*(*group)->static_member_id("i1"), "m1");
  EXPECT_TRUE((*parse_classic_group("g", *kafka.at("empty_group").value))->is_empty());
}

}  // namespace
}  // namespace dohle::groups
