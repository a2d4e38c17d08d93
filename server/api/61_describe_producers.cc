// DescribeProducers, key 61, v0 (KIP-664): what a partition's log remembers of its producers.
// Source: kafka.server.KafkaApis.handleDescribeProducersRequest, UnifiedLog.activeProducers.

#include "protocol/messages/describe_producers.h"
#include "server/api/handlers.h"
#include "server/api/services.h"
#include "server/metadata/controller_result.h"
#include "server/metadata/topic_name.h"
#include "server/replica/replica_set.h"

namespace dohle::api {

namespace {

using Response = protocol::DescribeProducersResponse;

void add_producers(replica::Partition& partition, Response::PartitionResponse& answer) {
  partition.with_log([&answer](log::Log& log) {
    for (const auto& [id, entry] : log.producers().producers()) {
      auto& producer = answer.active_producers.emplace_back();
      producer.producer_id = id;
      producer.producer_epoch = entry.epoch;
      producer.last_sequence = entry.last_sequence();
      producer.last_timestamp = entry.last_timestamp_ms;
      producer.coordinator_epoch = entry.coordinator_epoch;
      producer.current_txn_start_offset = entry.transaction_first_offset.value_or(-1);
    }
  });
}

metadata::ApiError check_topic(const metadata::MetadataImage& image, const std::string& name) {
  if (auto problem = metadata::invalid_topic_name(name)) {
    return {protocol::ErrorCode::invalid_topic_exception, std::move(problem)};
  }
  if (image.topics->find(name) != nullptr) return {};
  return {protocol::ErrorCode::unknown_topic_or_partition, "This server does not host this topic-partition."};
}

}  // namespace

Response describe_producers(Services& services, RequestContext&, protocol::DescribeProducersRequest& request) {
  const auto image = services.image.current();
  Response response;
  for (const auto& topic : request.topics) {
    auto& answers = response.topics.emplace_back();
    answers.name = topic.name;
    const auto error = check_topic(*image, topic.name);
    for (const auto index : topic.partition_indexes) {
      auto& answer = answers.partitions.emplace_back();
      answer.partition_index = index;
      answer.error_code = static_cast<std::int16_t>(error.code);
      answer.error_message = error.message;
      if (error.failed()) continue;
      const auto hosted = services.replicas.find(*image, topic.name, index);
      answer.error_code = static_cast<std::int16_t>(hosted.error);
      if (hosted.partition) add_producers(*hosted.partition, answer);
    }
  }
  return response;
}

}  // namespace dohle::api
