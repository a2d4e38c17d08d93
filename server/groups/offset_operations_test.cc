// Behaviours 117 to 127 of committed offsets. Expected codes: ClassicGroup.validateOffsetCommit and
// OffsetMetadataManager of 4.4.0, and what test_groups_offsets.py saw the reference answer.
#include "server/groups/offset_operations.h"

#include <gtest/gtest.h>

#include "protocol/messages/group_metadata_key.h"
#include "server/groups/shard_harness.h"

namespace dohle::groups {
namespace {

using protocol::ErrorCode;

const codec::Uuid topic_id = codec::Uuid::reserved(200);

protocol::OffsetCommitRequest commit_request(std::int64_t offset, std::int32_t generation = -1,
                                             const std::string& member = {}) {
  protocol::OffsetCommitRequest request;
  request.group_id = "g";
  request.generation_id_or_member_epoch = generation;
  request.member_id = member;
  auto& topic = request.topics.emplace_back();
  topic.name = "t";
  topic.topic_id = topic_id;
  auto& partition = topic.partitions.emplace_back();
  partition.partition_index = 3;
  partition.committed_offset = offset;
  partition.committed_leader_epoch = 5;
  partition.committed_metadata = "note";
  return request;
}

ErrorCode commit(ShardHarness& harness, const protocol::OffsetCommitRequest& request, std::int16_t version = 8) {
  const auto answer = harness.ask<protocol::OffsetCommitResponse>(
      [&](auto reply) { return harness.shard().commit(harness.context(), request, version, std::move(reply)); });
  return static_cast<ErrorCode>(answer.value().topics.at(0).partitions.at(0).error_code);
}

protocol::OffsetFetchResponse::OffsetFetchResponsePartitions fetch(ShardHarness& harness, bool require_stable = false,
                                                                   codec::Uuid id = {}) {
  OffsetOperations::FetchGroup request;
  request.group_id = "g";
  auto& topic = request.topics->emplace_back();
  topic.name = "t";
  topic.topic_id = id;
  topic.partition_indexes = {3};
  const auto answer = harness.ask<OffsetOperations::FetchedGroup>(
      [&](auto reply) { return harness.shard().fetch(request, require_stable, std::move(reply)); });
  return answer.value().topics.at(0).partitions.at(0);
}

void commit_in_transaction(ShardHarness& harness, std::int64_t producer_id, std::int64_t offset) {
  protocol::TxnOffsetCommitRequest request;
  request.group_id = "g";
  request.producer_id = producer_id;
  auto& topic = request.topics.emplace_back();
  topic.name = "t";
  auto& partition = topic.partitions.emplace_back();
  partition.partition_index = 3;
  partition.committed_offset = offset;
  const auto answer = harness.ask<protocol::TxnOffsetCommitResponse>([&](auto reply) {
    return harness.shard().commit_in_transaction(harness.context(), request, 3, std::move(reply));
  });
  EXPECT_EQ(answer.value().topics.at(0).partitions.at(0).error_code, 0);
}

TEST(Offsets, ASimpleConsumersFirstCommitMakesItsGroup_117) {
  ShardHarness harness;
  EXPECT_EQ(commit(harness, commit_request(42)), ErrorCode::none);
  ASSERT_NE(harness.classic("g"), nullptr);
  EXPECT_TRUE(harness.classic("g")->is_empty());
  EXPECT_EQ(harness.classic("g")->protocol_type(), std::nullopt);
}

TEST(Offsets, AnAbsentGroupWithAGenerationIsIllegal_119) {
  ShardHarness harness;
  EXPECT_EQ(commit(harness, commit_request(42, 0)), ErrorCode::illegal_generation);
  EXPECT_EQ(commit(harness, commit_request(42, 0), 9), ErrorCode::group_id_not_found);
  EXPECT_EQ(harness.classic("g"), nullptr);
}

TEST(Offsets, EpochAndMetadataComeBackAlsoAfterARestart_123) {
  ShardHarness harness;
  commit(harness, commit_request(42));
  for (int round = 0; round < 2; ++round) {
    const auto fetched = fetch(harness);
    EXPECT_EQ(fetched.committed_offset, 42);
    EXPECT_EQ(fetched.committed_leader_epoch, 5);
    EXPECT_EQ(fetched.metadata, "note");
    harness.restart();
  }
}

TEST(Offsets, WithoutACommitTheAnswerIsMinusOneAndEmpty_122) {
  ShardHarness harness;
  for (const bool group_exists : {false, true}) {
    if (group_exists) {
      auto other = commit_request(1);
      other.topics[0].name = "other";
      commit(harness, other);
    }
    const auto fetched = fetch(harness);
    EXPECT_EQ(fetched.error_code, 0);
    EXPECT_EQ(fetched.committed_offset, -1);
    EXPECT_EQ(fetched.committed_leader_epoch, -1);
    EXPECT_EQ(fetched.metadata, "");
  }
}

TEST(Offsets, MetadataIsLimitedInUtf16Units_123) {
  ShardHarness harness;
  auto request = commit_request(42);
  request.topics[0].partitions[0].committed_metadata = std::string(4097, 'x');
  EXPECT_EQ(commit(harness, request), ErrorCode::offset_metadata_too_large);
  EXPECT_EQ(fetch(harness).committed_offset, -1);
  std::string astral;
  for (int i = 0; i < 2048; ++i) astral += "\xf0\x9f\x90\xa6";  // two units, four bytes each
  request.topics[0].partitions[0].committed_metadata = astral;
  EXPECT_EQ(commit(harness, request), ErrorCode::none);
  request.topics[0].partitions[0].committed_metadata = astral + "x";
  EXPECT_EQ(commit(harness, request), ErrorCode::offset_metadata_too_large);
}

TEST(Offsets, ARetentionTimeOfOldRequestsIsWrittenInVersion1AndWins_125) {
  ShardHarness harness;
  auto request = commit_request(42);
  request.retention_time_ms = 1000;
  commit(harness, request, 2);
  ASSERT_TRUE(harness.log().back().record.value.has_value());
  EXPECT_EQ(harness.log().back().record.value->at(1), 1);
  harness.advance(600'000);
  EXPECT_EQ(fetch(harness).committed_offset, -1);
  EXPECT_EQ(harness.classic("g"), nullptr) << "an empty group without offsets goes with them";
}

TEST(Offsets, OtherCommitsAreWrittenInVersion4WithTheTopicsId) {
  ShardHarness harness;
  commit(harness, commit_request(42));
  const auto& value = *harness.log().back().record.value;
  EXPECT_EQ(value.at(1), 4);
  EXPECT_NE(std::search(value.begin(), value.end(), topic_id.bytes.begin(), topic_id.bytes.end()), value.end());
}

TEST(Offsets, SimpleGroupsExpireSevenDaysAfterTheCommit_125) {
  ShardHarness harness;
  commit(harness, commit_request(42));
  const std::int64_t day_ms = 86'400'000;
  harness.advance(7 * day_ms - 1);
  EXPECT_EQ(fetch(harness).committed_offset, 42);
  harness.advance(600'000);
  EXPECT_EQ(fetch(harness).committed_offset, -1);
}

TEST(Offsets, AnOffsetOfTheFormerTopicOfThatNameIsNotGiven_124) {
  ShardHarness harness;
  commit(harness, commit_request(42));
  EXPECT_EQ(fetch(harness, false, codec::Uuid::reserved(201)).committed_offset, -1);
  EXPECT_EQ(fetch(harness, false, topic_id).committed_offset, 42);
}

TEST(Offsets, GoWithTheirTopic_126) {
  ShardHarness harness;
  commit(harness, commit_request(42));
  auto topic = std::make_shared<metadata::TopicImage>();
  topic->name = "t";
  topic->id = codec::Uuid::reserved(201);
  harness.apply(harness.shard().topics_deleted({topic}, harness.context()));
  EXPECT_EQ(fetch(harness).committed_offset, 42) << "another topic of that name";
  topic->id = topic_id;
  harness.apply(harness.shard().topics_deleted({topic}, harness.context()));
  EXPECT_EQ(fetch(harness).committed_offset, -1);
}

TEST(Offsets, TransactionalOnesCountFromTheMarkerOn) {
  ShardHarness harness;
  commit(harness, commit_request(1));
  commit_in_transaction(harness, 9, 50);
  EXPECT_EQ(fetch(harness).committed_offset, 1);
  EXPECT_EQ(fetch(harness, true).error_code, static_cast<std::int16_t>(ErrorCode::unstable_offset_commit));
  harness.restart();
  EXPECT_EQ(fetch(harness, true).error_code, static_cast<std::int16_t>(ErrorCode::unstable_offset_commit));
  harness.end_transaction(9, true);
  EXPECT_EQ(fetch(harness, true).committed_offset, 50);
  commit_in_transaction(harness, 9, 60);
  harness.end_transaction(9, false);
  EXPECT_EQ(fetch(harness, true).committed_offset, 50);
  harness.restart();
  EXPECT_EQ(fetch(harness, true).committed_offset, 50);
}

TEST(Offsets, ALaterCommitOutsideOfTheTransactionStays) {
  ShardHarness harness;
  commit_in_transaction(harness, 9, 50);
  commit(harness, commit_request(70));
  harness.end_transaction(9, true);
  EXPECT_EQ(fetch(harness).committed_offset, 70);
}

TEST(Offsets, AFailedAppendChangesNothing) {
  ShardHarness harness;
  commit(harness, commit_request(1));
  harness.fail_appends(ErrorCode::not_coordinator);
  EXPECT_EQ(commit(harness, commit_request(2)), ErrorCode::not_coordinator);
  EXPECT_EQ(fetch(harness).committed_offset, 1);
}

TEST(Offsets, OffsetDeleteAnswersEveryPartitionAndWritesTombstonesOnlyForWhatIsThere_127) {
  ShardHarness harness;
  commit(harness, commit_request(42));
  protocol::OffsetDeleteRequest request;
  request.group_id = "g";
  auto& topic = request.topics.emplace_back();
  topic.name = "t";
  topic.partitions.emplace_back().partition_index = 3;
  topic.partitions.emplace_back().partition_index = 4;
  const auto before = harness.log().size();
  const auto answer = harness.ask<protocol::OffsetDeleteResponse>(
      [&](auto reply) { return harness.shard().remove_offsets(request, std::move(reply)); });
  EXPECT_EQ(answer.value().topics.at(0).partitions.size(), 2u);
  EXPECT_EQ(answer.value().topics[0].partitions[1].error_code, 0);
  EXPECT_EQ(harness.log().size(), before + 1);
  EXPECT_EQ(fetch(harness).committed_offset, -1);
  request.group_id = "absent";
  const auto absent = harness.ask<protocol::OffsetDeleteResponse>(
      [&](auto reply) { return harness.shard().remove_offsets(request, std::move(reply)); });
  EXPECT_EQ(absent.value().error_code, static_cast<std::int16_t>(ErrorCode::group_id_not_found));
}

TEST(Offsets, DeletedGroupsTakeThemAlong_104) {
  ShardHarness harness;
  commit(harness, commit_request(42));
  const auto answer =
      harness.ask<DeletedGroups>([&](auto reply) { return harness.shard().remove({"g", "absent"}, std::move(reply)); });
  EXPECT_EQ(answer.value().at(0).error_code, 0);
  EXPECT_EQ(answer.value().at(1).error_code, static_cast<std::int16_t>(ErrorCode::group_id_not_found));
  EXPECT_EQ(harness.classic("g"), nullptr);
  harness.restart();
  EXPECT_EQ(harness.classic("g"), nullptr);
  EXPECT_EQ(fetch(harness).committed_offset, -1);
}

}  // namespace
}  // namespace dohle::groups
