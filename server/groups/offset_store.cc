#include "server/groups/offset_store.h"

namespace dohle::groups {

namespace {

/// The value at [group][topic][partition] of nested maps, or nullptr.
template <typename Nested>
auto* find_nested(Nested& nested, const std::string& group, const std::string& topic, std::int32_t partition) {
  using Value = std::remove_reference_t<decltype((nested.begin()->second.begin()->second.begin()->second))>;
  const auto by_topic = nested.find(group);
  if (by_topic == nested.end()) return static_cast<Value*>(nullptr);
  const auto by_partition = by_topic->second.find(topic);
  if (by_partition == by_topic->second.end()) return static_cast<Value*>(nullptr);
  const auto found = by_partition->second.find(partition);
  return found == by_partition->second.end() ? nullptr : &found->second;
}

/// Erases it, and what is empty then.
template <typename Nested>
void erase_nested(Nested& nested, const std::string& group, const std::string& topic, std::int32_t partition) {
  const auto by_topic = nested.find(group);
  if (by_topic == nested.end()) return;
  const auto by_partition = by_topic->second.find(topic);
  if (by_partition == by_topic->second.end()) return;
  by_partition->second.erase(partition);
  if (!by_partition->second.empty()) return;
  by_topic->second.erase(by_partition);
  if (by_topic->second.empty()) nested.erase(by_topic);
}

}  // namespace

const OffsetAndMetadata* OffsetStore::find(const std::string& group, const std::string& topic,
                                           std::int32_t partition) const {
  return find_nested(offsets_, group, topic, partition);
}

const OffsetStore::TopicOffsets* OffsetStore::of_group(const std::string& group) const {
  const auto found = offsets_.find(group);
  return found == offsets_.end() ? nullptr : &found->second;
}

bool OffsetStore::has_pending(const std::string& group, const std::string& topic, std::int32_t partition) const {
  return find_nested(open_, group, topic, partition) != nullptr;
}

void OffsetStore::for_each_pending(const std::string& group, const VisitPartition& visit) const {
  const auto found = open_.find(group);
  if (found == open_.end()) return;
  for (const auto& [topic, partitions] : found->second) {
    for (const auto& [partition, producers] : partitions) visit(topic, partition);
  }
}

void OffsetStore::for_each(const std::function<void(const std::string&, const std::string&, std::int32_t,
                                                    const OffsetAndMetadata&)>& visit) const {
  const auto visit_all = [&visit](const Offsets& offsets) {
    for (const auto& [group, topics] : offsets) {
      for (const auto& [topic, partitions] : topics) {
        for (const auto& [partition, offset] : partitions) visit(group, topic, partition, offset);
      }
    }
  };
  visit_all(offsets_);
  for (const auto& [producer_id, offsets] : pending_) visit_all(offsets);
}

void OffsetStore::erase(Offsets& offsets, const std::string& group, const std::string& topic, std::int32_t partition) {
  erase_nested(offsets, group, topic, partition);
}

void OffsetStore::close_transaction(const std::string& group, const std::string& topic, std::int32_t partition,
                                    std::int64_t producer_id) {
  auto* producers = find_nested(open_, group, topic, partition);
  if (producers == nullptr) return;
  producers->erase(producer_id);
  if (producers->empty()) erase_nested(open_, group, topic, partition);
}

void OffsetStore::replay(const std::string& group, const std::string& topic, std::int32_t partition,
                         const OffsetAndMetadata& offset, std::int64_t producer_id) {
  if (producer_id == -1) {
    offsets_[group][topic][partition] = offset;
    return;
  }
  pending_[producer_id][group][topic][partition] = offset;
  open_[group][topic][partition].insert(producer_id);
}

void OffsetStore::replay_tombstone(const std::string& group, const std::string& topic, std::int32_t partition) {
  erase(offsets_, group, topic, partition);
  const auto* producers = find_nested(open_, group, topic, partition);
  if (producers == nullptr) return;
  for (const auto producer_id : *producers) {
    const auto pending = pending_.find(producer_id);
    if (pending != pending_.end()) erase(pending->second, group, topic, partition);
  }
  erase_nested(open_, group, topic, partition);
}

void OffsetStore::replay_end_transaction(std::int64_t producer_id, bool committed) {
  const auto found = pending_.find(producer_id);
  if (found == pending_.end()) return;
  const auto pending = std::move(found->second);
  pending_.erase(found);
  for (const auto& [group, topics] : pending) {
    for (const auto& [topic, partitions] : topics) {
      for (const auto& [partition, offset] : partitions) {
        close_transaction(group, topic, partition, producer_id);
        if (!committed) continue;
        // A commit outside of the transaction that was written later stays: compaction would keep that one, too.
        const auto* existing = find(group, topic, partition);
        if (existing != nullptr && existing->record_offset >= offset.record_offset) continue;
        offsets_[group][topic][partition] = offset;
      }
    }
  }
}

}  // namespace dohle::groups
