// AddPartitionsToTxn, key 24, v0 to v5. v2 PRODUCER_FENCED; v4 many transactions and verification only, between brokers
// (KIP-890); v5 TRANSACTION_ABORTABLE. Source: kafka.server.KafkaApis.handleAddPartitionsToTxnRequest.

#include <map>

#include "protocol/messages/add_partitions_to_txn.h"
#include "server/api/async_handlers.h"
#include "server/api/promise.h"
#include "server/api/services.h"
#include "server/transactions/transaction_coordinator.h"

namespace dohle::api {

namespace {

using protocol::AddPartitionsToTxnRequest;
using protocol::AddPartitionsToTxnResponse;
using protocol::ErrorCode;
using Transaction = AddPartitionsToTxnRequest::AddPartitionsToTxnTransaction;
using Result = AddPartitionsToTxnResponse::AddPartitionsToTxnResult;
using Verdicts = std::map<transactions::TopicPartition, ErrorCode>;

constexpr std::int16_t first_version_with_producer_fenced = 2;
constexpr std::int16_t first_version_with_many = 4;

Transaction only_transaction(AddPartitionsToTxnRequest& request) {
  Transaction transaction;
  transaction.transactional_id = std::move(request.v3_and_below_transactional_id);
  transaction.producer_id = request.v3_and_below_producer_id;
  transaction.producer_epoch = request.v3_and_below_producer_epoch;
  transaction.topics = std::move(request.v3_and_below_topics);
  return transaction;
}

Result result_of(const std::string& transactional_id, const Verdicts& verdicts) {
  Result result;
  result.transactional_id = transactional_id;
  for (const auto& [target, error] : verdicts) {
    if (result.topic_results.empty() || result.topic_results.back().name != target.topic) {
      result.topic_results.emplace_back().name = target.topic;
    }
    auto& answer = result.topic_results.back().results_by_partition.emplace_back();
    answer.partition_index = target.partition;
    answer.partition_error_code = static_cast<std::int16_t>(error);
  }
  return result;
}

/// One partition that does not exist keeps all the others out.
bool refuse_unknown(const metadata::MetadataImage& image, Verdicts& verdicts) {
  bool refused = false;
  for (auto& [target, error] : verdicts) {
    const auto* topic = image.topics->find(target.topic);
    if (topic != nullptr && topic->partition(target.partition) != nullptr) continue;
    error = ErrorCode::unknown_topic_or_partition;
    refused = true;
  }
  if (!refused) return false;
  for (auto& [target, error] : verdicts) {
    if (error == ErrorCode::none) error = ErrorCode::operation_not_attempted;
  }
  return true;
}

boost::asio::awaitable<void> ask(Services& services, RequestContext& context, const Transaction& transaction,
                                 Verdicts& verdicts) {
  transactions::PartitionsOfTransaction asked;
  asked.transactional_id = transaction.transactional_id;
  asked.producer = {transaction.producer_id, transaction.producer_epoch};
  for (const auto& [target, error] : verdicts) asked.partitions.insert(target);
  // Whoever speaks these versions speaks transactions of the second generation.
  const bool is_new = context.version() >= first_version_with_many;
  asked.client_version = is_new ? transactions::first_version_with_epoch_bump : std::int16_t{0};

  transactions::PartitionVerdicts answer;
  if (transaction.verify_only) {
    Promise<transactions::PartitionVerdicts> promise;
    services.transactions.verify_partitions(std::move(asked), promise.reply());
    auto verified = co_await promise.wait(context.session.closing);
    if (verified) answer = std::move(*verified);
  } else {
    Promise<ErrorCode> promise;
    services.transactions.add_partitions(std::move(asked), promise.reply());
    const auto added = co_await promise.wait(context.session.closing);
    answer.error = added.value_or(ErrorCode::none);
    const bool is_old = context.version() < first_version_with_producer_fenced;
    if (is_old && answer.error == ErrorCode::producer_fenced) answer.error = ErrorCode::invalid_producer_epoch;
  }
  for (auto& [target, error] : verdicts) {
    const auto found = answer.verdicts.find(target);
    error = found == answer.verdicts.end() ? answer.error : found->second;
  }
}

}  // namespace

boost::asio::awaitable<AddPartitionsToTxnResponse> add_partitions_to_txn(Services& services, RequestContext& context,
                                                                         AddPartitionsToTxnRequest& request) {
  AddPartitionsToTxnResponse response;
  const bool has_many = context.version() >= first_version_with_many;
  if (!has_many) request.transactions.push_back(only_transaction(request));
  for (const auto& transaction : request.transactions) {
    Verdicts verdicts;
    for (const auto& topic : transaction.topics) {
      for (const auto partition : topic.partitions) verdicts[{topic.name, partition}] = ErrorCode::none;
    }
    const auto image = services.image.current();
    if (!refuse_unknown(*image, verdicts)) co_await ask(services, context, transaction, verdicts);
    response.results_by_transaction.push_back(result_of(transaction.transactional_id, verdicts));
  }
  if (!has_many) {
    response.results_by_topic_v3_and_below = std::move(response.results_by_transaction.front().topic_results);
    response.results_by_transaction.clear();
  }
  co_return response;
}

}  // namespace dohle::api
