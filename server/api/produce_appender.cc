#include "server/api/produce_appender.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "codec/reader.h"
#include "protocol/record_entry.h"
#include "server/api/leader_hint.h"
#include "server/api/services.h"
#include "server/api/topic_name.h"
#include "server/replica/replica_set.h"
#include "server/runtime/disk_pool.h"
#include "server/runtime/log_line.h"

namespace dohle::api {

using protocol::ErrorCode;

namespace {

std::optional<codec::Compression> compression_of(config::CompressionType type) {
  switch (type) {
    case config::CompressionType::producer:
      return std::nullopt;
    case config::CompressionType::uncompressed:
      return codec::Compression::none;
    case config::CompressionType::gzip:
      return codec::Compression::gzip;
    case config::CompressionType::snappy:
      return codec::Compression::snappy;
    case config::CompressionType::lz4:
      return codec::Compression::lz4;
    case config::CompressionType::zstd:
      return codec::Compression::zstd;
  }
  return std::nullopt;
}

std::optional<int> level_of(const config::LogConfig& config) {
  switch (config.compression_type) {
    case config::CompressionType::gzip:
      return config.compression_gzip_level;
    case config::CompressionType::lz4:
      return config.compression_lz4_level;
    case config::CompressionType::zstd:
      return config.compression_zstd_level;
    default:
      return std::nullopt;
  }
}

log::BatchPolicy policy_of(const config::LogConfig& config) {
  const bool append_time = config.message_timestamp_type == config::TimestampType::log_append_time;
  return {
      .timestamp_type = append_time ? protocol::TimestampType::log_append_time : protocol::TimestampType::create_time,
      .timestamp_before_max_ms = config.message_timestamp_before_max_ms,
      .timestamp_after_max_ms = config.message_timestamp_after_max_ms,
      .compression = compression_of(config.compression_type),
      .compression_level = level_of(config),
      .compacted = config.cleanup_policy_compact,
      .max_message_bytes = config.max_message_bytes,
      .segment_bytes = config.segment_bytes};
}

/// Errors that Kafka's ReplicaManager answers without the log start offset.
bool hides_log_start(ErrorCode error) {
  switch (error) {
    case ErrorCode::unknown_topic_or_partition:
    case ErrorCode::not_leader_or_follower:
    case ErrorCode::message_too_large:
    case ErrorCode::record_list_too_large:
    case ErrorCode::corrupt_message:
    case ErrorCode::kafka_storage_error:
    case ErrorCode::unknown_topic_id:
      return true;
    default:
      return false;
  }
}

/// Every append fails until there is room again: one line now and then.
void report_full_disk(const replica::Partition& partition, const std::string& message) {
  static runtime::LogLimiter limiter(1, 10'000);
  if (!limiter.admit(runtime::system_clock().monotonic_ms())) return;
  runtime::log_error("kafka.server.ReplicaManager", "Error processing append operation on partition {}: {}",
                     partition.name(), message);
}

using NamedPartition = protocol::ProduceRequest::PartitionProduceData;

/// A partition that is named twice counts once, with what was said last, as in Kafka's map: those before the last.
std::set<const NamedPartition*> superseded_partitions(const protocol::ProduceRequest& request) {
  struct Named {
    const protocol::ProduceRequest::TopicProduceData* topic;
    const NamedPartition* partition;
    auto key() const { return std::tie(topic->topic_id, topic->name, partition->index); }
  };
  std::vector<Named> all;
  for (const auto& topic : request.topic_data) {
    for (const auto& partition : topic.partition_data) all.push_back({&topic, &partition});
  }
  std::ranges::stable_sort(all, [](const Named& a, const Named& b) { return a.key() < b.key(); });
  std::set<const NamedPartition*> superseded;
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i - 1].key() == all[i].key()) superseded.insert(all[i - 1].partition);
  }
  return superseded;
}

/// What Kafka says where not even a batch's head can be read (ByteBufferLogInputStream); nullopt where it can.
std::optional<std::string> head_problem(codec::Bytes records) {
  const auto entry = protocol::next_entry(records);
  if (entry.status != protocol::EntryStatus::corrupt) return std::nullopt;
  if (entry.magic < 0 || entry.magic > 2) return fmt::format("Invalid magic found in record: {}", entry.magic);
  constexpr std::size_t length_position = 8;
  return fmt::format("Record size {} is less than the minimum record overhead (14)",
                     codec::Reader(records.subspan(length_position)).i32());
}

}  // namespace

