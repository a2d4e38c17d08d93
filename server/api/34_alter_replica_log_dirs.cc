// AlterReplicaLogDirs, key 34, v1 and v2 (KIP-113): begins the move of replicas of this broker to other log
// directories, and answers before they have arrived. Source: kafka.server.ReplicaManager.alterReplicaLogDirs.

#include <map>

#include "protocol/messages/alter_replica_log_dirs.h"
#include "server/api/async_handlers.h"
#include "server/api/controller_home.h"
#include "server/api/services.h"
#include "server/replica/replica_set.h"

namespace dohle::api {

namespace {

using Answers = std::map<std::string, std::map<std::int32_t, protocol::ErrorCode>>;
using Result = metadata::ControllerResult<Answers>;

}  // namespace

boost::asio::awaitable<protocol::AlterReplicaLogDirsResponse> alter_replica_log_dirs(
    Services& services, RequestContext&, protocol::AlterReplicaLogDirsRequest& request) {
  // The directories are changed by the thread that applies metadata alone.
  const auto operation = [&](const metadata::Controller&, const metadata::MetadataImage& image) {
    Result result;
    for (const auto& directory : request.dirs) {
      for (const auto& topic : directory.topics) {
        for (const auto index : topic.partitions) {
          result.response[topic.name][index] =
              services.replicas.alter_log_directory(image, {topic.name, index}, directory.path);
        }
      }
    }
    return result;
  };
  const auto result = co_await services.controller.run<Answers>(operation);

  protocol::AlterReplicaLogDirsResponse response;
  for (const auto& [name, partitions] : result.response) {
    auto& topic = response.results.emplace_back();
    topic.topic_name = name;
    for (const auto& [index, error] : partitions) {
      auto& answer = topic.partitions.emplace_back();
      answer.partition_index = index;
      answer.error_code = static_cast<std::int16_t>(error);
    }
  }
  co_return response;
}

}  // namespace dohle::api
