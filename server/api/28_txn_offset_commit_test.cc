#include "protocol/messages/offset_fetch.h"
#include "protocol/messages/txn_offset_commit.h"
#include "server/api/transaction_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;
using protocol::TxnOffsetCommitRequest;
using protocol::TxnOffsetCommitResponse;

class TxnOffsetCommit : public TransactionFixture {
 protected:
  void SetUp() override {
    create_topic("t");
    protocol::FindCoordinatorRequest find;
    find.coordinator_keys = {"g"};
    for (int i = 0; i < 200; ++i) {
      const auto found = call<protocol::FindCoordinatorRequest, protocol::FindCoordinatorResponse>(4, find);
      if (found.coordinators.at(0).error_code == 0 && committed(false).second != code(ErrorCode::not_coordinator) &&
          committed(false).second != code(ErrorCode::coordinator_load_in_progress)) {
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    FAIL() << "no group coordinator";
  }
  /// The error of the one partition.
  std::int16_t commit(const protocol::InitProducerIdResponse& producer, std::int64_t offset, std::int16_t version,
                      const std::string& topic = "t") {
    TxnOffsetCommitRequest request;
    request.transactional_id = "a";
    request.group_id = "g";
    request.producer_id = producer.producer_id;
    request.producer_epoch = producer.producer_epoch;
    auto& asked = request.topics.emplace_back();
    asked.name = topic;
    asked.partitions.emplace_back().committed_offset = offset;
    const auto response = call<TxnOffsetCommitRequest, TxnOffsetCommitResponse>(version, request);
    return response.topics.at(0).partitions.at(0).error_code;
  }
  /// Offset and error; the error is the group's if it has one.
  std::pair<std::int64_t, std::int16_t> committed(bool require_stable) {
    protocol::OffsetFetchRequest request;
    request.require_stable = require_stable;
    auto& group = request.groups.emplace_back();
    group.group_id = "g";
    auto& topic = group.topics.emplace().emplace_back();
    topic.name = "t";
    topic.partition_indexes = {0};
    const auto response = call<protocol::OffsetFetchRequest, protocol::OffsetFetchResponse>(8, request);
    const auto& answer = response.groups.at(0);
    if (answer.error_code != 0) return {-1, answer.error_code};
    const auto& partition = answer.topics.at(0).partitions.at(0);
    return {partition.committed_offset, partition.error_code};
  }
};

// behaviours.md 132 and 141
TEST_F(TxnOffsetCommit, IsInvisibleUntilTheMarker) {
  const auto producer = init("a");
  EXPECT_EQ(commit(producer, 5, 5), 0);
  EXPECT_EQ(committed(false).first, -1);
  EXPECT_EQ(committed(true).second, code(ErrorCode::unstable_offset_commit));
  ASSERT_EQ(end("a", producer, true, 5).error_code, 0);
  for (int i = 0; i < 200 && committed(true).second != 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(committed(true), (std::pair<std::int64_t, std::int16_t>{5, 0}));
}

TEST_F(TxnOffsetCommit, OfTheFirstGenerationMustBeAnnounced) {
  const auto producer = init("a");
  EXPECT_EQ(commit(producer, 5, 3), code(ErrorCode::invalid_txn_state));
  EXPECT_EQ(commit(producer, 5, 4), code(ErrorCode::transaction_abortable));
}

TEST_F(TxnOffsetCommit, KnowsTopicsAndProducers) {
  auto producer = init("a");
  EXPECT_EQ(commit(producer, 5, 5, "u"), code(ErrorCode::unknown_topic_or_partition));
  producer.producer_epoch += 1;
  EXPECT_EQ(commit(producer, 5, 5), code(ErrorCode::invalid_producer_epoch));
}

}  // namespace
}  // namespace dohle::api
