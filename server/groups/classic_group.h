// A classic group: its members, its state, and the rules of who may do what. It decides nothing about time and writes
// nothing: see classic_coordinator.h. Source: org.apache.kafka.coordinator.group.classic.ClassicGroup.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "server/groups/classic_group_member.h"
#include "server/groups/group.h"

namespace dohle::groups {

enum class ClassicGroupState : std::uint8_t { empty, preparing_rebalance, completing_rebalance, stable, dead };
std::string_view to_string(ClassicGroupState state);

inline constexpr const char* consumer_protocol_type = "consumer";

class ClassicGroup final : public Group {
 public:
  /// A new, empty one. `now_ms` is when it came into this state.
  ClassicGroup(std::string id, std::int64_t now_ms);

  /// What a record says of a group.
  struct Stored {
    ClassicGroupState state = ClassicGroupState::empty;
    std::int32_t generation = 0;
    std::optional<std::string> protocol_type;
    std::optional<std::string> protocol_name;
    std::optional<std::string> leader;
    std::optional<std::int64_t> state_timestamp_ms;
  };
  ClassicGroup(std::string id, Stored stored);

  GroupType type() const override { return GroupType::classic; }
  std::string_view state_name() const override { return to_string(state_); }
  std::string_view protocol_type_name() const override {
    return protocol_type_ ? std::string_view(*protocol_type_) : std::string_view();
  }
  bool is_empty() const override { return state_ == ClassicGroupState::empty; }
  protocol::ErrorCode validate_offset_commit(const std::string& member_id,
                                             const std::optional<std::string>& group_instance_id,
                                             std::int32_t generation, bool is_transactional,
                                             std::int16_t version) const override;
  protocol::ErrorCode validate_offset_fetch(const std::optional<std::string>& member_id,
                                            std::int32_t member_epoch) const override;
  protocol::ErrorCode validate_offset_delete() const override;
  protocol::ErrorCode validate_delete() const override;
  bool is_subscribed_to(const std::string& topic) const override;
  std::optional<OffsetExpiration> offset_expiration() const override;
  void append_tombstones(std::vector<coordinator::Record>& records) const override;
  void cancel_timers(coordinator::Timers& timers) const override;
  void unload() override;

  ClassicGroupState state() const { return state_; }
  bool is_in(ClassicGroupState state) const { return state_ == state; }
  ClassicGroupState previous_state() const { return previous_state_; }
  std::int32_t generation() const { return generation_; }
  const std::optional<std::string>& protocol_type() const { return protocol_type_; }
  const std::optional<std::string>& protocol_name() const { return protocol_name_; }
  const std::optional<std::string>& leader() const { return leader_; }
  bool is_leader(const std::string& member_id) const { return leader_ == member_id; }
  std::optional<std::int64_t> state_timestamp_ms() const { return state_timestamp_ms_; }
  const std::optional<std::set<std::string>>& subscribed_topics() const { return subscribed_topics_; }
  bool uses_consumer_protocol() const { return protocol_type_ == consumer_protocol_type; }

  // Members, by id.
  using Members = std::map<std::string, ClassicGroupMember>;
  const Members& members() const { return members_; }
  /// nullptr: there is none.
  ClassicGroupMember* find(const std::string& member_id);
  const ClassicGroupMember* find(const std::string& member_id) const;
  bool has_member(const std::string& member_id) const { return members_.contains(member_id); }
  /// nullptr: nobody has this group.instance.id.
  const std::string* static_member_id(const std::string& group_instance_id) const;
  std::size_t size() const { return members_.size(); }
  void for_each_member(const std::function<void(ClassicGroupMember&)>& visit);
  /// UNKNOWN_MEMBER_ID, FENCED_INSTANCE_ID or none.
  protocol::ErrorCode validate_member(const std::string& member_id,
                                      const std::optional<std::string>& group_instance_id) const;

  /// Preconditions: no member with its id or its instance id, a protocol that the group supports.
  ClassicGroupMember& add(ClassicGroupMember member);
  /// Forgets the member, or the pending one; does not answer it. Elects a new leader if it led.
  void remove(const std::string& member_id);
  /// KIP-345: the same member under a new id. Whoever waits under the old one hears FENCED_INSTANCE_ID.
  ClassicGroupMember& replace_static_member(const std::string& group_instance_id, const std::string& old_member_id,
                                            const std::string& new_member_id);
  /// An empty `reply` means that the member does not wait.
  void update_member(ClassicGroupMember& member, MemberProtocols protocols, std::int32_t rebalance_timeout_ms,
                     std::int32_t session_timeout_ms, coordinator::Reply<protocol::JoinGroupResponse> reply);
  /// False when the member does not wait.
  bool complete_join(ClassicGroupMember& member, protocol::JoinGroupResponse response);
  bool complete_sync(ClassicGroupMember& member, protocol::SyncGroupResponse response);

  // Members that have got an id and have not joined with it yet.
  bool is_pending(const std::string& member_id) const { return pending_joins_.contains(member_id); }
  void add_pending(const std::string& member_id) { pending_joins_.insert(member_id); }

  // Members from whom a SyncGroup is due in this generation.
  std::set<std::string>& pending_syncs() { return pending_syncs_; }
  const std::set<std::string>& pending_syncs() const { return pending_syncs_; }

  bool has_all_members_joined() const { return members_.size() == awaiting_joins_ && pending_joins_.empty(); }
  std::size_t awaiting_joins() const { return awaiting_joins_; }
  /// False when the group has no leader that joined, and cannot get one.
  bool elect_joined_leader();
  std::int32_t rebalance_timeout_ms() const;

  bool supports(const std::string& protocol_type, const MemberProtocols& protocols) const;
  /// What most members want among what all know; ties as Java's HashMap breaks them. Precondition: members.
  std::string select_protocol() const;

  bool can_rebalance() const;
  void transition_to(ClassicGroupState state, std::int64_t now_ms);
  /// The next generation: completing with members, else empty.
  void begin_next_generation(std::int64_t now_ms);
  void compute_subscribed_topics();
  /// Of a group that was made of members that are there already.
  void adopt_selected_protocol() {
    protocol_name_ = select_protocol();
    compute_subscribed_topics();
  }
  /// For the leader.
  std::vector<protocol::JoinGroupResponse::JoinGroupResponseMember> described_members() const;

  // The initial rebalance, extended while new members come.
  struct InitialDelay {
    std::int32_t delay_ms = 0;
    std::int32_t remaining_ms = 0;
  };
  /// Set while the timer classic_join is that of an initial rebalance.
  std::optional<InitialDelay> initial_delay;
  bool new_member_added = false;

 private:
  void count_protocols(const ClassicGroupMember& member, int change);
  std::set<std::string> candidate_protocols() const;

  ClassicGroupState state_;
  ClassicGroupState previous_state_ = ClassicGroupState::dead;
  std::optional<std::int64_t> state_timestamp_ms_;
  std::optional<std::string> protocol_type_;
  std::optional<std::string> protocol_name_;
  std::int32_t generation_ = 0;
  std::optional<std::string> leader_;
  Members members_;
  std::map<std::string, std::string> static_members_;  // instance id to member id
  std::set<std::string> pending_joins_;
  std::size_t awaiting_joins_ = 0;
  std::map<std::string, std::size_t> supported_protocols_;  // name to how many members know it
  std::set<std::string> pending_syncs_;
  std::optional<std::set<std::string>> subscribed_topics_;
};

}  // namespace dohle::groups
