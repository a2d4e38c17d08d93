// What all kinds of groups have in common: the classic ones, and those of KIP-848 and later.
// Source: org.apache.kafka.coordinator.group.Group.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/uuid.h"
#include "protocol/error_code.h"
#include "server/coordinator/record.h"
#include "server/coordinator/timers.h"

namespace dohle::groups {

enum class GroupType : std::uint8_t { unknown, consumer, classic, share, streams };

/// "classic", "consumer", ... as ListGroups answers it.
std::string_view to_string(GroupType type);
/// Ignores case and blanks around; anything else is unknown (Group.GroupType.parse).
GroupType parse_group_type(std::string_view text);

/// Timers of all group types, in one space.
enum class TimerKind : std::int32_t {
  expiry = 1,              // offsets.retention.check.interval.ms; no id
  classic_heartbeat = 2,   // group, member
  classic_join = 3,        // group
  classic_sync = 4,        // group
  consumer_session = 5,    // group, member
  consumer_rebalance = 6,  // group, member
  consumer_regex = 7,      // group: resolves its regular expressions, at once
  consumer_join = 8,       // group, member: a classic member of a consumer group has to join again
  consumer_sync = 9,       // group, member: it has to fetch its assignment
};

/// What an offset's retention is counted from.
struct OffsetExpiration {
  /// The time since when the group is empty; nothing: the commit itself.
  std::optional<std::int64_t> base_timestamp_ms;

  bool operator==(const OffsetExpiration&) const = default;
};

/// Touched on its shard's home thread only, like everything here.
class Group {
 public:
  explicit Group(std::string id) : id_(std::move(id)) {}
  virtual ~Group() = default;
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  const std::string& id() const { return id_; }
  virtual GroupType type() const = 0;
  /// As ListGroups and DescribeGroups name it: "Stable".
  virtual std::string_view state_name() const = 0;
  virtual std::string_view protocol_type_name() const = 0;
  /// No members.
  virtual bool is_empty() const = 0;

  /// Whether a member may commit. `version` is the request's.
  virtual protocol::ErrorCode validate_offset_commit(const std::string& member_id,
                                                     const std::optional<std::string>& group_instance_id,
                                                     std::int32_t generation_or_epoch, bool is_transactional,
                                                     std::int16_t version) const = 0;
  /// Whether a member of an older epoch, which validate_offset_commit() let pass, may commit for this partition; the
  /// error is the whole request's (KIP-1251).
  virtual protocol::ErrorCode validate_partition_commit(const std::string& member_id, std::int32_t generation_or_epoch,
                                                        const codec::Uuid& topic_id, std::int32_t partition) const {
    (void)member_id, (void)generation_or_epoch, (void)topic_id, (void)partition;
    return protocol::ErrorCode::none;
  }
  /// GROUP_ID_NOT_FOUND: answer as if there were no offsets.
  virtual protocol::ErrorCode validate_offset_fetch(const std::optional<std::string>& member_id,
                                                    std::int32_t member_epoch) const = 0;
  virtual protocol::ErrorCode validate_offset_delete() const = 0;
  virtual protocol::ErrorCode validate_delete() const = 0;
  virtual bool is_subscribed_to(const std::string& topic) const = 0;
  /// Nothing: offsets of this group don't expire now.
  virtual std::optional<OffsetExpiration> offset_expiration() const = 0;

  /// The tombstones that delete the group itself.
  virtual void append_tombstones(std::vector<coordinator::Record>& records) const = 0;
  virtual void cancel_timers(coordinator::Timers& timers) const = 0;
  /// Answers NOT_COORDINATOR to whoever waits: the shard is unloaded, or the group was deleted.
  virtual void unload() = 0;

 private:
  const std::string id_;
};

}  // namespace dohle::groups
