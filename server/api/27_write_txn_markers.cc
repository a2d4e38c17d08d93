// WriteTxnMarkers, key 27, v1 to v2. v2 transaction version (KIP-1228). From other brokers' coordinators, and from
// kafka-transactions.sh abort. Source: kafka.server.KafkaApis.handleWriteTxnMarkersRequest.

#include <algorithm>

#include "protocol/messages/write_txn_markers.h"
#include "server/api/async_handlers.h"
#include "server/api/marker_writer.h"
#include "server/api/promise.h"
#include "server/api/services.h"

namespace dohle::api {

namespace {

using Request = protocol::WriteTxnMarkersRequest;
using Response = protocol::WriteTxnMarkersResponse;

template <typename Named, typename Value>
Named& find_or_add(std::vector<Named>& list, Value Named::* member, const Value& value) {
  const auto found = std::ranges::find(list, value, member);
  if (found != list.end()) return *found;
  auto& added = list.emplace_back();
  added.*member = value;
  return added;
}

void add_results(std::int64_t producer_id, const MarkerResults& results, Response& response) {
  auto& marker = find_or_add(response.markers, &Response::WritableTxnMarkerResult::producer_id, producer_id);
  for (const auto& [target, error] : results) {
    auto& topic = find_or_add(marker.topics, &Response::WritableTxnMarkerTopicResult::name, target.topic);
    auto& partition = topic.partitions.emplace_back();
    partition.partition_index = target.partition;
    partition.error_code = static_cast<std::int16_t>(error);
  }
}

}  // namespace

boost::asio::awaitable<Response> write_txn_markers(Services& services, RequestContext& context, Request& request) {
  Response response;
  for (const auto& asked : request.markers) {
    protocol::EndTransactionMarker marker;
    marker.type = asked.transaction_result ? protocol::ControlRecordType::commit : protocol::ControlRecordType::abort;
    marker.coordinator_epoch = asked.coordinator_epoch;
    marker.producer_id = asked.producer_id;
    marker.producer_epoch = asked.producer_epoch;
    std::set<transactions::TopicPartition> partitions;
    for (const auto& topic : asked.topics) {
      for (const auto index : topic.partition_indexes) partitions.insert({topic.name, index});
    }
    Promise<MarkerResults> promise;
    services.markers.write(marker, asked.transaction_version, partitions, promise.reply());
    const auto results = co_await promise.wait(context.session.closing);
    if (results) add_results(asked.producer_id, *results, response);
  }
  co_return response;
}

}  // namespace dohle::api
