// For tests: a broker whose transaction coordinator answers, and the requests of a transactional producer.
#pragma once

#include <chrono>
#include <string>
#include <thread>

#include "protocol/messages/add_partitions_to_txn.h"
#include "protocol/messages/end_txn.h"
#include "protocol/messages/find_coordinator.h"
#include "protocol/messages/init_producer_id.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {

class TransactionFixture : public BrokerFixture {
 protected:
  TransactionFixture() {
    configs["transaction.state.log.num.partitions"] = "2";
    configs["offsets.topic.num.partitions"] = "1";
  }

  /// A producer of version 4, once the coordinator's topic is there.
  protocol::InitProducerIdResponse init(const std::string& id, std::int32_t timeout_ms = 60'000) {
    protocol::FindCoordinatorRequest find;
    find.key_type = 1;
    find.coordinator_keys = {id};
    call<protocol::FindCoordinatorRequest, protocol::FindCoordinatorResponse>(4, find);
    protocol::InitProducerIdRequest request;
    request.transactional_id = id;
    request.transaction_timeout_ms = timeout_ms;
    protocol::InitProducerIdResponse response;
    for (int i = 0; i < 200; ++i) {
      response = call<protocol::InitProducerIdRequest, protocol::InitProducerIdResponse>(4, request);
      if (!is_passing(response.error_code)) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return response;
  }
  /// The error of the one partition.
  std::int16_t add(const std::string& id, const protocol::InitProducerIdResponse& producer, const std::string& topic,
                   std::int16_t version = 3) {
    protocol::AddPartitionsToTxnRequest request;
    request.v3_and_below_transactional_id = id;
    request.v3_and_below_producer_id = producer.producer_id;
    request.v3_and_below_producer_epoch = producer.producer_epoch;
    auto& added = request.v3_and_below_topics.emplace_back();
    added.name = topic;
    added.partitions = {0};
    const auto response =
        call<protocol::AddPartitionsToTxnRequest, protocol::AddPartitionsToTxnResponse>(version, request);
    return response.results_by_topic_v3_and_below.at(0).results_by_partition.at(0).partition_error_code;
  }
  protocol::EndTxnResponse end(const std::string& id, const protocol::InitProducerIdResponse& producer, bool commit,
                               std::int16_t version = 4) {
    protocol::EndTxnRequest request;
    request.transactional_id = id;
    request.producer_id = producer.producer_id;
    request.producer_epoch = producer.producer_epoch;
    request.committed = commit;
    return call<protocol::EndTxnRequest, protocol::EndTxnResponse>(version, request);
  }
  /// One record of the producer's transaction, with its `sequence`.
  PartitionProduced write(const std::string& id, const protocol::InitProducerIdResponse& producer,
                          const std::string& topic, std::int32_t sequence, std::int16_t version = 9) {
    Batch batch;
    batch.records = 1;
    batch.producer_id = producer.producer_id;
    batch.producer_epoch = producer.producer_epoch;
    batch.sequence = sequence;
    batch.transactional = true;
    const auto records = batch.bytes();
    auto request = produce_request(topic, records);
    request.transactional_id = id;
    return produce(request, version);
  }
  /// The markers are written soon after the answer.
  void wait_for_stable(const std::string& topic, std::int64_t offset) {
    for (int i = 0; i < 200 && broker().partition(topic, 0)->last_stable_offset() < offset; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(broker().partition(topic, 0)->last_stable_offset(), offset);
  }

 private:
  static bool is_passing(std::int16_t error) {
    return error == static_cast<std::int16_t>(protocol::ErrorCode::not_coordinator) ||
           error == static_cast<std::int16_t>(protocol::ErrorCode::coordinator_load_in_progress) ||
           error == static_cast<std::int16_t>(protocol::ErrorCode::concurrent_transactions);
  }
};

}  // namespace dohle::api
