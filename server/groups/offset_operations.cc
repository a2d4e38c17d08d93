#include "server/groups/offset_operations.h"

#include <algorithm>
#include <set>
#include <utility>

#include "server/groups/utf16_length.h"

namespace dohle::groups {

using protocol::ErrorCode;

namespace {

constexpr std::int64_t default_retention_ms = -1;

std::int16_t code(ErrorCode error) {
  return static_cast<std::int16_t>(error);
}

template <typename Partition>
OffsetAndMetadata offset_of(const Partition& partition, const codec::Uuid& topic_id, std::int64_t now_ms,
                            std::optional<std::int64_t> expire_timestamp_ms) {
  OffsetAndMetadata offset;
  offset.committed_offset = partition.committed_offset;
  offset.leader_epoch = partition.committed_leader_epoch;
  offset.metadata = partition.committed_metadata.value_or("");
  offset.commit_timestamp_ms = now_ms;
  offset.expire_timestamp_ms = expire_timestamp_ms;
  offset.topic_id = topic_id;
  return offset;
}

using FetchedPartition = protocol::OffsetFetchResponse::OffsetFetchResponsePartitions;

FetchedPartition fetched_partition(std::int32_t index, const OffsetAndMetadata* offset, bool is_unstable,
                                   const codec::Uuid& expected_topic_id) {
  FetchedPartition answer;
  answer.partition_index = index;
  answer.committed_offset = -1;
  answer.committed_leader_epoch = -1;
  answer.metadata = "";
  if (is_unstable) {
    answer.error_code = code(ErrorCode::unstable_offset_commit);
    return answer;
  }
  if (offset == nullptr) return answer;
  // The topic was deleted and made again: the offset is the former one's.
  const bool is_other_topic =
      !offset->topic_id.is_zero() && !expected_topic_id.is_zero() && offset->topic_id != expected_topic_id;
  if (is_other_topic) return answer;
  answer.committed_offset = offset->committed_offset;
  answer.committed_leader_epoch = offset->leader_epoch;
  answer.metadata = offset->metadata;
  return answer;
}

bool has_expired(const OffsetAndMetadata& offset, const OffsetExpiration& expiration, std::int64_t now_ms,
                 std::int64_t retention_ms) {
  if (offset.expire_timestamp_ms) return now_ms >= *offset.expire_timestamp_ms;
  return now_ms - expiration.base_timestamp_ms.value_or(offset.commit_timestamp_ms) >= retention_ms;
}

}  // namespace

template <typename Response, typename Request>
void OffsetOperations::add_commits(const Request& request, const Group* group,
                                   std::optional<std::int64_t> expire_timestamp_ms, std::int64_t now_ms,
                                   OffsetResult<Response>& result) const {
  for (const auto& topic : request.topics) {
    auto& topic_answer = result.response.topics.emplace_back();
    topic_answer.name = topic.name;
    topic_answer.topic_id = topic.topic_id;
    for (const auto& partition : topic.partitions) {
      auto& answer = topic_answer.partitions.emplace_back();
      answer.partition_index = partition.partition_index;
      const auto metadata_length = utf16_length(partition.committed_metadata.value_or(""));
      if (metadata_length > static_cast<std::size_t>(settings_.offset_metadata_max_bytes)) {
        answer.error_code = code(ErrorCode::offset_metadata_too_large);
        continue;
      }
      if (group != nullptr) {
        result.error = group->validate_partition_commit(request.member_id, request.generation_id_or_member_epoch,
                                                        topic.topic_id, partition.partition_index);
        if (result.error != ErrorCode::none) {
          result.records.clear();
          return;
        }
      }
      result.records.push_back(offset_commit_record(request.group_id, topic.name, partition.partition_index,
                                                    offset_of(partition, topic.topic_id, now_ms, expire_timestamp_ms)));
    }
  }
}

OffsetResult<protocol::OffsetCommitResponse> OffsetOperations::commit(const protocol::OffsetCommitRequest& request,
                                                                      std::int16_t version, std::int64_t now_ms) const {
  OffsetResult<protocol::OffsetCommitResponse> result;
  const auto generation = request.generation_id_or_member_epoch;
  const auto* group = groups_.find(request.group_id);
  if (group == nullptr) {
    // A simple consumer's first commit makes its group, when the record is replayed.
    if (generation >= 0) result.error = version >= 9 ? ErrorCode::group_id_not_found : ErrorCode::illegal_generation;
  } else {
    result.error =
        group->validate_offset_commit(request.member_id, request.group_instance_id, generation, false, version);
  }
  if (result.error != ErrorCode::none) return result;
  std::optional<std::int64_t> expire_timestamp_ms;
  if (request.retention_time_ms != default_retention_ms) expire_timestamp_ms = now_ms + request.retention_time_ms;
  add_commits(request, group, expire_timestamp_ms, now_ms, result);
  return result;
}

OffsetResult<protocol::TxnOffsetCommitResponse> OffsetOperations::commit_in_transaction(
    const protocol::TxnOffsetCommitRequest& request, std::int16_t version, std::int64_t now_ms) const {
  OffsetResult<protocol::TxnOffsetCommitResponse> result;
  constexpr std::int16_t newer_errors = 6;  // KIP-1319
  const auto generation = request.generation_id_or_member_epoch;
  const auto* group = groups_.find(request.group_id);
  if (group == nullptr) {
    if (generation >= 0) {
      result.error = version >= newer_errors ? ErrorCode::group_id_not_found : ErrorCode::illegal_generation;
    }
  } else {
    result.error =
        group->validate_offset_commit(request.member_id, request.group_instance_id, generation, true, version);
  }
  if (result.error == ErrorCode::none) add_commits(request, group, std::nullopt, now_ms, result);
  if (result.error == ErrorCode::stale_member_epoch && version < newer_errors) {
    result.error = ErrorCode::illegal_generation;
  }
  return result;
}

OffsetOperations::FetchedGroup OffsetOperations::fetch(const FetchGroup& request, bool require_stable) const {
  const auto* group = groups_.find(request.group_id);
  auto error = group == nullptr ? ErrorCode::group_id_not_found
                                : group->validate_offset_fetch(request.member_id, request.member_epoch);
  const bool is_absent = error == ErrorCode::group_id_not_found;
  FetchedGroup fetched;
  fetched.group_id = request.group_id;
  if (error != ErrorCode::none && !is_absent) {
    fetched.error_code = code(error);
    return fetched;
  }
  if (!request.topics) return is_absent ? fetched : fetch_all(request, require_stable);
  for (const auto& topic : *request.topics) {
    auto& topic_answer = fetched.topics.emplace_back();
    topic_answer.name = topic.name;
    topic_answer.topic_id = topic.topic_id;
    for (const auto index : topic.partition_indexes) {
      const auto* offset = is_absent ? nullptr : offsets_.find(request.group_id, topic.name, index);
      const bool is_unstable = require_stable && offsets_.has_pending(request.group_id, topic.name, index);
      topic_answer.partitions.push_back(fetched_partition(index, offset, is_unstable, topic.topic_id));
    }
  }
  return fetched;
}

OffsetOperations::FetchedGroup OffsetOperations::fetch_all(const FetchGroup& request, bool require_stable) const {
  FetchedGroup fetched;
  fetched.group_id = request.group_id;
  const auto* topics = offsets_.of_group(request.group_id);
  if (topics == nullptr) return fetched;
  for (const auto& [name, partitions] : *topics) {
    auto& topic_answer = fetched.topics.emplace_back();
    topic_answer.name = name;
    for (const auto& [index, offset] : partitions) {
      const bool is_unstable = require_stable && offsets_.has_pending(request.group_id, name, index);
      topic_answer.partitions.push_back(fetched_partition(index, &offset, is_unstable, {}));
    }
  }
  return fetched;
}

OffsetResult<protocol::OffsetDeleteResponse> OffsetOperations::remove(
    const protocol::OffsetDeleteRequest& request) const {
  OffsetResult<protocol::OffsetDeleteResponse> result;
  const auto* group = groups_.find(request.group_id);
  result.error = group == nullptr ? ErrorCode::group_id_not_found : group->validate_offset_delete();
  if (result.error != ErrorCode::none) return result;
  for (const auto& topic : request.topics) {
    auto& topic_answer = result.response.topics.emplace_back();
    topic_answer.name = topic.name;
    const bool is_subscribed = group->is_subscribed_to(topic.name);
    for (const auto& partition : topic.partitions) {
      const auto index = partition.partition_index;
      auto& answer = topic_answer.partitions.emplace_back();
      answer.partition_index = index;
      if (is_subscribed) {
        answer.error_code = code(ErrorCode::group_subscribed_to_topic);
      } else if (offsets_.find(request.group_id, topic.name, index) != nullptr ||
                 offsets_.has_pending(request.group_id, topic.name, index)) {
        result.records.push_back(offset_commit_tombstone(request.group_id, topic.name, index));
      }
    }
  }
  return result;
}

void OffsetOperations::delete_all(const std::string& group, std::vector<coordinator::Record>& records) const {
  if (const auto* topics = offsets_.of_group(group)) {
    for (const auto& [topic, partitions] : *topics) {
      for (const auto& [partition, offset] : partitions) {
        records.push_back(offset_commit_tombstone(group, topic, partition));
      }
    }
  }
  offsets_.for_each_pending(group, [&](const std::string& topic, std::int32_t partition) {
    if (offsets_.find(group, topic, partition) == nullptr) {
      records.push_back(offset_commit_tombstone(group, topic, partition));
    }
  });
}

bool OffsetOperations::expire(const Group& group, std::int64_t now_ms,
                              std::vector<coordinator::Record>& records) const {
  const auto* topics = offsets_.of_group(group.id());
  if (topics == nullptr) return !offsets_.has_pending(group.id());
  const auto expiration = group.offset_expiration();
  if (!expiration) return false;
  bool all_expired = true;
  for (const auto& [topic, partitions] : *topics) {
    if (group.is_subscribed_to(topic)) {
      all_expired = false;
      continue;
    }
    for (const auto& [partition, offset] : partitions) {
      if (has_expired(offset, *expiration, now_ms, settings_.offsets_retention_ms) &&
          !offsets_.has_pending(group.id(), topic, partition)) {
        records.push_back(offset_commit_tombstone(group.id(), topic, partition));
      } else {
        all_expired = false;
      }
    }
  }
  return all_expired && !offsets_.has_pending(group.id());
}

std::vector<coordinator::Record> OffsetOperations::delete_topics(
    const std::vector<metadata::TopicPointer>& topics) const {
  std::vector<coordinator::Record> records;
  offsets_.for_each(
      [&](const std::string& group, const std::string& topic, std::int32_t partition, const OffsetAndMetadata& offset) {
        const bool is_deleted = std::ranges::any_of(topics, [&](const metadata::TopicPointer& deleted) {
          return deleted->name == topic && (offset.topic_id.is_zero() || offset.topic_id == deleted->id);
        });
        if (is_deleted) records.push_back(offset_commit_tombstone(group, topic, partition));
      });
  return records;
}

}  // namespace dohle::groups
