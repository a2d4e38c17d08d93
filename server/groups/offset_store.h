// The committed offsets of a shard, and those that wait for their transaction's marker. Only replay() and
// replay_end_transaction() change it. Source: OffsetMetadataManager (Offsets, OpenTransactions, replay).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "server/groups/group_records.h"

namespace dohle::groups {

class OffsetStore {
 public:
  using PartitionOffsets = std::map<std::int32_t, OffsetAndMetadata>;
  using TopicOffsets = std::map<std::string, PartitionOffsets>;

  /// nullptr: there is none.
  const OffsetAndMetadata* find(const std::string& group, const std::string& topic, std::int32_t partition) const;
  /// nullptr: the group has no offsets.
  const TopicOffsets* of_group(const std::string& group) const;
  /// Whether a transaction that has not ended writes to it.
  bool has_pending(const std::string& group, const std::string& topic, std::int32_t partition) const;
  bool has_pending(const std::string& group) const { return open_.contains(group); }
  bool has_offsets(const std::string& group) const { return offsets_.contains(group); }

  using VisitPartition = std::function<void(const std::string& topic, std::int32_t partition)>;
  void for_each_pending(const std::string& group, const VisitPartition& visit) const;
  /// Committed ones, then those of open transactions, once per transaction.
  void for_each(const std::function<void(const std::string& group, const std::string& topic, std::int32_t partition,
                                         const OffsetAndMetadata& offset)>& visit) const;

  /// `producer_id` -1: outside of a transaction.
  void replay(const std::string& group, const std::string& topic, std::int32_t partition,
              const OffsetAndMetadata& offset, std::int64_t producer_id);
  void replay_tombstone(const std::string& group, const std::string& topic, std::int32_t partition);
  void replay_end_transaction(std::int64_t producer_id, bool committed);

 private:
  using Offsets = std::map<std::string, TopicOffsets>;  // by group

  static void erase(Offsets& offsets, const std::string& group, const std::string& topic, std::int32_t partition);
  void close_transaction(const std::string& group, const std::string& topic, std::int32_t partition,
                         std::int64_t producer_id);

  Offsets offsets_;
  std::map<std::int64_t, Offsets> pending_;  // by producer id
  std::map<std::string, std::map<std::string, std::map<std::int32_t, std::set<std::int64_t>>>> open_;
};

}  // namespace dohle::groups