ProduceAppender::ProduceAppender(Services& services, RequestContext& context, protocol::ProduceRequest& request)
    : services_(services), context_(context), request_(request) {}

codec::MutableBytes ProduceAppender::mutable_records(const protocol::Records& records) const {
  // The view points into the request's own frame, which may be changed.
  if (records.bytes.empty()) return {};
  const auto offset = static_cast<std::size_t>(records.bytes.data() - context_.frame.data());
  return context_.frame.subspan(offset, records.bytes.size());
}

ErrorCode ProduceAppender::resolve(const metadata::MetadataImage& image,
                                   const protocol::ProduceRequest::TopicProduceData& topic, Target& target) const {
  const bool by_id = !topic.topic_id.is_zero();
  const auto* known = by_id ? image.topics->find(topic.topic_id) : image.topics->find(topic.name);
  if (known == nullptr) {
    return context_.version() >= 13 ? ErrorCode::unknown_topic_id : ErrorCode::unknown_topic_or_partition;
  }
  target.topic = known->name;
  if (known->partition(target.answer.index) == nullptr) return ErrorCode::unknown_topic_or_partition;
  if (is_internal_topic(known->name) && context_.header.client_id != "__admin_client") {
    return ErrorCode::invalid_topic_exception;
  }
  auto hosted = services_.replicas.find(image, known->name, target.answer.index);
  target.partition = std::move(hosted.partition);
  return hosted.error;
}

void ProduceAppender::append() {
  const auto superseded = superseded_partitions(request_);
  const auto image = services_.image.current();
  const bool valid_acks = request_.acks >= -1 && request_.acks <= 1;
  for (const auto& topic : request_.topic_data) {
    for (const auto& data : topic.partition_data) {
      if (superseded.contains(&data)) continue;
      auto& target = targets_.emplace_back();
      target.topic = topic.name;
      target.topic_id = topic.topic_id;
      target.answer.index = data.index;
      target.answer.base_offset = -1;
      auto error = resolve(*image, topic, target);
      if (error == ErrorCode::none && !valid_acks) error = ErrorCode::invalid_required_acks;
      target.answer.error_code = static_cast<std::int16_t>(error);
      if (error == ErrorCode::none && check_verified(target)) append_validated(target, mutable_records(data.records));
    }
  }
}

bool ProduceAppender::check_verified(Target& target) const {
  const auto found = verified_.find({target.partition->topic(), target.partition->index()});
  if (found == verified_.end()) return true;
  target.guard = found->second.guard;
  auto error = found->second.error;
  if (error == ErrorCode::none) return true;
  const bool adds = produce_support(context_.version()) == VerificationSupport::adds_partition;
  switch (error) {
    case ErrorCode::invalid_txn_state:
      target.answer.error_message = "Partition was not added to the transaction";
      break;
    case ErrorCode::network_exception:
    case ErrorCode::coordinator_load_in_progress:
    case ErrorCode::coordinator_not_available:
    case ErrorCode::not_coordinator:
    case ErrorCode::concurrent_transactions:
      // The second generation knows what to do about a transaction that is ending. All else is an error that makes old
      // clients try again.
      if (adds && error == ErrorCode::concurrent_transactions) break;
      target.answer.error_message =
          "Unable to verify the partition has been added to the transaction. Underlying error: " +
          std::string(protocol::name(error));
      error = ErrorCode::not_enough_replicas;
      break;
    default:
      break;
  }
  target.answer.error_code = static_cast<std::int16_t>(error);
  return false;
}

void ProduceAppender::append_validated(Target& target, codec::MutableBytes records) {
  const auto config = target.partition->config();
  auto verdict = judge(target, records, *config, log::short_validation);
  if (verdict.put_off) {
    put_off_.push_back({static_cast<std::size_t>(&target - targets_.data()), records, config, {}});
  } else {
    store(target, records, std::move(verdict));
  }
}

log::BatchVerdict ProduceAppender::judge(const Target& target, codec::MutableBytes records,
                                         const config::LogConfig& config, const log::ValidationBounds& bounds) const {
  return log::validate_batch({.records = records,
                              .request_version = context_.version(),
                              .origin = log::AppendOrigin::client,
                              .topic = target.partition->topic(),
                              .partition = target.partition->index(),
                              .now_ms = services_.clock.wall_ms()},
                             policy_of(config), bounds);
}

