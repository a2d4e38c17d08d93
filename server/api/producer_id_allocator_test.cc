#include "server/api/producer_id_allocator.h"

#include <set>

#include "protocol/messages/init_producer_id.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using protocol::InitProducerIdRequest;
using protocol::InitProducerIdResponse;

class ProducerIds : public BrokerFixture {
 protected:
  static codec::Blob frame() {
    InitProducerIdRequest request;
    request.transactional_id.reset();
    return frame_of(4, request);
  }
};

TEST_F(ProducerIds, BlocksOfAThousandFollowOneAnother) {
  std::set<std::int64_t> ids;
  for (int i = 0; i < 1001; ++i) {
    const auto response = read<InitProducerIdRequest, InitProducerIdResponse>(4, answer_to(frame()));
    ASSERT_EQ(response.error_code, 0);
    ids.insert(response.producer_id);
  }
  EXPECT_EQ(ids.size(), 1001u);
  EXPECT_EQ(*ids.begin(), 0);
  EXPECT_EQ(*ids.rbegin(), 1000);
  EXPECT_EQ(broker().services().image.current()->producer_ids->next_producer_id, 2000);
}

TEST_F(ProducerIds, ThoseWhoAskAtOnceGetDifferentOnes) {
  std::vector<std::future<Answer>> parked;
  for (int i = 0; i < 5; ++i) parked.push_back(broker().send(frame()));
  std::set<std::int64_t> ids;
  for (auto& one : parked) {
    ids.insert(read<InitProducerIdRequest, InitProducerIdResponse>(4, wait_for(one)).producer_id);
  }
  EXPECT_EQ(ids.size(), 5u);
}

}  // namespace
}  // namespace dohle::api
