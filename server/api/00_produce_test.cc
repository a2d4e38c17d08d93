#include <thread>

#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;
using protocol::ProduceRequest;
using protocol::ProduceResponse;

using Produce = BrokerFixture;
using Action = net::Response::Action;

TEST_F(Produce, OffsetsGoOnInEveryAcknowledgedForm) {
  create_topic("t");
  const auto first = produce("t", {.records = 3});
  EXPECT_EQ(first.error_code, 0);
  EXPECT_EQ(first.base_offset, 0);
  EXPECT_EQ(first.log_start_offset, 0);
  EXPECT_EQ(first.log_append_time_ms, -1);  // the topic keeps the producer's time
  const auto records = Batch{}.bytes();
  auto request = produce_request("t", records);
  request.acks = 1;
  EXPECT_EQ(produce(request).base_offset, 3);
  request.acks = 0;
  const auto answer = answer_to(frame_of(9, request));
  EXPECT_EQ(answer.action, Action::none);  // behaviours.md 10
  EXPECT_EQ(broker().partition("t", 0)->high_watermark(), 5);
}

TEST_F(Produce, AnErrorWithoutAcknowledgementClosesTheConnection) {
  // behaviours.md 10
  const auto records = Batch{}.bytes();
  auto request = produce_request("unknown", records);
  request.acks = 0;
  EXPECT_EQ(answer_to(frame_of(9, request)).action, Action::close);
}

TEST_F(Produce, OtherAcksAreRefusedPerPartition) {
  // behaviours.md 40
  create_topic("t");
  const auto records = Batch{}.bytes();
  auto request = produce_request("t", records);
  for (const std::int16_t acks : {2, -2, 32'767}) {
    request.acks = acks;
    EXPECT_EQ(produce(request).error_code, code(ErrorCode::invalid_required_acks)) << acks;
  }
  EXPECT_EQ(broker().partition("t", 0)->log_end_offset(), 0);
}

TEST_F(Produce, WhatIsUnknownIsSaidByNameOrById) {
  const auto id = create_topic("t");
  EXPECT_EQ(produce("u", {}).error_code, code(ErrorCode::unknown_topic_or_partition));
  EXPECT_EQ(produce("t", {}, 1).error_code, code(ErrorCode::unknown_topic_or_partition));
  const auto records = Batch{}.bytes();
  auto request = produce_request("", records);
  request.topic_data[0].topic_id = id;
  EXPECT_EQ(produce(request, 13).base_offset, 0);
  request.topic_data[0].topic_id = codec::Uuid::reserved(200);
  const auto response = call<ProduceRequest, ProduceResponse>(13, request);
  EXPECT_EQ(response.responses.at(0).topic_id, codec::Uuid::reserved(200));
  EXPECT_EQ(response.responses[0].partition_responses.at(0).error_code, code(ErrorCode::unknown_topic_id));
}

TEST_F(Produce, ABadPartitionDoesNotFailTheOthers) {
  // behaviours.md 39, 66
  create_topic("t", 2);
  const auto good = Batch{}.bytes();
  auto bad = good;
  bad.back() ^= 1;
  auto request = produce_request("t", bad, 1);
  auto& second = request.topic_data[0].partition_data.emplace_back();
  second.index = 0;
  second.records = protocol::Records::of(good);
  request.topic_data.push_back(produce_request("u", good).topic_data[0]);
  const auto response = call<ProduceRequest, ProduceResponse>(9, request);
  ASSERT_EQ(response.responses.size(), 2u);
  const auto& partitions = response.responses[0].partition_responses;
  ASSERT_EQ(partitions.size(), 2u);
  EXPECT_EQ(partitions[0].index, 1);
  EXPECT_EQ(partitions[0].error_code, code(ErrorCode::corrupt_message));  // behaviours.md 47
  EXPECT_EQ(partitions[0].base_offset, -1);
  EXPECT_EQ(partitions[1].error_code, 0);
  EXPECT_EQ(partitions[1].base_offset, 0);
  EXPECT_EQ(response.responses[1].name, "u");
}

TEST_F(Produce, ARecordSetThatIsNoneIsInvalid) {
  create_topic("t");
  EXPECT_EQ(produce(produce_request("t", {})).error_code, code(ErrorCode::invalid_record));
  // Kafka's handler dies on a null (compat-tests/FINDINGS.md) and never answers: a client waits for its timeout. Nobody
  // can depend on that, so that null is what empty is.
  auto request = produce_request("t", {});
  request.topic_data[0].partition_data[0].records = protocol::Records::null();
  EXPECT_EQ(produce(request).error_code, code(ErrorCode::invalid_record));
  request.acks = 0;
  EXPECT_EQ(answer_to(frame_of(9, request)).action, Action::close);
  EXPECT_EQ(broker().partition("t", 0)->log_end_offset(), 0);
}

TEST_F(Produce, ADuplicateIsTheOriginal) {
  // behaviours.md 32, 33
  create_topic("t");
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(produce("t", {.records = 2, .producer_id = 9, .producer_epoch = 0, .sequence = 2 * i}).base_offset,
              2 * i);
  }
  for (int i = 0; i < 5; ++i) {
    const auto again = produce("t", {.records = 2, .producer_id = 9, .producer_epoch = 0, .sequence = 2 * i});
    EXPECT_EQ(again.error_code, 0);
    EXPECT_EQ(again.base_offset, 2 * i);
  }
  EXPECT_EQ(broker().partition("t", 0)->log_end_offset(), 10);
}

