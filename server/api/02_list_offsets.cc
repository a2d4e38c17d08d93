// ListOffsets, key 2, v1 to v11. v2 isolation level, v4 leader epochs, v7 MAX_TIMESTAMP, v8 EARLIEST_LOCAL, v9
// LATEST_TIERED, v10 timeout, v11 EARLIEST_PENDING_UPLOAD. Source: kafka.server.ReplicaManager.fetchOffset.

#include <set>

#include "protocol/messages/list_offsets.h"
#include "server/api/handlers.h"
#include "server/api/services.h"
#include "server/replica/partition.h"
#include "server/replica/replica_set.h"

namespace dohle::api {

namespace {

using protocol::ErrorCode;

constexpr std::int32_t consumer_replica_id = -1;
constexpr std::int32_t debugging_replica_id = -2;

/// Which version first knows a special time; times below the last are never known.
bool is_supported(std::int64_t timestamp_ms, std::int16_t version) {
  if (timestamp_ms >= 0) return true;
  switch (timestamp_ms) {
    case -1:
    case -2:
      return version >= 1;
    case -3:
      return version >= 7;
    case -4:
      return version >= 8;
    case -5:
      return version >= 9;
    case -6:
      return version >= 11;
    default:
      return false;
  }
}

replica::Isolation isolation_of(const protocol::ListOffsetsRequest& request) {
  if (request.replica_id != consumer_replica_id) return replica::Isolation::log_end;
  return request.isolation_level == 1 ? replica::Isolation::read_committed : replica::Isolation::read_uncommitted;
}

ErrorCode for_version(ErrorCode error, std::int16_t version) {
  return error == ErrorCode::offset_not_available && version < 5 ? ErrorCode::leader_not_available : error;
}

/// ListOffsetsRequest.getErrorResponse.
protocol::ListOffsetsResponse refuse(const protocol::ListOffsetsRequest& request, ErrorCode error) {
  protocol::ListOffsetsResponse response;
  for (const auto& topic : request.topics) {
    auto& answers = response.topics.emplace_back();
    answers.name = topic.name;
    for (const auto& partition : topic.partitions) {
      auto& answer = answers.partitions.emplace_back();
      answer.partition_index = partition.partition_index;
      answer.error_code = static_cast<std::int16_t>(error);
    }
  }
  return response;
}

}  // namespace

protocol::ListOffsetsResponse list_offsets(Services& services, RequestContext& context,
                                           protocol::ListOffsetsRequest& request) {
  const auto image = services.image.current();
  const auto version = context.version();
  if (request.isolation_level != 0 && request.isolation_level != 1) {
    return refuse(request, ErrorCode::unknown_server_error);
  }
  const bool leader_only = request.replica_id != debugging_replica_id;

  std::set<std::pair<std::string_view, std::int32_t>> seen;
  std::set<std::pair<std::string_view, std::int32_t>> duplicates;
  for (const auto& topic : request.topics) {
    for (const auto& partition : topic.partitions) {
      const std::pair<std::string_view, std::int32_t> key{topic.name, partition.partition_index};
      if (!seen.insert(key).second) duplicates.insert(key);
    }
  }

  protocol::ListOffsetsResponse response;
  seen.clear();
  for (const auto& topic : request.topics) {
    protocol::ListOffsetsResponse::ListOffsetsTopicResponse answers;
    answers.name = topic.name;
    for (const auto& partition : topic.partitions) {
      const std::pair<std::string_view, std::int32_t> key{topic.name, partition.partition_index};
      if (!seen.insert(key).second) continue;
      auto& answer = answers.partitions.emplace_back();
      answer.partition_index = partition.partition_index;
      replica::OffsetLookup found;
      if (duplicates.contains(key)) {
        found.error = ErrorCode::invalid_request;
      } else if (!is_supported(partition.timestamp, version)) {
        found.error = ErrorCode::unsupported_version;
      } else {
        const auto hosted = services.replicas.find(*image, topic.name, partition.partition_index);
        found.error = hosted.error;
        if (hosted.partition) {
          found = hosted.partition->lookup_offset(partition.timestamp, isolation_of(request),
                                                  partition.current_leader_epoch, leader_only);
        }
      }
      answer.error_code = static_cast<std::int16_t>(for_version(found.error, version));
      answer.timestamp = found.timestamp_ms;
      answer.offset = found.offset;
      answer.leader_epoch = version >= 4 ? found.leader_epoch : -1;
    }
    if (!answers.partitions.empty()) response.topics.push_back(std::move(answers));
  }
  return response;
}

}  // namespace dohle::api
