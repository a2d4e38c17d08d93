#include "server/api/broker_fixture.h"

#include "server/api/test_broker_body.h"

namespace dohle::api {
namespace {

// The body of TestBroker is compiled here. One way through the whole of it:

TEST_F(BrokerFixture, WhatIsProducedIsFetched) {
  create_topic("t");
  const auto batch = Batch{.records = 3}.bytes();
  EXPECT_EQ(produce(produce_request("t", batch)).base_offset, 0);
  const auto fetched = fetch(fetch_request("t", 0));
  EXPECT_EQ(fetched.error_code, 0);
  EXPECT_EQ(fetched.high_watermark, 3);
  ASSERT_EQ(fetched.records.bytes.size(), batch.size());
  // The bytes that the checksum is over are the producer's.
  EXPECT_TRUE(std::ranges::equal(fetched.records.bytes.subspan(17), codec::Bytes(batch).subspan(17)));
}

}  // namespace
}  // namespace dohle::api