TEST_F(Produce, AGapIsOutOfOrderAndAnOldEpochIsFenced) {
  // behaviours.md 34, 35, 36
  create_topic("t");
  EXPECT_EQ(produce("t", {.producer_id = 9, .producer_epoch = 3, .sequence = 17}).error_code, 0);
  EXPECT_EQ(produce("t", {.producer_id = 9, .producer_epoch = 3, .sequence = 19}).error_code,
            code(ErrorCode::out_of_order_sequence_number));
  EXPECT_EQ(produce("t", {.producer_id = 9, .producer_epoch = 2, .sequence = 18}).error_code,
            code(ErrorCode::invalid_producer_epoch));
  EXPECT_EQ(produce("t", {.producer_id = 9, .producer_epoch = 4, .sequence = 18}).error_code,
            code(ErrorCode::out_of_order_sequence_number));
  EXPECT_EQ(produce("t", {.producer_id = 9, .producer_epoch = 4, .sequence = 0}).base_offset, 1);
}

TEST_F(Produce, ClientsWriteNoControlBatches) {
  // behaviours.md 45
  configs["transaction.partition.verification.enable"] = "false";  // else the missing coordinator is found first
  create_topic("t");
  const auto records = Batch{.producer_id = 9, .producer_epoch = 0, .transactional = true, .control = true}.bytes();
  auto request = produce_request("t", records);
  request.transactional_id = "x";
  EXPECT_EQ(produce(request).error_code, code(ErrorCode::invalid_record));
}

TEST_F(Produce, ATransactionNeedsItsId) {
  // compat-tests/FINDINGS.md: 53, for the whole request.
  create_topic("t", 2);
  const Batch batch{.producer_id = 9, .producer_epoch = 0, .sequence = 0, .transactional = true};
  EXPECT_EQ(produce("t", batch).error_code, code(ErrorCode::transactional_id_authorization_failed));
  const auto records = batch.bytes();
  auto request = produce_request("t", records);
  request.acks = 0;
  EXPECT_EQ(answer_to(frame_of(9, request)).action, Action::close);
  EXPECT_EQ(broker().partition("t", 0)->log_end_offset(), 0);
}

