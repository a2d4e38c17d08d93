#include "server/transactions/transaction_coordinator.h"

#include <memory>
#include <utility>

namespace dohle::transactions {

using coordinator::OperationContext;
using protocol::ErrorCode;

namespace {

constexpr const char* logger = "kafka.coordinator.transaction.TransactionStateManager";

coordinator::RuntimeOptions runtime_options(const config::BrokerConfig& config) {
  coordinator::RuntimeOptions options;
  options.topic = transaction_state_topic;
  options.logger = logger;
  options.node_id = config.node_id;
  options.default_partitions = config.transaction_state_log_num_partitions;
  options.base_sequence = -1;
  options.load_buffer_bytes =
      static_cast<std::int32_t>(config.values.get_int("transaction.state.log.load.buffer.size"));
  return options;
}

TransactionSettings settings_of(const config::BrokerConfig& config) {
  TransactionSettings settings;
  settings.max_timeout_ms = config.transaction_max_timeout_ms;
  settings.id_expiration_ms = config.transactional_id_expiration_ms;
  settings.abort_interval_ms = config.values.get_int("transaction.abort.timed.out.transaction.cleanup.interval.ms");
  settings.expiration_interval_ms = config.values.get_int("transaction.remove.expired.transaction.cleanup.interval.ms");
  return settings;
}

ProducerAnswer refused_producer(ErrorCode error) {
  return {error, {}};
}

/// An operation that nobody waits for.
struct Nothing {};

}  // namespace

TransactionCoordinator::TransactionCoordinator(const config::BrokerConfig& config, runtime::ReactorPool& reactors,
                                               runtime::DiskPool& disk_pool, coordinator::PartitionLogs logs,
                                               const runtime::Snapshot<metadata::MetadataImage>& image,
                                               const runtime::Clock& clock, ProducerIdSource producer_ids,
                                               MarkerSender& markers)
    : settings_(settings_of(config)),
      producer_ids_(std::move(producer_ids)),
      markers_(markers),
      reactors_(reactors),
      runtime_(runtime_options(config), reactors, disk_pool, std::move(logs), image, clock,
               [this](std::int32_t partition, coordinator::Timers& timers) {
                 return std::make_unique<TransactionShard>(partition, settings_, timers, producer_ids_, markers_);
               }) {}

void TransactionCoordinator::init_producer(InitProducer request, Reply<ProducerAnswer> reply) {
  if (request.transactional_id.empty()) {
    reply(refused_producer(ErrorCode::invalid_request));
    return;
  }
  if (request.timeout_ms <= 0 || request.timeout_ms > settings_.max_timeout_ms) {
    reply(refused_producer(ErrorCode::invalid_transaction_timeout));
    return;
  }
  const auto partition = runtime_.partition_for(request.transactional_id);
  runtime_.write<ProducerAnswer>(
      partition,
      [request = std::move(request)](TransactionShard& shard, const OperationContext& context,
                                     Reply<ProducerAnswer> answer) {
        return shard.init_producer(context, request, std::move(answer));
      },
      std::move(reply), refused_producer);
}

void TransactionCoordinator::end(EndTransaction request, Reply<ProducerAnswer> reply) {
  if (request.transactional_id.empty()) {
    reply(refused_producer(ErrorCode::invalid_request));
    return;
  }
  const auto partition = runtime_.partition_for(request.transactional_id);
  runtime_.write<ProducerAnswer>(
      partition,
      [request = std::move(request)](TransactionShard& shard, const OperationContext& context,
                                     Reply<ProducerAnswer> answer) {
        return shard.end(context, request, std::move(answer));
      },
      std::move(reply), refused_producer);
}

void TransactionCoordinator::add_partitions(PartitionsOfTransaction request, Reply<ErrorCode> reply) {
  if (request.transactional_id.empty()) {
    reply(ErrorCode::invalid_request);
    return;
  }
  const auto partition = runtime_.partition_for(request.transactional_id);
  runtime_.write<ErrorCode>(
      partition,
      [request = std::move(request)](TransactionShard& shard, const OperationContext& context,
                                     Reply<ErrorCode> answer) {
        return shard.add_partitions(context, request, std::move(answer));
      },
      std::move(reply), [](ErrorCode error) { return error; });
}

void TransactionCoordinator::verify_partitions(PartitionsOfTransaction request, Reply<PartitionVerdicts> reply) {
  if (request.transactional_id.empty()) {
    reply({ErrorCode::invalid_request, {}});
    return;
  }
  const auto partition = runtime_.partition_for(request.transactional_id);
  runtime_.write<PartitionVerdicts>(
      partition,
      [request = std::move(request)](TransactionShard& shard, const OperationContext&,
                                     Reply<PartitionVerdicts> answer) {
        return shard.verify_partitions(request, std::move(answer));
      },
      std::move(reply), [](ErrorCode error) { return PartitionVerdicts{error, {}}; });
}

void TransactionCoordinator::markers_written(std::int32_t coordinator_partition, MarkerReport report) {
  // The report may come from inside an operation: it must not run there.
  reactors_.at(coordinator_partition % reactors_.size())
      .post([this, coordinator_partition, report = std::move(report)]() mutable {
        runtime_.write<Nothing>(
            coordinator_partition,
            [report = std::move(report)](TransactionShard& shard, const OperationContext& context, Reply<Nothing>) {
              return shard.markers_written(context, report);
            },
            // Without a shard there is nothing to do: whoever leads the partition next sends the markers again.
            [](Nothing) {}, [](ErrorCode) { return Nothing{}; });
      });
}

void TransactionCoordinator::describe(std::string transactional_id, Reply<DescribedTransaction> reply) {
  if (transactional_id.empty()) {
    reply({ErrorCode::invalid_request, {}});
    return;
  }
  const auto partition = runtime_.partition_for(transactional_id);
  runtime_.write<DescribedTransaction>(
      partition,
      [id = std::move(transactional_id)](TransactionShard& shard, const OperationContext&,
                                         Reply<DescribedTransaction> answer) {
        return shard.describe(id, std::move(answer));
      },
      std::move(reply), [](ErrorCode error) { return DescribedTransaction{error, {}}; });
}

void TransactionCoordinator::list(std::int32_t coordinator_partition, TransactionFilter filter,
                                  Reply<ListedTransactions> reply) {
  runtime_.write<ListedTransactions>(
      coordinator_partition,
      [filter = std::move(filter)](TransactionShard& shard, const OperationContext& context,
                                   Reply<ListedTransactions> answer) {
        return shard.list(context, filter, std::move(answer));
      },
      std::move(reply), [](ErrorCode error) { return ListedTransactions{error, {}}; });
}

}  // namespace dohle::transactions
