// Produce, key 0, v3 to v13 (advertised from 0, KAFKA-18659). v3 transactional id, v5 log start offset, v7 zstd, v8
// record errors (KIP-467), v10 leader hints (KIP-951), v12 implies transaction.version 2 (KIP-890), v13 topic ids.
// Source: kafka.server.KafkaApis.handleProduceRequest.

#include "protocol/messages/produce.h"
#include "protocol/record_batch.h"
#include "server/api/async_handlers.h"
#include "server/api/produce_appender.h"
#include "server/api/services.h"
#include "server/replica/replica_set.h"
#include "server/runtime/disk_pool.h"

namespace dohle::api {

namespace {

using protocol::ErrorCode;

/// Of the byte that says which format a batch has.
constexpr std::size_t magic_position = 16;

bool has_transactional_records(const protocol::ProduceRequest& request) {
  for (const auto& topic : request.topic_data) {
    for (const auto& partition : topic.partition_data) {
      const auto bytes = partition.records.bytes;
      if (bytes.size() < protocol::record_batch_overhead || bytes[magic_position] != 2) continue;
      if (protocol::RecordBatch(bytes).is_transactional()) return true;
    }
  }
  return false;
}

protocol::ProduceResponse refuse_all(const protocol::ProduceRequest& request, ErrorCode error) {
  protocol::ProduceResponse response;
  for (const auto& topic : request.topic_data) {
    auto& answers = response.responses.emplace_back();
    answers.name = topic.name;
    answers.topic_id = topic.topic_id;
    for (const auto& partition : topic.partition_data) {
      auto& answer = answers.partition_responses.emplace_back();
      answer.index = partition.index;
      answer.base_offset = -1;
      answer.error_code = static_cast<std::int16_t>(error);
    }
  }
  return response;
}

/// Partitions whose answer waits for the disk: the pool syncs each, and later callers find their work done.
boost::asio::awaitable<void> flush_due(Services& services, ProduceAppender& appender) {
  for (const auto& partition : appender.due_flushes()) {
    auto error = ErrorCode::kafka_storage_error;
    const auto work = [&partition, &error] { error = partition->flush(); };
    const bool ran = co_await services.disk_pool.run(runtime::Lane::fsync, work);
    if (error == ErrorCode::none) continue;
    appender.flush_failed(*partition, error);
    if (ran && error == ErrorCode::kafka_storage_error) {
      services.replicas.report_disk_failure(*partition, partition->name() + " could not be flushed");
    }
  }
}

}  // namespace

boost::asio::awaitable<protocol::ProduceResponse> produce(Services& services, RequestContext& context,
                                                          protocol::ProduceRequest& request) {
  if (!request.transactional_id && has_transactional_records(request)) {
    if (request.acks == 0) context.action = net::Response::Action::close;
    co_return refuse_all(request, ErrorCode::transactional_id_authorization_failed);
  }
  ProduceAppender appender(services, context, request);
  appender.append();
  if (!appender.due_flushes().empty()) co_await flush_due(services, appender);
  if (request.acks == 0) {
    // The only sign that a client gets: it looks for the leader again when the connection is gone.
    context.action = appender.has_error() ? net::Response::Action::close : net::Response::Action::none;
  }
  co_return appender.answer();
}

}  // namespace dohle::api