TEST_F(Produce, ACompactedTopicWantsKeys) {
  // behaviours.md 42; the words of LogValidator.
  create_topic("t", 1, {{"cleanup.policy", "compact"}});
  const auto refused = produce("t", {.records = 2});
  EXPECT_EQ(refused.error_code, code(ErrorCode::invalid_record));
  ASSERT_EQ(refused.record_errors.size(), 2u);
  EXPECT_EQ(refused.record_errors[0].batch_index, 0);
  EXPECT_EQ(refused.record_errors[1].batch_index, 1);
  EXPECT_EQ(refused.record_errors[0].batch_index_error_message,
            "Compacted topic cannot accept message without key in topic partition t-0");
  EXPECT_EQ(produce("t", {.key = "k"}).base_offset, 0);
}

TEST_F(Produce, AppendTimeIsTheBrokers) {
  // behaviours.md 44
  create_topic("t", 1, {{"message.timestamp.type", "LogAppendTime"}});
  broker().clock().set_wall_ms(1'700'000'123'456);
  const auto produced = produce("t", {.records = 2, .timestamp_ms = 5});
  EXPECT_EQ(produced.log_append_time_ms, 1'700'000'123'456);
  const auto fetched = fetch(fetch_request("t", 0));
  ASSERT_GE(fetched.records.bytes.size(), protocol::record_batch_overhead);
  const protocol::RecordBatch batch(fetched.records.bytes);
  EXPECT_EQ(batch.timestamp_type(), protocol::TimestampType::log_append_time);
  EXPECT_EQ(batch.max_timestamp(), 1'700'000'123'456);
  EXPECT_TRUE(batch.crc_is_valid());
}

TEST_F(Produce, TheFuturesTimestampsAreRefused) {
  // behaviours.md 43
  create_topic("t");
  const auto now_ms = broker().clock().wall_ms();
  EXPECT_EQ(produce("t", {.timestamp_ms = now_ms + 3'600'000}).error_code, 0);
  const auto refused = produce("t", {.timestamp_ms = now_ms + 3'600'001});
  EXPECT_EQ(refused.error_code, code(ErrorCode::invalid_timestamp));
  EXPECT_EQ(refused.record_errors.size(), 1u);
}

TEST_F(Produce, ABatchHasASize) {
  // behaviours.md 41
  create_topic("t", 1, {{"max.message.bytes", "100"}});
  EXPECT_EQ(produce("t", {.value = std::string(100, 'x')}).error_code, code(ErrorCode::message_too_large));
  EXPECT_EQ(produce("t", {.value = "x"}).error_code, 0);
}

TEST_F(Produce, ABatchThatInflatesFarIsJudgedElsewhereAndStoredAllTheSame) {
  create_topic("t");
  const Batch far{.value = std::string(5 << 20, 'x'), .compression = codec::Compression::zstd};
  EXPECT_EQ(produce("t", far).base_offset, 0);
  EXPECT_EQ(produce("t", far).base_offset, 1);
  // What is wrong with it is found there as well (behaviours.md 42).
  create_topic("compacted", 1, {{"cleanup.policy", "compact"}});
  const auto refused = produce("compacted", far);
  EXPECT_EQ(refused.error_code, code(ErrorCode::invalid_record));
  EXPECT_EQ(refused.record_errors.size(), 1u);
}

TEST_F(Produce, ZstandardCameWithVersionSeven) {
  // behaviours.md 49
  create_topic("t");
  const auto records = Batch{.compression = codec::Compression::zstd}.bytes();
  EXPECT_EQ(produce(produce_request("t", records), 6).error_code, code(ErrorCode::unsupported_compression_type));
  EXPECT_EQ(produce(produce_request("t", records), 7).error_code, 0);
}

TEST_F(Produce, InternalTopicsAreForTheBroker) {
  create_topic("__consumer_offsets", 1, {{"cleanup.policy", "compact"}});
  EXPECT_EQ(produce("__consumer_offsets", {.key = "k"}).error_code, code(ErrorCode::invalid_topic_exception));
  // KafkaApis lets the admin client in.
  const auto records = Batch{.key = "k"}.bytes();
  const auto answer = answer_to(frame_of(9, produce_request("__consumer_offsets", records), "__admin_client"));
  const auto response = read<ProduceRequest, ProduceResponse>(9, answer);
  EXPECT_EQ(response.responses.at(0).partition_responses.at(0).error_code, 0);
}

