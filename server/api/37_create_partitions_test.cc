#include "protocol/messages/create_partitions.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using protocol::CreatePartitionsRequest;
using protocol::CreatePartitionsResponse;
using protocol::ErrorCode;

class CreatePartitions : public BrokerFixture {
 protected:
  std::int16_t ask(const std::string& topic, std::int32_t count, bool validate_only = false) {
    CreatePartitionsRequest request;
    request.timeout_ms = 1000;
    auto& asked = request.topics.emplace_back();
    asked.name = topic;
    asked.count = count;
    asked.assignments.reset();  // an empty list is something else
    request.validate_only = validate_only;
    const auto response = call<CreatePartitionsRequest, CreatePartitionsResponse>(3, request);
    EXPECT_EQ(response.results.at(0).name, topic);
    return response.results[0].error_code;
  }
};

TEST_F(CreatePartitions, TheCountIsTheNewTotal) {
  // behaviours.md 156
  create_topic("t", 2);
  EXPECT_EQ(ask("t", 3, true), 0);
  EXPECT_EQ(produce("t", {}, 2).error_code, code(ErrorCode::unknown_topic_or_partition));
  EXPECT_EQ(ask("t", 3), 0);
  EXPECT_EQ(produce("t", {}, 2).error_code, 0);
  EXPECT_EQ(ask("t", 3), code(ErrorCode::invalid_partitions));
  EXPECT_EQ(ask("t", 1), code(ErrorCode::invalid_partitions));
  EXPECT_EQ(ask("u", 3), code(ErrorCode::unknown_topic_or_partition));
}

}  // namespace
}  // namespace dohle::api
