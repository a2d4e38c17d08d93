#include "server/api/transaction_verifier.h"

#include <algorithm>

#include "server/api/promise.h"
#include "server/api/services.h"
#include "server/replica/replica_set.h"
#include "server/transactions/transaction_coordinator.h"

namespace dohle::api {

using protocol::ErrorCode;

namespace {

/// The guard that the partition's log will ask for, or why there is none.
Verified begin(Services& services, const metadata::MetadataImage& image, const transactions::TopicPartition& target,
               const TransactionalWrite& write, std::int32_t sequence) {
  const auto hosted = services.replicas.find(image, target.topic, target.partition);
  if (hosted.error != ErrorCode::none) return {hosted.error, {}};
  if (!hosted.partition->is_leader()) return {ErrorCode::not_leader_or_follower, {}};
  const bool adds = write.support == VerificationSupport::adds_partition;
  const auto now_ms = services.clock.wall_ms();
  const auto started = hosted.partition->with_log([&](log::Log& log) {
    return log.producers().start_verification(write.producer.id, sequence, write.producer.epoch, adds, now_ms);
  });
  return {started.error, started.guard};
}

ErrorCode understood(ErrorCode error, VerificationSupport support) {
  if (error == ErrorCode::producer_fenced) return ErrorCode::invalid_producer_epoch;
  if (error == ErrorCode::transaction_abortable && support == VerificationSupport::old_errors) {
    return ErrorCode::invalid_txn_state;
  }
  return error;
}

boost::asio::awaitable<transactions::PartitionVerdicts> ask(Services& services, RequestContext& context,
                                                            const TransactionalWrite& write,
                                                            const VerifiedPartitions& partitions) {
  transactions::PartitionsOfTransaction asked;
  asked.transactional_id = write.transactional_id;
  asked.producer = write.producer;
  for (const auto& [target, verified] : partitions) {
    if (verified.guard.value != 0) asked.partitions.insert(target);
  }
  transactions::PartitionVerdicts answer;
  if (asked.partitions.empty()) co_return answer;
  if (write.support == VerificationSupport::adds_partition) {
    asked.client_version = transactions::first_version_with_epoch_bump;
    Promise<ErrorCode> promise;
    services.transactions.add_partitions(std::move(asked), promise.reply());
    const auto added = co_await promise.wait(context.session.closing);
    answer.error = added.value_or(ErrorCode::coordinator_not_available);
  } else {
    Promise<transactions::PartitionVerdicts> promise;
    services.transactions.verify_partitions(std::move(asked), promise.reply());
    auto verdicts = co_await promise.wait(context.session.closing);
    answer.error = ErrorCode::coordinator_not_available;
    if (verdicts) answer = std::move(*verdicts);
  }
  co_return answer;
}

boost::asio::awaitable<VerifiedPartitions> verify_once(Services& services, RequestContext& context,
                                                       const TransactionalWrite& write) {
  VerifiedPartitions result;
  const auto image = services.image.current();
  for (const auto& [target, sequence] : write.partitions) {
    result[target] = begin(services, *image, target, write, sequence);
  }
  const auto answer = co_await ask(services, context, write, result);
  for (auto& [target, verified] : result) {
    if (verified.guard.value == 0) continue;
    const auto found = answer.verdicts.find(target);
    verified.error = understood(found == answer.verdicts.end() ? answer.error : found->second, write.support);
  }
  co_return result;
}

}  // namespace

VerificationSupport produce_support(std::int16_t version) {
  if (version > 11) return VerificationSupport::adds_partition;
  return version > 10 ? VerificationSupport::abortable : VerificationSupport::old_errors;
}

VerificationSupport offset_commit_support(std::int16_t version) {
  if (version > 4) return VerificationSupport::adds_partition;
  return version > 3 ? VerificationSupport::abortable : VerificationSupport::old_errors;
}

boost::asio::awaitable<VerifiedPartitions> verify_write(Services& services, RequestContext& context,
                                                        const TransactionalWrite& write) {
  const auto config = services.config.current();
  const bool adds = write.support == VerificationSupport::adds_partition;
  VerifiedPartitions result;
  if (!adds && !config->values.get_bool("transaction.partition.verification.enable")) co_return result;
  const std::int64_t pause_ms = config->values.get_int("add.partitions.to.txn.retry.backoff.ms");
  const std::int64_t patience_ms = config->values.get_int("add.partitions.to.txn.retry.backoff.max.ms");
  const auto deadline_ms = services.clock.monotonic_ms() + patience_ms;
  while (true) {
    result = co_await verify_once(services, context, write);
    const bool is_ending = std::ranges::any_of(
        result, [](const auto& entry) { return entry.second.error == ErrorCode::concurrent_transactions; });
    // The client's own pause would be longer, and its request costs more than this one.
    if (!adds || !write.waits || !is_ending || services.clock.monotonic_ms() >= deadline_ms) co_return result;
    auto pause = runtime::Waiter::create();
    const auto reason = co_await pause->wait(services.clock.monotonic_ms() + pause_ms, &context.session.closing);
    if (reason == runtime::WakeReason::cancelled) co_return result;
  }
}

}  // namespace dohle::api
