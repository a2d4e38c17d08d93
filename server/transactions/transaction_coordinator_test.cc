#include "server/transactions/transaction_coordinator.h"

#include <gtest/gtest.h>

#include <future>

#include "server/testing/fake_clock.h"

namespace dohle::transactions {
namespace {

using protocol::ErrorCode;

class NoMarkers final : public MarkerSender {
  void send(std::int32_t, MarkerOrder) override {}
};

/// A broker that leads no partition of the topic.
class TransactionCoordinatorTest : public ::testing::Test {
 protected:
  TransactionCoordinatorTest() { reactors_.start(); }
  ~TransactionCoordinatorTest() override {
    reactors_.stop();
    disk_pool_.stop();
  }

  template <typename Response, typename Ask>
  Response ask(Ask ask) {
    std::promise<Response> answer;
    ask([&answer](Response response) { answer.set_value(std::move(response)); });
    return answer.get_future().get();
  }
  ErrorCode init(const std::string& id, std::int32_t timeout_ms) {
    return ask<ProducerAnswer>([&](auto reply) { coordinator_.init_producer({id, timeout_ms, {}}, std::move(reply)); })
        .error;
  }

  config::BrokerConfig config_ = config::load_broker_config(config::sample_properties())->config;
  runtime::ReactorPool reactors_{1};
  runtime::DiskPool disk_pool_{"disk", {}};
  runtime::Snapshot<metadata::MetadataImage> image_{std::make_shared<metadata::MetadataImage>()};
  dohle::testing::FakeClock clock_;
  NoMarkers markers_;
  TransactionCoordinator coordinator_{
      config_, reactors_, disk_pool_, [](std::int32_t) { return nullptr; }, image_, clock_, [] { return std::nullopt; },
      markers_};
};

// behaviours.md 130
TEST_F(TransactionCoordinatorTest, RefusesTimeoutsThatTheBrokerDoesNotAllow) {
  for (const auto timeout : {0, -1, config_.transaction_max_timeout_ms + 1}) {
    EXPECT_EQ(init("a", timeout), ErrorCode::invalid_transaction_timeout);
  }
  EXPECT_EQ(init("a", config_.transaction_max_timeout_ms), ErrorCode::not_coordinator);
}

TEST_F(TransactionCoordinatorTest, RefusesTheEmptyId) {
  EXPECT_EQ(init("", 1), ErrorCode::invalid_request);
  EXPECT_EQ(ask<ProducerAnswer>([&](auto reply) { coordinator_.end({}, std::move(reply)); }).error,
            ErrorCode::invalid_request);
  EXPECT_EQ(ask<ErrorCode>([&](auto reply) { coordinator_.add_partitions({}, std::move(reply)); }),
            ErrorCode::invalid_request);
  EXPECT_EQ(ask<PartitionVerdicts>([&](auto reply) { coordinator_.verify_partitions({}, std::move(reply)); }).error,
            ErrorCode::invalid_request);
  EXPECT_EQ(ask<DescribedTransaction>([&](auto reply) { coordinator_.describe("", std::move(reply)); }).error,
            ErrorCode::invalid_request);
}

TEST_F(TransactionCoordinatorTest, IsNotTheCoordinatorOfWhatItDoesNotLead) {
  EXPECT_EQ(
      ask<ProducerAnswer>([&](auto reply) { coordinator_.end({.transactional_id = "a"}, std::move(reply)); }).error,
      ErrorCode::not_coordinator);
  EXPECT_EQ(
      ask<ErrorCode>([&](auto reply) { coordinator_.add_partitions({.transactional_id = "a"}, std::move(reply)); }),
      ErrorCode::not_coordinator);
  EXPECT_EQ(ask<PartitionVerdicts>([&](auto reply) {
              coordinator_.verify_partitions({.transactional_id = "a"}, std::move(reply));
            }).error,
            ErrorCode::not_coordinator);
  EXPECT_EQ(ask<DescribedTransaction>([&](auto reply) { coordinator_.describe("a", std::move(reply)); }).error,
            ErrorCode::not_coordinator);
  EXPECT_EQ(ask<ListedTransactions>([&](auto reply) { coordinator_.list(0, {}, std::move(reply)); }).error,
            ErrorCode::not_coordinator);
}

}  // namespace
}  // namespace dohle::transactions
