#include <thread>

#include "server/api/broker_fixture.h"
#include "server/api/fetch_session.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;
using protocol::FetchRequest;
using protocol::FetchResponse;
using protocol::RecordBatch;

class Fetch : public BrokerFixture {
 protected:
  /// Sends a fetch that would wait for long, and sees to it that it does.
  void park(FetchRequest request, std::int16_t version = 12) {
    request.max_wait_ms = 20'000;
    parked_version_ = version;
    parked_ = broker().send(frame_of(version, request));
    EXPECT_EQ(parked_.wait_for(std::chrono::milliseconds(30)), std::future_status::timeout);
  }
  FetchResponse parked() { return read<FetchRequest, FetchResponse>(parked_version_, wait_for(parked_)); }

  static std::int64_t now_ms() { return runtime::system_clock().monotonic_ms(); }

  std::future<Answer> parked_;
  std::int16_t parked_version_ = 12;
};

TEST_F(Fetch, AnEmptyAnswerHasAllItsOffsets) {
  // behaviours.md 57, 76
  create_topic("t");
  const auto fetched = fetch(fetch_request("t", 0));
  EXPECT_EQ(fetched.error_code, 0);
  EXPECT_EQ(fetched.high_watermark, 0);
  EXPECT_EQ(fetched.last_stable_offset, 0);
  EXPECT_EQ(fetched.log_start_offset, 0);
  EXPECT_EQ(fetched.preferred_read_replica, -1);  // behaviours.md 75
  EXPECT_FALSE(fetched.aborted_transactions.has_value());
  EXPECT_FALSE(fetched.records.is_null);
  EXPECT_TRUE(fetched.records.bytes.empty());
}

TEST_F(Fetch, BatchesComeWholeFromTheOneWithTheOffset) {
  // behaviours.md 56
  create_topic("t");
  produce("t", {.records = 3});
  produce("t", {.records = 3});
  const auto fetched = fetch(fetch_request("t", 4));
  ASSERT_GE(fetched.records.bytes.size(), protocol::record_batch_overhead);
  EXPECT_EQ(RecordBatch(fetched.records.bytes).base_offset(), 3);
  EXPECT_EQ(fetched.records.bytes.size(), Batch{.records = 3}.bytes().size());
}

