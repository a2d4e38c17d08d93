#include "protocol/messages/write_txn_markers.h"
#include "server/api/transaction_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;
using protocol::WriteTxnMarkersRequest;
using protocol::WriteTxnMarkersResponse;

using WriteTxnMarkers = TransactionFixture;

TEST_F(WriteTxnMarkers, EndsATransactionFromOutside) {
  create_topic("t");
  const auto producer = init("a");
  ASSERT_EQ(add("a", producer, "t"), 0);
  ASSERT_EQ(write("a", producer, "t", 0).error_code, 0);
  WriteTxnMarkersRequest request;
  auto& marker = request.markers.emplace_back();
  marker.producer_id = producer.producer_id;
  marker.producer_epoch = producer.producer_epoch;
  auto& topic = marker.topics.emplace_back();
  topic.name = "t";
  topic.partition_indexes = {0, 9};
  const auto response = call<WriteTxnMarkersRequest, WriteTxnMarkersResponse>(1, request);
  const auto& partitions = response.markers.at(0).topics.at(0).partitions;
  ASSERT_EQ(partitions.size(), 2u);
  EXPECT_EQ(partitions[0].error_code, 0);
  EXPECT_EQ(partitions[1].error_code, code(ErrorCode::unknown_topic_or_partition));
  EXPECT_EQ(broker().partition("t", 0)->last_stable_offset(), 2);
}

TEST_F(WriteTxnMarkers, OfAnOlderEpochIsRefused) {
  create_topic("t");
  init("a");
  const auto producer = init("a");
  ASSERT_EQ(add("a", producer, "t"), 0);
  ASSERT_EQ(write("a", producer, "t", 0).error_code, 0);
  WriteTxnMarkersRequest request;
  auto& marker = request.markers.emplace_back();
  marker.producer_id = producer.producer_id;
  marker.producer_epoch = 0;
  auto& topic = marker.topics.emplace_back();
  topic.name = "t";
  topic.partition_indexes = {0};
  const auto response = call<WriteTxnMarkersRequest, WriteTxnMarkersResponse>(1, request);
  EXPECT_EQ(response.markers.at(0).topics.at(0).partitions.at(0).error_code, code(ErrorCode::invalid_producer_epoch));
}

TEST_F(WriteTxnMarkers, OfNobodyAnswersNothing) {
  EXPECT_TRUE((call<WriteTxnMarkersRequest, WriteTxnMarkersResponse>(2, {}).markers.empty()));
}

}  // namespace
}  // namespace dohle::api
