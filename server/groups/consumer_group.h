// A consumer group (KIP-848): its members, its epochs, who has which partition and who is to have it. Changes only by
// replaying records. Source: ConsumerGroup, ModernGroup.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "protocol/messages/consumer_group_describe.h"
#include "server/coordinator/record.h"
#include "server/groups/consumer_group_member.h"
#include "server/groups/group.h"
#include "server/groups/subscription_regex.h"
#include "server/groups/timeline_hash_map.h"

namespace dohle::groups {

enum class ConsumerGroupState : std::uint8_t { empty, assigning, reconciling, stable };

/// How many members name a topic, and how many regular expressions match it.
struct SubscriptionCount {
  std::int32_t by_name = 0;
  std::int32_t by_regex = 0;
};
using SubscriptionCounts = std::map<std::string, SubscriptionCount>;
using RegexCounts = std::map<std::string, std::int32_t>;

class ConsumerGroup final : public Group {
 public:
  explicit ConsumerGroup(std::string id) : Group(std::move(id)) {}

  GroupType type() const override { return GroupType::consumer; }
  std::string_view protocol_type_name() const override { return "consumer"; }
  ConsumerGroupState state() const { return state_; }
  /// "Stable".
  std::string_view state_name() const override;
  bool is_empty() const override { return members_.empty(); }
  std::int32_t epoch() const { return epoch_; }
  std::int32_t assignment_epoch() const { return assignment_epoch_; }
  std::int64_t assignment_timestamp_ms() const { return assignment_timestamp_ms_; }
  std::int64_t metadata_hash() const { return metadata_hash_; }
  /// Since the last change of a member: as in Kafka, a regular expression that is resolved anew does not count.
  bool homogeneous() const { return homogeneous_; }
  bool has_partition_metadata_record() const { return has_partition_metadata_record_; }

  const TimelineHashMap<std::string, ConsumerGroupMember>& members() const { return members_; }
  /// nullptr: there is none.
  const ConsumerGroupMember* find_member(const std::string& member_id) const { return members_.find(member_id); }
  const ConsumerGroupMember* find_static_member(const std::string& instance_id) const;
  const TimelineHashMap<std::string, TopicPartitionSets>& targets() const { return targets_; }
  /// Empty if there is none.
  const TopicPartitionSets& target_of(const std::string& member_id) const;
  bool is_in_a_target(const codec::Uuid& topic, std::int32_t partition) const;
  /// -1: nobody has it.
  std::int32_t partition_epoch(const codec::Uuid& topic, std::int32_t partition) const;

  const RegexCounts& regexes() const { return regexes_; }
  std::int32_t regex_subscribers(const std::string& regex) const;
  const TimelineHashMap<std::string, ResolvedRegex>& resolved_regexes() const { return resolved_; }
  /// The names and what the regular expression was resolved to, in the order of Kafka's UnionSet.
  std::vector<std::string> subscription_of(const ConsumerGroupMember& member) const;
  bool is_subscribed_to(const std::string& topic) const override { return subscriptions_.contains(topic); }

  // What the group would come to if `before` became `after`.
  SubscriptionCounts subscriptions_with(const ConsumerGroupMember& before, const ConsumerGroupMember& after) const;
  SubscriptionCounts subscriptions_without(const std::vector<const ConsumerGroupMember*>& members,
                                           const std::set<std::string>& regexes) const;
  RegexCounts regexes_with(const ConsumerGroupMember& before, const ConsumerGroupMember& after) const;
  const SubscriptionCounts& subscriptions() const { return subscriptions_; }
  /// By votes; nothing: nobody has any.
  std::optional<std::string> preferred_assignor() const;
  std::optional<std::string> preferred_assignor_with(const ConsumerGroupMember& before,
                                                     const ConsumerGroupMember& after) const;
  static bool is_homogeneous(const RegexCounts& regexes, const SubscriptionCounts& subscriptions,
                             std::size_t member_count);

  // Members that speak the classic protocol.
  std::size_t classic_member_count() const { return classic_count_; }
  /// Whether a classic member may join: its protocol type is "consumer", and all classic members know one of these
  /// protocols.
  bool supports_classic(const std::string& protocol_type, const std::vector<std::string>& protocols) const;
  /// The member waits for a partition that another one still has.
  bool is_waiting_for_partitions(const ConsumerGroupMember& member) const;