TEST_F(Produce, MinIsrIsClippedToTheReplicationFactor) {
  // behaviours.md 50; the reference takes this: one replica needs no more than one.
  create_topic("t", 1, {{"min.insync.replicas", "2"}});
  EXPECT_EQ(produce("t", {}).error_code, 0);
}

TEST_F(Produce, TheAnswerWaitsForTheDiskWhereTheTopicSaysSo) {
  create_topic("t", 1, {{"flush.messages", "1"}});
  const auto syncs = broker().log_disk().calls(testing::DiskCall::sync);
  EXPECT_EQ(produce("t", {}).base_offset, 0);
  EXPECT_GT(broker().log_disk().calls(testing::DiskCall::sync), syncs);
  EXPECT_EQ(broker().partition("t", 0)->high_watermark(), 1);
}

TEST_F(Produce, ARollMovesTheRecoveryPoint) {
  // UnifiedLog.roll flushes what lies before the new segment, behind the answer.
  create_topic("t", 1, {{"segment.bytes", "1048576"}});
  const auto partition = broker().partition("t", 0);
  for (int i = 0; i < 12; ++i) EXPECT_EQ(produce("t", {.value = std::string(100'000, 'x')}).error_code, 0);
  ASSERT_EQ(partition->log().segments()->size(), 2u);
  const auto base = partition->log().segments()->all().back()->base_offset();
  for (int i = 0; i < 500 && partition->log().recovery_point() < base; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(partition->log().recovery_point(), base);
}

TEST_F(Produce, AFailedSyncIsAnErrorAndTheEndOfTheDirectory) {
  create_topic("t", 1, {{"flush.messages", "1"}});
  create_topic("u");
  broker().log_disk().fail_all(EIO, testing::DiskCall::sync);
  const auto refused = produce("t", {});
  EXPECT_EQ(refused.error_code, code(ErrorCode::kafka_storage_error));
  EXPECT_EQ(refused.base_offset, -1);
  broker().log_disk().clear_failures();
  EXPECT_FALSE(broker().directories().all()[0]->online);
  EXPECT_EQ(produce("u", {}).error_code, code(ErrorCode::kafka_storage_error));
}

TEST_F(Produce, AFullDiskPassesAndABrokenOneDoesNot) {
  create_topic("t");
  broker().log_disk().fail_call(1, ENOSPC, testing::DiskCall::write);
  EXPECT_EQ(produce("t", {}).error_code, code(ErrorCode::kafka_storage_error));
  EXPECT_EQ(produce("t", {}).base_offset, 0);
  broker().log_disk().fail_call(1, EIO, testing::DiskCall::write);
  EXPECT_EQ(produce("t", {}).error_code, code(ErrorCode::kafka_storage_error));
  EXPECT_FALSE(broker().directories().all()[0]->online);
}

TEST_F(Produce, WhereTheLeaderIsElsewhereTheAnswerSaysWhere) {
  // behaviours.md 29, 196
  create_topic("t");
  ASSERT_TRUE(broker().partition("t", 0)->apply(
      {.leader = 2, .leader_epoch = 5, .partition_epoch = 5, .replicas = {1, 2}, .isr = {1, 2}}));
  const auto records = Batch{}.bytes();
  const auto response = call<ProduceRequest, ProduceResponse>(10, produce_request("t", records));
  const auto& answer = response.responses.at(0).partition_responses.at(0);
  EXPECT_EQ(answer.error_code, code(ErrorCode::not_leader_or_follower));
  // The image still names this broker.
  EXPECT_EQ(answer.current_leader.leader_id, TestBroker::node_id);
  ASSERT_EQ(response.node_endpoints.size(), 1u);
  EXPECT_EQ(response.node_endpoints[0].port, 9092);
  EXPECT_EQ(produce("t", {}).current_leader.leader_id, -1);  // v9 does not know hints
}

}  // namespace
}  // namespace dohle::api
