#include "protocol/messages/init_producer_id.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;
using protocol::InitProducerIdRequest;
using protocol::InitProducerIdResponse;

class InitProducerId : public BrokerFixture {
 protected:
  /// Without a transactional id.
  static InitProducerIdRequest plain() {
    InitProducerIdRequest request;
    request.transactional_id.reset();
    return request;
  }
  InitProducerIdResponse ask(const InitProducerIdRequest& request, std::int16_t version = 5) {
    return call<InitProducerIdRequest, InitProducerIdResponse>(version, request);
  }
};

TEST_F(InitProducerId, WithoutTransactionalIdEveryIdIsFresh) {
  // behaviours.md 38
  const auto first = ask(plain());
  EXPECT_EQ(first.error_code, 0);
  EXPECT_EQ(first.producer_id, 0);
  EXPECT_EQ(first.producer_epoch, 0);
  EXPECT_EQ(ask(plain(), 0).producer_id, 1);
  auto old = plain();
  old.producer_id = 0;
  old.producer_epoch = 7;
  EXPECT_EQ(ask(old).producer_id, 2);
  EXPECT_EQ(ask(old).producer_epoch, 0);
}

TEST_F(InitProducerId, IdAndEpochComeTogether) {
  auto request = plain();
  request.producer_id = 5;
  EXPECT_EQ(ask(request).error_code, code(ErrorCode::invalid_request));
  request.producer_id = -1;
  request.producer_epoch = 5;
  const auto refused = ask(request);
  EXPECT_EQ(refused.error_code, code(ErrorCode::invalid_request));
  EXPECT_EQ(refused.producer_id, -1);
  EXPECT_EQ(refused.producer_epoch, -1);
}

TEST_F(InitProducerId, AnEmptyTransactionalIdIsNone) {
  InitProducerIdRequest request;
  request.transactional_id = "";
  request.transaction_timeout_ms = 1000;
  EXPECT_EQ(ask(request).error_code, code(ErrorCode::invalid_request));
}

}  // namespace
}  // namespace dohle::api