  // Replay.
  void set_epoch(std::int32_t epoch, std::int64_t metadata_hash);
  void set_target_metadata(std::int32_t epoch, std::int64_t timestamp_ms);
  void set_target(const std::string& member_id, TopicPartitionSets target);
  void remove_target(const std::string& member_id);
  void put_member(ConsumerGroupMember member);
  void remove_member(const std::string& member_id);
  void put_resolved_regex(const std::string& regex, ResolvedRegex resolved);
  void remove_resolved_regex(const std::string& regex);
  void set_partition_metadata_record(bool exists) { has_partition_metadata_record_ = exists; }

  /// Whether topics may have changed since the metadata hash was computed last (hasMetadataExpired).
  bool is_metadata_stale(const std::shared_ptr<const metadata::TopicsImage>& topics) const {
    return topics != seen_topics_ || epoch_ < seen_epoch_;
  }
  void metadata_seen(std::shared_ptr<const metadata::TopicsImage> topics, std::int32_t epoch) {
    seen_topics_ = std::move(topics);
    seen_epoch_ = epoch;
  }

  protocol::ConsumerGroupDescribeResponse::DescribedGroup describe(std::string_view default_assignor,
                                                                   const metadata::MetadataImage& image) const;
  // Group
  protocol::ErrorCode validate_offset_commit(const std::string& member_id,
                                             const std::optional<std::string>& group_instance_id,
                                             std::int32_t generation_or_epoch, bool is_transactional,
                                             std::int16_t version) const override;
  protocol::ErrorCode validate_partition_commit(const std::string& member_id, std::int32_t generation_or_epoch,
                                                const codec::Uuid& topic_id, std::int32_t partition) const override;
  protocol::ErrorCode validate_offset_fetch(const std::optional<std::string>& member_id,
                                            std::int32_t member_epoch) const override;
  protocol::ErrorCode validate_offset_delete() const override { return protocol::ErrorCode::none; }
  protocol::ErrorCode validate_delete() const override;
  std::optional<OffsetExpiration> offset_expiration() const override { return OffsetExpiration{}; }
  void append_tombstones(std::vector<coordinator::Record>& records) const override;
  /// With `joining` in the place of the member `replaced`.
  void append_tombstones(std::vector<coordinator::Record>& records, const std::string& replaced,
                         const std::string& joining) const;
  void cancel_timers(coordinator::Timers& timers) const override;
  void unload() override {}

 private:
  void count_subscription(const ConsumerGroupMember& member, std::int32_t by);
  void count_classic(const ConsumerGroupMember& member, std::int32_t by);
  void count_regex_topics(const ResolvedRegex& resolved, std::int32_t by);
  void put_partition_epochs(const OwnedPartitions& owned, std::int32_t epoch);
  void remove_partition_epochs(const OwnedPartitions& owned, std::int32_t epoch);
  void change_target(const std::string& member_id, const TopicPartitionSets& before, const TopicPartitionSets& after);
  void update_state();

  ConsumerGroupState state_ = ConsumerGroupState::empty;
  std::int32_t epoch_ = 1;
  std::int32_t assignment_epoch_ = 1;  // -1: its record was deleted
  std::int64_t assignment_timestamp_ms_ = 0;
  std::int64_t metadata_hash_ = 0;
  bool homogeneous_ = true;
  bool has_partition_metadata_record_ = false;
  TimelineHashMap<std::string, ConsumerGroupMember> members_;
  std::map<std::string, std::string> static_members_;
  std::size_t classic_count_ = 0;
  std::map<std::string, std::size_t> classic_protocols_;  // name to how many members know it
  TimelineHashMap<std::string, std::int32_t> assignors_;  // votes
  SubscriptionCounts subscriptions_;
  RegexCounts regexes_;
  TimelineHashMap<std::string, ResolvedRegex> resolved_;
  TimelineHashMap<std::string, TopicPartitionSets> targets_;
  std::unordered_map<codec::Uuid, std::map<std::int32_t, std::string>> target_owners_;
  std::unordered_map<codec::Uuid, std::map<std::int32_t, std::int32_t>> partition_epochs_;
  std::shared_ptr<const metadata::TopicsImage> seen_topics_;
  std::int32_t seen_epoch_ = 0;
};

}  // namespace dohle::groups
