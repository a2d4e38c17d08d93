#include "protocol/messages/alter_replica_log_dirs.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

class AlterReplicaLogDirs : public BrokerFixture {
 protected:
  std::int16_t alter(const std::string& path, const std::string& topic) {
    protocol::AlterReplicaLogDirsRequest request;
    auto& directory = request.dirs.emplace_back();
    directory.path = path;
    auto& asked = directory.topics.emplace_back();
    asked.name = topic;
    asked.partitions = {0};
    const auto answer = call<protocol::AlterReplicaLogDirsRequest, protocol::AlterReplicaLogDirsResponse>(2, request);
    EXPECT_EQ(answer.results.size(), 1u);
    return answer.results.at(0).partitions.at(0).error_code;
  }
};

// The moves themselves: server/replica/replica_moves_test.cc.
TEST_F(AlterReplicaLogDirs, EachReplicaHasItsAnswer) {
  create_topic("t", 1);
  EXPECT_EQ(alter("/nowhere", "t"), static_cast<std::int16_t>(protocol::ErrorCode::log_dir_not_found));
  const auto here = broker().partition("t", 0)->directory()->path;
  EXPECT_EQ(alter(here, "t"), 0);
  EXPECT_EQ(alter(here, "u"), static_cast<std::int16_t>(protocol::ErrorCode::unknown_topic_or_partition));
}

}  // namespace
}  // namespace dohle::api