TEST_F(Fetch, LargeAnswersComeFromTheFile) {
  create_topic("t");
  const Batch batch{.value = std::string(100'000, 'x')};
  produce("t", batch);
  const auto fetched = fetch(fetch_request("t", 0));
  ASSERT_EQ(fetched.records.bytes.size(), batch.bytes().size());
  EXPECT_TRUE(RecordBatch(fetched.records.bytes).crc_is_valid());
}

TEST_F(Fetch, ItWaitsForMinBytesAndIsWokenByThem) {
  // behaviours.md 53
  create_topic("t");
  auto request = fetch_request("t", 0);
  request.min_bytes = static_cast<std::int32_t>(Batch{}.bytes().size()) + 1;
  park(request);
  produce("t", {});
  EXPECT_EQ(parked_.wait_for(std::chrono::milliseconds(30)), std::future_status::timeout);
  produce("t", {});
  EXPECT_EQ(parked().responses.at(0).partitions.at(0).records.bytes.size(), 2 * Batch{}.bytes().size());
}

TEST_F(Fetch, ItWaitsNoLongerThanMaxWait) {
  create_topic("t");
  produce("t", {});
  auto request = fetch_request("t", 0);
  request.min_bytes = 1 << 20;
  request.max_wait_ms = 150;
  const auto began_ms = now_ms();
  // What there is comes after all.
  EXPECT_EQ(fetch(request).records.bytes.size(), Batch{}.bytes().size());
  EXPECT_GE(now_ms() - began_ms, 149);
}

TEST_F(Fetch, ItDoesNotWaitForNothing) {
  create_topic("t");
  auto request = fetch_request("t", 0);
  request.max_wait_ms = 20'000;
  request.min_bytes = 0;
  EXPECT_EQ(fetch(request).error_code, 0);
  // Nor with an error in it (behaviours.md 65).
  request.min_bytes = 1;
  request.topics[0].partitions[0].fetch_offset = 1;
  EXPECT_EQ(fetch(request).error_code, code(ErrorCode::offset_out_of_range));
  // Nor where nothing can come.
  request = fetch_request("unknown", 0);
  request.max_wait_ms = 20'000;
  EXPECT_EQ(fetch(request).error_code, code(ErrorCode::unknown_topic_or_partition));
}

TEST_F(Fetch, AClosingConnectionEndsTheWait) {
  create_topic("t");
  park(fetch_request("t", 0));
  broker().close_connection();
  EXPECT_EQ(parked().responses.at(0).partitions.at(0).error_code, 0);
}

TEST_F(Fetch, ADeletedTopicEndsTheWait) {
  create_topic("t");
  park(fetch_request("t", 0));
  broker().partition("t", 0)->mark_deleted();
  EXPECT_EQ(parked().responses.at(0).partitions.at(0).error_code, code(ErrorCode::unknown_topic_or_partition));
}

TEST_F(Fetch, ABrokenDiskEndsTheWait) {
  create_topic("t");
  park(fetch_request("t", 0));
  broker().partition("t", 0)->mark_offline();
  EXPECT_EQ(parked().responses.at(0).partitions.at(0).error_code, code(ErrorCode::kafka_storage_error));
}

TEST_F(Fetch, AnotherLeaderEndsTheWait) {
  create_topic("t");
  park(fetch_request("t", 0));
  ASSERT_TRUE(broker().partition("t", 0)->apply(
      {.leader = 2, .leader_epoch = 5, .partition_epoch = 5, .replicas = {1, 2}, .isr = {1, 2}}));
  EXPECT_EQ(parked().responses.at(0).partitions.at(0).error_code, code(ErrorCode::not_leader_or_follower));
}

TEST_F(Fetch, WhatIsNotSyncedWakesNobodyUntilItIs) {
  create_topic("t");
  auto config = std::make_shared<config::LogConfig>();
  config->flush_messages = 1;
  const auto partition = broker().partition("t", 0);
  partition->set_config(config);
  park(fetch_request("t", 0));
  auto bytes = Batch{}.bytes();
  EXPECT_TRUE(partition->append({.batches = bytes}, -1).flush_due);
  EXPECT_EQ(parked_.wait_for(std::chrono::milliseconds(30)), std::future_status::timeout);
  EXPECT_EQ(partition->flush(), ErrorCode::none);
  EXPECT_EQ(parked().responses.at(0).partitions.at(0).high_watermark, 1);
}

TEST_F(Fetch, OffsetsOutsideAreOutOfRange) {
  // behaviours.md 63, 64
  create_topic("t");
  produce("t", {.records = 3});
  EXPECT_EQ(fetch(fetch_request("t", 3)).error_code, 0);
  const auto beyond = fetch(fetch_request("t", 4));
  EXPECT_EQ(beyond.error_code, code(ErrorCode::offset_out_of_range));
  EXPECT_EQ(beyond.high_watermark, -1);
  broker().partition("t", 0)->delete_records_before(2);
  EXPECT_EQ(fetch(fetch_request("t", 1)).error_code, code(ErrorCode::offset_out_of_range));
  EXPECT_EQ(fetch(fetch_request("t", 2)).log_start_offset, 2);
  EXPECT_EQ(fetch(fetch_request("t", -1)).error_code, code(ErrorCode::offset_out_of_range));
}

TEST_F(Fetch, OnlyTheFirstPartitionMayExceedTheLimits) {
  // behaviours.md 55
  create_topic("t", 3);
  for (int i = 1; i < 3; ++i) produce("t", {.value = std::string(1000, 'x')}, i);
  auto request = fetch_request("t", 0);
  request.max_bytes = 10;
  for (int i = 1; i < 3; ++i) {
    auto& partition = request.topics[0].partitions.emplace_back();
    partition.partition = i;
    partition.partition_max_bytes = 10;
  }
  const auto partitions = fetch_all(request).responses.at(0).partitions;
  ASSERT_EQ(partitions.size(), 3u);
  EXPECT_EQ(partitions[0].records.bytes.size(), 0u);
  EXPECT_GT(partitions[1].records.bytes.size(), 1000u);
  EXPECT_EQ(partitions[2].records.bytes.size(), 0u);
}

TEST_F(Fetch, LimitsThatAreNoneAreNotAnEnd) {
  create_topic("t");
  produce("t", {});
  auto request = fetch_request("t", 0);
  for (const std::int32_t limit : {0, -1, std::numeric_limits<std::int32_t>::min()}) {
    request.max_bytes = limit;
    EXPECT_EQ(fetch_all(request).error_code, 0) << limit;
    request.topics[0].partitions[0].partition_max_bytes = limit;
    request.min_bytes = limit;
    EXPECT_EQ(fetch_all(request).responses.size(), 1u) << limit;
  }
}

TEST_F(Fetch, EpochsAreChecked) {
  // behaviours.md 74, 29
  create_topic("t");
  ASSERT_TRUE(broker().partition("t", 0)->apply(
      {.leader = 1, .leader_epoch = 5, .partition_epoch = 5, .replicas = {1}, .isr = {1}}));
  auto request = fetch_request("t", 0);
  const auto error_at = [&](std::int32_t epoch) {
    request.topics[0].partitions[0].current_leader_epoch = epoch;
    return fetch(request).error_code;
  };
  EXPECT_EQ(error_at(5), 0);
  EXPECT_EQ(error_at(-1), 0);
  EXPECT_EQ(error_at(4), code(ErrorCode::fenced_leader_epoch));
  EXPECT_EQ(error_at(6), code(ErrorCode::unknown_leader_epoch));
}

TEST_F(Fetch, ReadCommittedStopsAtTheOpenTransaction) {
  // behaviours.md 58, 60, 61
  create_topic("t");
  produce("t", {.records = 2});
  auto bytes = Batch{.producer_id = 9, .producer_epoch = 0, .sequence = 0, .transactional = true}.bytes();
  EXPECT_EQ(broker().partition("t", 0)->append({.batches = bytes}, -1).error, ErrorCode::none);
  produce("t", {.records = 1});
  auto request = fetch_request("t", 0);
  EXPECT_EQ(fetch(request).records.bytes.size(),
            Batch{.records = 2}.bytes().size() + bytes.size() + Batch{}.bytes().size());
  request.isolation_level = 1;
  const auto committed = fetch(request);
  EXPECT_EQ(committed.records.bytes.size(), Batch{.records = 2}.bytes().size());
  EXPECT_EQ(committed.high_watermark, 4);
  EXPECT_EQ(committed.last_stable_offset, 2);
  ASSERT_TRUE(committed.aborted_transactions.has_value());
  EXPECT_TRUE(committed.aborted_transactions->empty());
  request.topics[0].partitions[0].fetch_offset = 2;
  const auto at_the_bound = fetch(request);  // behaviours.md 59, 76
  EXPECT_EQ(at_the_bound.error_code, 0);
  EXPECT_FALSE(at_the_bound.records.is_null);
  EXPECT_TRUE(at_the_bound.records.bytes.empty());
}

TEST_F(Fetch, TopicsAreNamedByIdSinceThirteen) {
  const auto id = create_topic("t");
  produce("t", {});
  auto request = fetch_request("", 0);
  request.topics[0].topic_id = id;
  EXPECT_EQ(fetch(request, 13).records.bytes.size(), Batch{}.bytes().size());
  request.topics[0].topic_id = codec::Uuid::reserved(200);
  const auto response = fetch_all(request, 17);
  EXPECT_EQ(response.responses.at(0).topic_id, codec::Uuid::reserved(200));
  EXPECT_EQ(response.responses[0].partitions.at(0).error_code, code(ErrorCode::unknown_topic_id));
}

TEST_F(Fetch, ASessionSaysOnlyWhatChanged) {
  // behaviours.md 54, 67 to 71
  create_topic("t", 2);
  auto request = fetch_request("t", 0);
  request.session_epoch = 0;
  request.topics[0].partitions.push_back(request.topics[0].partitions[0]);
  request.topics[0].partitions[1].partition = 1;
  const auto first = fetch_all(request);
  ASSERT_GT(first.session_id, 0);
  EXPECT_EQ(first.responses.at(0).partitions.size(), 2u);

  auto next = fetch_request("t", 0);
  next.topics.clear();
  next.session_id = first.session_id;
  next.session_epoch = 1;
  park(next);
  produce("t", {}, 1);
  const auto second = parked();
  ASSERT_EQ(second.responses.size(), 1u);
  ASSERT_EQ(second.responses[0].partitions.size(), 1u);
  EXPECT_EQ(second.responses[0].partitions[0].partition_index, 1);

  next.session_epoch = 1;
  EXPECT_EQ(fetch_all(next).error_code, code(ErrorCode::invalid_fetch_session_epoch));
  next.session_id = first.session_id + 1;
  EXPECT_EQ(fetch_all(next).error_code, code(ErrorCode::fetch_session_id_not_found));
  EXPECT_EQ(broker().services().fetch_sessions.size(), 1u);
  // Epoch -1 closes it.
  auto last = fetch_request("t", 0);
  last.session_id = first.session_id;
  EXPECT_EQ(fetch_all(last).session_id, 0);
  EXPECT_EQ(broker().services().fetch_sessions.size(), 0u);
}

TEST_F(Fetch, ASessionForgetsWhatItIsTold) {
  // behaviours.md 69
  create_topic("t", 2);
  auto request = fetch_request("t", 0);
  request.session_epoch = 0;
  request.topics[0].partitions.push_back(request.topics[0].partitions[0]);
  request.topics[0].partitions[1].partition = 1;
  const auto first = fetch_all(request);
  produce("t", {}, 0);
  auto next = fetch_request("t", 0);
  next.topics.clear();
  next.session_id = first.session_id;
  next.session_epoch = 1;
  auto& forgotten = next.forgotten_topics_data.emplace_back();
  forgotten.topic = "t";
  forgotten.partitions = {0};
  EXPECT_TRUE(fetch_all(next).responses.empty());
}

TEST_F(Fetch, AStrangerIsNoFollower) {
  create_topic("t");
  auto request = fetch_request("t", 0);
  request.replica_id = 2;
  EXPECT_EQ(fetch(request).error_code, code(ErrorCode::not_leader_or_follower));
  request.topics[0].partitions[0].current_leader_epoch = 0;
  EXPECT_EQ(fetch(request).error_code, code(ErrorCode::unknown_leader_epoch));
}

TEST_F(Fetch, OldVersionsKnowNoStorageError) {
  create_topic("t");
  broker().partition("t", 0)->mark_offline();
  EXPECT_EQ(fetch(fetch_request("t", 0), 5).error_code, code(ErrorCode::not_leader_or_follower));
  EXPECT_EQ(fetch(fetch_request("t", 0), 6).error_code, code(ErrorCode::kafka_storage_error));
}

TEST_F(Fetch, TheNewVersionsSayWhereTheLeaderIs) {
  // behaviours.md 29
  const auto id = create_topic("t");
  ASSERT_TRUE(broker().partition("t", 0)->apply(
      {.leader = 2, .leader_epoch = 5, .partition_epoch = 5, .replicas = {1, 2}, .isr = {1, 2}}));
  auto request = fetch_request("", 0);
  request.topics[0].topic_id = id;
  auto response = fetch_all(request, 16);
  EXPECT_EQ(response.responses.at(0).partitions.at(0).current_leader.leader_id, TestBroker::node_id);
  EXPECT_EQ(response.node_endpoints.size(), 1u);
  response = fetch_all(request, 15);
  EXPECT_EQ(response.responses.at(0).partitions.at(0).current_leader.leader_id, -1);
}

TEST_F(Fetch, WhatIsUnknownHasAnEmptyRecordSet) {
  const auto fetched = fetch(fetch_request("unknown", 0));
  EXPECT_EQ(fetched.error_code, code(ErrorCode::unknown_topic_or_partition));
  EXPECT_FALSE(fetched.records.is_null);
}

TEST_F(Fetch, ANegativeLimitIsAnErrorWhereThereIsSomethingToRead) {
  create_topic("t");
  auto request = fetch_request("t", 0);
  request.topics[0].partitions[0].partition_max_bytes = -1;
  EXPECT_EQ(fetch(request).error_code, 0);
  produce("t", {});
  EXPECT_EQ(fetch(request).error_code, code(ErrorCode::unknown_server_error));
}

TEST_F(Fetch, AnIsolationThatNobodyKnowsFailsTheRequest) {
  create_topic("t");
  auto request = fetch_request("t", 0);
  request.isolation_level = 2;
  EXPECT_EQ(fetch(request).error_code, code(ErrorCode::unknown_server_error));
  EXPECT_EQ(fetch_all(request).error_code, code(ErrorCode::unknown_server_error));
}

}  // namespace
}  // namespace dohle::api