void ProduceAppender::judge_put_off() {
  for (auto& each : put_off_) each.verdict = judge(targets_[each.target], each.records, *each.config, {});
}

void ProduceAppender::append_put_off() {
  for (auto& each : put_off_) store(targets_[each.target], each.records, std::move(each.verdict));
  put_off_.clear();
}

void ProduceAppender::store(Target& target, codec::MutableBytes records, log::BatchVerdict verdict) {
  auto& partition = *target.partition;
  auto& answer = target.answer;
  if (!verdict.ok()) {
    answer.error_code = static_cast<std::int16_t>(verdict.error);
    answer.error_message = std::move(verdict.error_message);
    if (verdict.error == ErrorCode::corrupt_message && !answer.error_message) {
      answer.error_message = head_problem(records);
    }
    for (auto& error : verdict.record_errors) {
      auto& named = answer.record_errors.emplace_back();
      named.batch_index = error.batch_index;
      named.batch_index_error_message = std::move(error.message);
    }
    if (verdict.answers_log_start_offset) answer.log_start_offset = partition.log_start_offset();
    return;
  }

  const auto result = partition.append({.batches = verdict.batch, .guard = target.guard}, request_.acks);
  answer.error_code = static_cast<std::int16_t>(result.error);
  if (result.error != ErrorCode::none) {
    if (!hides_log_start(result.error)) answer.log_start_offset = partition.log_start_offset();
    if (result.disk_failed) {
      services_.replicas.report_disk_failure(partition, result.message);
    } else if (result.error == ErrorCode::kafka_storage_error && !result.message.empty()) {
      report_full_disk(partition, result.message);
    }
    return;
  }
  if (result.rolled) flush_closed_segments(target.partition);
  answer.base_offset = result.base_offset;
  answer.log_append_time_ms = result.duplicate ? result.duplicate_timestamp_ms : verdict.log_append_time;
  answer.log_start_offset = result.log_start_offset;
  target.flush_due = result.flush_due;
}

void ProduceAppender::flush_closed_segments(const std::shared_ptr<replica::Partition>& partition) {
  const bool queued = services_.disk_pool.submit(runtime::Lane::fsync, [&replicas = services_.replicas, partition] {
    if (partition->flush_closed_segments() == ErrorCode::kafka_storage_error) {
      replicas.report_disk_failure(*partition, "a closed segment of " + partition->name() + " could not be synced");
    }
  });
  // With a full queue the next flush takes them along.
  (void)queued;
}

std::vector<std::shared_ptr<replica::Partition>> ProduceAppender::due_flushes() const {
  std::vector<std::shared_ptr<replica::Partition>> due;
  for (const auto& target : targets_) {
    if (target.flush_due) due.push_back(target.partition);
  }
  return due;
}

void ProduceAppender::flush_failed(const replica::Partition& partition, ErrorCode error) {
  for (auto& target : targets_) {
    if (target.partition.get() != &partition || !target.flush_due) continue;
    target.answer = {};
    target.answer.index = partition.index();
    target.answer.base_offset = -1;
    target.answer.error_code = static_cast<std::int16_t>(error);
  }
}

bool ProduceAppender::has_error() const {
  return std::ranges::any_of(targets_, [](const Target& target) { return target.answer.error_code != 0; });
}

protocol::ProduceResponse ProduceAppender::answer() {
  protocol::ProduceResponse response;
  const auto image = services_.image.current();
  for (auto& target : targets_) {
    const bool same_topic =
        !response.responses.empty() && (context_.version() >= 13 ? response.responses.back().topic_id == target.topic_id
                                                                 : response.responses.back().name == target.topic);
    if (!same_topic) {
      auto& topic = response.responses.emplace_back();
      topic.name = target.topic;
      topic.topic_id = target.topic_id;
    }
    if (context_.version() >= 10 &&
        target.answer.error_code == static_cast<std::int16_t>(ErrorCode::not_leader_or_follower)) {
      const auto hint = current_leader(*image, target.topic, target.answer.index, context_.session.listener);
      target.answer.current_leader.leader_id = hint.leader_id;
      target.answer.current_leader.leader_epoch = hint.leader_epoch;
      add_node_endpoint(*image, hint, context_.session.listener, response.node_endpoints);
    }
    response.responses.back().partition_responses.push_back(std::move(target.answer));
  }
  return response;
}

}  // namespace dohle::api
