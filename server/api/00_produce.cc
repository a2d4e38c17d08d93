// Produce, key 0, v3 to v13 (advertised from 0, KAFKA-18659). v3 transactional id, v5 log start offset, v7 zstd, v8
// record errors (KIP-467), v10 leader hints (KIP-951), v12 implies transaction.version 2 (KIP-890), v13 topic ids.
// Source: kafka.server.KafkaApis.handleProduceRequest.

#include <map>
#include <set>

#include "protocol/messages/produce.h"
#include "protocol/record_batch.h"
#include "server/api/async_handlers.h"
#include "server/api/produce_appender.h"
#include "server/api/services.h"
#include "server/api/transaction_verifier.h"
#include "server/replica/replica_set.h"
#include "server/runtime/disk_pool.h"

namespace dohle::api {

namespace {

using protocol::ErrorCode;

/// Of the byte that says which format a batch has.
constexpr std::size_t magic_position = 16;

/// The producers of the transactional batches, and the partitions that they write to.
struct TransactionalBatches {
  std::set<std::pair<std::int64_t, std::int16_t>> producers;
  std::map<transactions::TopicPartition, std::int32_t> partitions;
};

TransactionalBatches transactional_batches(const metadata::MetadataImage& image,
                                           const protocol::ProduceRequest& request) {
  TransactionalBatches found;
  for (const auto& topic : request.topic_data) {
    const auto* known = topic.topic_id.is_zero() ? nullptr : image.topics->find(topic.topic_id);
    const auto& name = known == nullptr ? topic.name : known->name;
    for (const auto& partition : topic.partition_data) {
      const auto bytes = partition.records.bytes;
      if (bytes.size() < protocol::record_batch_overhead || bytes[magic_position] != 2) continue;
      const protocol::RecordBatch batch(bytes);
      if (!batch.is_transactional()) continue;
      found.producers.emplace(batch.producer_id(), batch.producer_epoch());
      found.partitions[{name, partition.index}] = batch.base_sequence();
    }
  }
  return found;
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
  auto batches = transactional_batches(*services.image.current(), request);
  auto refusal = ErrorCode::none;
  if (!request.transactional_id && !batches.producers.empty()) {
    refusal = ErrorCode::transactional_id_authorization_failed;
  } else if (batches.producers.size() > 1) {
    refusal = ErrorCode::invalid_producer_id_mapping;
  }
  if (refusal != ErrorCode::none) {
    if (request.acks == 0) context.action = net::Response::Action::close;
    co_return refuse_all(request, refusal);
  }
  ProduceAppender appender(services, context, request);
  if (!batches.producers.empty()) {
    TransactionalWrite write;
    write.transactional_id = *request.transactional_id;
    write.producer = {batches.producers.begin()->first, batches.producers.begin()->second};
    write.support = produce_support(context.version());
    write.partitions = std::move(batches.partitions);
    write.waits = true;
    auto verified = co_await verify_write(services, context, write);
    appender.set_verified(std::move(verified));
  }
  appender.append();
  if (appender.has_put_off()) {
    const auto judge = [&appender] { appender.judge_put_off(); };
    const bool ran = co_await services.disk_pool.run(runtime::Lane::compute, judge);
    if (!ran) appender.judge_put_off();  // the pool is full or stopping: then it takes its time here
    appender.append_put_off();
  }
  if (!appender.due_flushes().empty()) co_await flush_due(services, appender);
  if (request.acks == 0) {
    // The only sign that a client gets: it looks for the leader again when the connection is gone.
    context.action = appender.has_error() ? net::Response::Action::close : net::Response::Action::none;
  }
  co_return appender.answer();
}

}  // namespace dohle::api
