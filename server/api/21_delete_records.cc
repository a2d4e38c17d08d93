// DeleteRecords, key 21, v0 to v2: moves log starts up; -1 means the high watermark.
// Source: kafka.server.ReplicaManager.deleteRecordsOnLocalLog, Partition.deleteRecordsOnLeader.

#include "protocol/messages/delete_records.h"
#include "server/api/handlers.h"
#include "server/api/services.h"
#include "server/api/topic_name.h"
#include "server/replica/replica_set.h"

namespace dohle::api {

namespace {

replica::OffsetLookup delete_before(Services& services, const metadata::MetadataImage& image, const std::string& topic,
                                    std::int32_t partition, std::int64_t offset) {
  const auto* known = image.topics->find(topic);
  if (known == nullptr || known->partition(partition) == nullptr) {
    return {.error = protocol::ErrorCode::unknown_topic_or_partition};
  }
  if (is_internal_topic(topic)) return {.error = protocol::ErrorCode::invalid_topic_exception};
  const auto hosted = services.replicas.find(image, topic, partition);
  if (!hosted.partition) return {.error = hosted.error};
  auto result = hosted.partition->delete_records_before(offset);
  if (result.error == protocol::ErrorCode::kafka_storage_error) {
    services.replicas.report_disk_failure(*hosted.partition,
                                          "The log start of " + hosted.partition->name() + " could not be moved");
  }
  return result;
}

}  // namespace

protocol::DeleteRecordsResponse delete_records(Services& services, RequestContext&,
                                               protocol::DeleteRecordsRequest& request) {
  const auto image = services.image.current();
  protocol::DeleteRecordsResponse response;
  for (const auto& topic : request.topics) {
    auto& answers = response.topics.emplace_back();
    answers.name = topic.name;
    for (const auto& partition : topic.partitions) {
      const auto result = delete_before(services, *image, topic.name, partition.partition_index, partition.offset);
      auto& answer = answers.partitions.emplace_back();
      answer.partition_index = partition.partition_index;
      answer.low_watermark = result.error == protocol::ErrorCode::none ? result.offset : -1;
      answer.error_code = static_cast<std::int16_t>(result.error);
    }
  }
  return response;
}

}  // namespace dohle::api
