#include "server/transactions/transaction_record.h"

#include "protocol/messages/transaction_log_key.h"
#include "protocol/messages/transaction_log_value.h"
#include "server/runtime/check.h"

namespace dohle::transactions {

namespace {

using protocol::TransactionLogKey;
using protocol::TransactionLogValue;
using runtime::ErrorKind;

TransactionLogKey key_of(const std::string& transactional_id) {
  TransactionLogKey key;
  key.transactional_id = transactional_id;
  return key;
}

std::vector<TransactionLogValue::PartitionsSchema> by_topic(const std::set<TopicPartition>& partitions) {
  std::vector<TransactionLogValue::PartitionsSchema> topics;
  for (const auto& [topic, partition] : partitions) {
    if (topics.empty() || topics.back().topic != topic) topics.emplace_back().topic = topic;
    topics.back().partition_ids.push_back(partition);
  }
  return topics;
}

runtime::Result<TransactionMetadata> read_value(const TransactionLogValue& value) {
  const auto state = state_from_id(value.transaction_status);
  if (!state) {
    return runtime::failure(ErrorKind::corrupt,
                            "unknown transaction state " + std::to_string(value.transaction_status));
  }
  if (value.client_transaction_version < 0 || value.client_transaction_version > first_version_with_epoch_bump) {
    return runtime::failure(ErrorKind::corrupt,
                            "unknown transaction.version " + std::to_string(value.client_transaction_version));
  }
  TransactionMetadata metadata;
  metadata.producer_id = value.producer_id;
  metadata.previous_producer_id = value.previous_producer_id;
  metadata.next_producer_id = value.next_producer_id;
  metadata.producer_epoch = value.producer_epoch;
  metadata.timeout_ms = value.transaction_timeout_ms;
  metadata.state = *state;
  metadata.start_ms = value.transaction_start_timestamp_ms;
  metadata.last_update_ms = value.transaction_last_update_timestamp_ms;
  metadata.client_version = value.client_transaction_version;
  if (*state == TransactionState::empty) return metadata;
  if (!value.transaction_partitions) {
    return runtime::failure(ErrorKind::corrupt, "a transaction that has begun has no list of partitions");
  }
  for (const auto& topic : *value.transaction_partitions) {
    for (const auto partition : topic.partition_ids) metadata.partitions.insert({topic.topic, partition});
  }
  return metadata;
}

}  // namespace

coordinator::Record transaction_record(const std::string& transactional_id, const TransactionMetadata& metadata,
                                       std::int16_t transaction_version) {
  CHECK(metadata.state != TransactionState::empty || metadata.partitions.empty());
  TransactionLogValue value;
  value.producer_id = metadata.producer_id;
  value.producer_epoch = metadata.producer_epoch;
  value.transaction_timeout_ms = metadata.timeout_ms;
  value.transaction_status = static_cast<std::int8_t>(metadata.state);
  value.transaction_last_update_timestamp_ms = metadata.last_update_ms;
  value.transaction_start_timestamp_ms = metadata.start_ms;
  if (metadata.state == TransactionState::empty) {
    value.transaction_partitions.reset();
  } else {
    value.transaction_partitions = by_topic(metadata.partitions);
  }
  const std::int16_t version = transaction_version >= first_version_with_flexible_records ? 1 : 0;
  // Version 0 cannot say them; setting them all the same would make the serializer refuse.
  if (version >= 1) {
    value.client_transaction_version = metadata.client_version;
    value.previous_producer_id = metadata.previous_producer_id;
    value.next_producer_id = metadata.next_producer_id;
  }
  return coordinator::make_record(key_of(transactional_id), version, value);
}

coordinator::Record transaction_tombstone(const std::string& transactional_id) {
  return coordinator::make_tombstone(key_of(transactional_id));
}

runtime::Result<std::optional<TransactionLogEntry>> read_transaction_record(const coordinator::Record& record) {
  const auto type = coordinator::record_type(record.key);
  if (!type) return runtime::failure(ErrorKind::corrupt, "the key of a transaction record is too short");
  if (*type != TransactionLogKey::record_type) return std::nullopt;
  TransactionLogKey key;
  if (!coordinator::decode_key(record.key, key)) {
    return runtime::failure(ErrorKind::corrupt, "the key of a transaction record cannot be read");
  }
  if (!record.value) return TransactionLogEntry{key.transactional_id, std::nullopt};

  codec::Reader reader(*record.value);
  const auto version = reader.i16();
  if (reader.ok() && (version < TransactionLogValue::min_version || version > TransactionLogValue::max_version)) {
    return std::nullopt;
  }
  TransactionLogValue value;
  if (!coordinator::decode_value(*record.value, value)) {
    return runtime::failure(ErrorKind::corrupt, "the transaction of '" + key.transactional_id + "' cannot be read");
  }
  auto metadata = read_value(value);
  if (!metadata) return std::unexpected(std::move(metadata.error()));
  return TransactionLogEntry{key.transactional_id, std::move(*metadata)};
}

}  // namespace dohle::transactions
