// DescribeLogDirs, key 35, v1 to v5. v3 an error for the whole, v4 sizes of the file system (KIP-827), v5 cordoned
// directories (KIP-1066). Source: kafka.server.ReplicaManager.describeLogDirs.

#include <sys/statvfs.h>

#include <map>
#include <set>

#include "protocol/messages/describe_log_dirs.h"
#include "server/api/handlers.h"
#include "server/api/services.h"
#include "server/metadata/metadata_image.h"
#include "server/replica/replica_set.h"

namespace dohle::api {

namespace {

using Response = protocol::DescribeLogDirsResponse;
using Result = Response::DescribeLogDirsResult;
using Wanted = std::set<std::pair<std::string, std::int32_t>>;

void describe_file_system(const std::string& path, Result& result) {
  struct statvfs info{};
  if (::statvfs(path.c_str(), &info) != 0) {
    result.error_code = static_cast<std::int16_t>(protocol::ErrorCode::kafka_storage_error);
    return;
  }
  result.total_bytes = static_cast<std::int64_t>(info.f_blocks * info.f_frsize);
  result.usable_bytes = static_cast<std::int64_t>(info.f_bavail * info.f_frsize);
}

/// One log: a current one, or the one of a replica that is on its way to this directory.
struct Described {
  std::shared_ptr<replica::Partition> partition;
  std::shared_ptr<log::Log> future;  // null: the current one
};

void add_topics(const std::map<std::string, std::vector<Described>>& by_topic, Result& result) {
  for (const auto& [name, logs] : by_topic) {
    auto& topic = result.topics.emplace_back();
    topic.name = name;
    for (const auto& [partition, future] : logs) {
      auto& answer = topic.partitions.emplace_back();
      const auto& log = future ? *future : partition->log();
      answer.partition_index = partition->index();
      answer.partition_size = static_cast<std::int64_t>(log.size_bytes());
      answer.is_future_key = future != nullptr;
      // The lag of a current log is how far its high watermark has run ahead of it: never, on a leader. A future log
      // lags behind the current one.
      answer.offset_lag = future ? partition->log_end_offset() - log.log_end_offset()
                                 : std::max<std::int64_t>(0, partition->high_watermark() - partition->log_end_offset());
    }
  }
}

bool is_cordoned(const Services& services, const codec::Uuid& directory) {
  const auto image = services.image.current();
  const auto* broker = image->cluster->broker(services.node_id);
  if (broker == nullptr || !broker->cordoned_directories) return false;
  const auto& cordoned = *broker->cordoned_directories;
  return std::ranges::find(cordoned, directory) != cordoned.end();
}

}  // namespace

Response describe_log_dirs(Services& services, RequestContext&, protocol::DescribeLogDirsRequest& request) {
  Wanted wanted;
  if (request.topics) {
    for (const auto& topic : *request.topics) {
      for (const auto index : topic.partitions) wanted.emplace(topic.topic, index);
    }
  }
  // Held until the answer is made: what is deleted meanwhile is still described.
  std::map<const log::LogDirectory*, std::map<std::string, std::vector<Described>>> by_directory;
  services.replicas.for_each([&](const std::shared_ptr<replica::Partition>& partition) {
    if (request.topics && !wanted.contains({partition->topic(), partition->index()})) return;
    by_directory[partition->directory()][partition->topic()].push_back({partition, nullptr});
    const auto future = partition->future();
    if (future) by_directory[future->directory][partition->topic()].push_back({partition, future->log});
  });

  Response response;
  for (const auto& directory : services.replicas.directories().all()) {
    auto& result = response.results.emplace_back();
    result.log_dir = directory->path;
    if (!directory->online) {
      result.error_code = static_cast<std::int16_t>(protocol::ErrorCode::kafka_storage_error);
      continue;
    }
    describe_file_system(directory->path, result);
    add_topics(by_directory[directory.get()], result);
    result.is_cordoned = is_cordoned(services, directory->id);
  }
  return response;
}

}  // namespace dohle::api
