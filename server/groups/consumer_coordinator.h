// The consumer group protocol (KIP-848): what ConsumerGroupHeartbeat does to a group, and what its timers do. State
// changes only by replaying the records that come out. Source: the consumer parts of GroupMetadataManager 4.4.0.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/error_code.h"
#include "protocol/messages/consumer_group_describe.h"
#include "protocol/messages/consumer_group_heartbeat.h"
#include "server/coordinator/outcome.h"
#include "server/coordinator/shard.h"
#include "server/coordinator/timers.h"
#include "server/groups/classic_coordinator.h"
#include "server/groups/consumer_group.h"
#include "server/groups/current_assignment_builder.h"
#include "server/groups/partition_assignor.h"
#include "server/runtime/result.h"

namespace dohle::groups {

struct ConsumerGroupSettings {
  std::int32_t session_timeout_ms = 45'000;
  std::int32_t heartbeat_interval_ms = 5'000;
  std::int32_t assignment_interval_ms = 1'000;
  std::int32_t max_size = 2'147'483'647;
  std::int32_t regex_refresh_interval_ms = 600'000;
  /// The first is the default.
  std::vector<AssignorKind> assignors = {AssignorKind::uniform, AssignorKind::range};
};

/// Where the consumer groups of a shard are, among its other groups. Ids are unique across types.
class ConsumerGroups {
 public:
  virtual ~ConsumerGroups() = default;
  /// nullptr: there is none, or it is of another type.
  virtual ConsumerGroup* find(const std::string& id) = 0;
  /// There is a group of another type.
  virtual bool is_of_another_type(const std::string& id) = 0;
  /// Where the id belongs to an empty classic group: its tombstones, and true.
  virtual bool replace_empty_classic(const std::string& id, std::vector<coordinator::Record>& records) = 0;
  /// Replaces a simple group (offsets alone). nullptr: it belongs to a group of another type that is not simple.
  virtual ConsumerGroup* create(const std::string& id) = 0;
  virtual void remove(const std::string& id) = 0;
  virtual void for_each(const std::function<void(ConsumerGroup&)>& visit) = 0;
};

struct GroupFailure {
  protocol::ErrorCode error = protocol::ErrorCode::none;
  std::string message;
};
template <typename T>
using GroupResult = std::expected<T, GroupFailure>;

class ConsumerCoordinator {
 public:
  using Request = protocol::ConsumerGroupHeartbeatRequest;
  using Response = protocol::ConsumerGroupHeartbeatResponse;
  using Context = coordinator::OperationContext;
  using Records = std::vector<coordinator::Record>;
  using Settings = std::function<ConsumerGroupSettings(const std::string& group_id)>;

  /// All outlive it. `new_member_id` gives Uuid.randomUuid() as text, for members of version 0.
  ConsumerCoordinator(ConsumerGroups& groups, coordinator::Timers& timers, Settings settings,
                      std::function<std::string()> new_member_id)
      : groups_(groups), timers_(timers), settings_(std::move(settings)), new_member_id_(std::move(new_member_id)) {}

  /// What can be refused without a group. Nothing: it may go on.
  static std::optional<GroupFailure> check(const Request& request, std::int16_t version,
                                           const std::vector<AssignorKind>& assignors);

  struct Step {
    Response response;
    Records records;
  };
  /// The request has passed check().
  Step heartbeat(const Context& context, const ClientInfo& client, const Request& request);

  // Timers: the records of what they do.
  Records on_session_timer(const Context& context, const std::string& group_id, const std::string& member_id);
  Records on_rebalance_timer(const Context& context, const std::string& group_id, const std::string& member_id);
  Records on_regex_timer(const Context& context, const std::string& group_id);

  protocol::ConsumerGroupDescribeResponse::DescribedGroup describe(const Context& context, const std::string& group_id);

  /// Records of the types 3 to 8 and 16; others are not touched. corrupt: Kafka's loader falls over it, too.
  runtime::Status replay(const coordinator::Record& record);
  static bool replays(std::int16_t record_type);
  /// The log has been replayed: sessions begin now.
  void loaded(const Context& context);

 private:
  /// One heartbeat on its way. `group` may be one that is not there yet.
  struct Beat;

  GroupResult<Response> beat(const Context& context, const ClientInfo& client, const Request& request,
                             Records& records);
  GroupResult<Response> leave(const Context& context, const Request& request, Records& records);
  GroupResult<ConsumerGroup*> group_for(const Request& request, std::unique_ptr<ConsumerGroup>& fresh,
                                        Records& records);
  GroupResult<ConsumerGroupMember> member_for(const ConsumerGroup& group, const Request& request,
                                              const std::string& member_id, Records& records);
  GroupResult<ConsumerGroupMember> static_member_for(const ConsumerGroup& group, const Request& request,
                                                     const std::string& member_id, Records& records);
  enum class RegexChange : std::uint8_t { none, updated, updated_and_resolved };
  GroupResult<RegexChange> update_regexes(const Beat& beat, Records& records);
  void schedule_resolution(const Beat& beat, bool required);
  void update_metadata(Beat& beat, bool bump, Records& records);
  std::optional<GroupFailure> update_target(Beat& beat, Records& records);
  std::optional<GroupFailure> update_assignment(Beat& beat, bool subscription_changed, Records& records);
  void fence(const Context& context, const ConsumerGroup& group, const ConsumerGroupMember& member, Records& records);
  void arm_session(const std::string& group_id, const std::string& member_id);
  void arm_rebalance(const std::string& group_id, const ConsumerGroupMember& member);
  void cancel_rebalance(const std::string& group_id, const std::string& member_id);
  AssignorKind default_assignor(const std::string& group_id) const;
  /// The offset of the newest image that brought topics.
  std::int64_t new_topics_version(const metadata::MetadataImage& image);

  ConsumerGroups& groups_;
  coordinator::Timers& timers_;
  const Settings settings_;
  const std::function<std::string()> new_member_id_;
  /// Members that are to give partitions back, and the epoch that they have to leave.
  std::map<std::pair<std::string, std::string>, std::int32_t> rebalancing_;
  std::shared_ptr<const metadata::TopicsImage> known_topics_;
  std::int64_t new_topics_version_ = -1;
};

}  // namespace dohle::groups
