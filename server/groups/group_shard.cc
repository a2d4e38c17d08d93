#include "server/groups/group_shard.h"

#include <utility>

#include "protocol/messages/group_metadata_key.h"
#include "server/groups/group_replay.h"
#include "server/groups/refusals.h"

namespace dohle::groups {

using protocol::ErrorCode;

namespace {

std::int16_t code(ErrorCode error) {
  return static_cast<std::int16_t>(error);
}

template <typename Request, typename Response>
Response refuse_partitions(const Request& request, ErrorCode error) {
  Response response;
  for (const auto& topic : request.topics) {
    auto& topic_answer = response.topics.emplace_back();
    topic_answer.name = topic.name;
    topic_answer.topic_id = topic.topic_id;
    for (const auto& partition : topic.partitions) {
      auto& answer = topic_answer.partitions.emplace_back();
      answer.partition_index = partition.partition_index;
      answer.error_code = code(error);
    }
  }
  return response;
}

}  // namespace

protocol::OffsetCommitResponse refused(const protocol::OffsetCommitRequest& request, ErrorCode error) {
  return refuse_partitions<protocol::OffsetCommitRequest, protocol::OffsetCommitResponse>(request, error);
}

protocol::TxnOffsetCommitResponse refused(const protocol::TxnOffsetCommitRequest& request, ErrorCode error) {
  return refuse_partitions<protocol::TxnOffsetCommitRequest, protocol::TxnOffsetCommitResponse>(request, error);
}

GroupShard::GroupShard(const GroupSettings& settings, coordinator::Timers& timers,
                       std::function<std::string()> new_uuid)
    : settings_(settings),
      timers_(timers),
      offset_operations_(groups_, offsets_, settings),
      classic_(groups_, timers, settings, std::move(new_uuid)),
      consumer_groups_(groups_, timers, classic_),
      consumer_(
          consumer_groups_, timers, [this](const std::string& id) { return consumer_settings(id); },
          [] { return codec::Uuid::random().to_string(); }) {}

runtime::Status GroupShard::replay(const coordinator::Record& record, std::int64_t offset, std::int64_t producer_id,
                                   std::int16_t) {
  const auto type = coordinator::record_type(record.key);
  if (!type) return runtime::failure(runtime::ErrorKind::corrupt, "a record key without a type");
  switch (*type) {
    case 0:  // what old releases wrote; the same fields
    case 1:
      return replay_offset(record, offset, producer_id);
    case protocol::GroupMetadataKey::record_type:
      return replay_group(record);
    default:
      if (ConsumerCoordinator::replays(*type)) return consumer_.replay(record);
      // Groups of other types, and records of later releases.
      return {};
  }
}

runtime::Status GroupShard::replay_offset(const coordinator::Record& record, std::int64_t offset,
                                          std::int64_t producer_id) {
  auto parsed = parse_offset_commit(record, offset);
  if (!parsed) return std::unexpected(std::move(parsed.error()));
  const auto& key = parsed->key;
  if (!parsed->offset) {
    offsets_.replay_tombstone(key.group, key.topic, key.partition);
    return {};
  }
  // A simple consumer commits to a group that nobody joined.
  if (groups_.find(key.group) == nullptr) groups_.put(std::make_unique<ClassicGroup>(key.group, now_ms_));
  offsets_.replay(key.group, key.topic, key.partition, *parsed->offset, producer_id);
  return {};
}

runtime::Status GroupShard::replay_group(const coordinator::Record& record) {
  protocol::GroupMetadataKey key;
  if (!coordinator::decode_key(record.key, key)) {
    return runtime::failure(runtime::ErrorKind::corrupt, "a group's key cannot be read");
  }
  if (!record.value) {
    groups_.remove(key.group);
    return {};
  }
  auto group = parse_classic_group(key.group, *record.value);
  if (!group) return std::unexpected(std::move(group.error()));
  groups_.put(std::move(*group));
  return {};
}

void GroupShard::replay_end_transaction(std::int64_t producer_id, std::int16_t, bool committed) {
  offsets_.replay_end_transaction(producer_id, committed);
}

void GroupShard::arm_expiry() {
  timers_.arm({static_cast<std::int32_t>(TimerKind::expiry), {}, {}}, settings_.offsets_retention_check_interval_ms);
}

void GroupShard::loaded(const Context& context) {
  now_ms_ = context.now_ms;
  for (const auto& [id, group] : groups_.all()) {
    // Its outcome is empty: nobody has joined yet.
    if (group->type() == GroupType::classic) classic_.loaded(static_cast<ClassicGroup&>(*group), context.now_ms);
  }
  image_ = &context.image;
  consumer_.loaded(context);
  image_ = nullptr;
  arm_expiry();
}

void GroupShard::unloaded() {
  for (const auto& [id, group] : groups_.all()) group->unload();
}

coordinator::Outcome GroupShard::on_timer(const coordinator::TimerKey& key, const Context& context) {
  now_ms_ = context.now_ms;
  switch (static_cast<TimerKind>(key.kind)) {
    case TimerKind::expiry:
      return expire(context);
    case TimerKind::classic_heartbeat:
      return classic_.on_heartbeat_timer(key.id, key.sub_id, context.now_ms);
    case TimerKind::classic_join:
      return classic_.on_join_timer(key.id, context.now_ms);
    case TimerKind::classic_sync:
      return classic_.on_sync_timer(key.id, context.now_ms);
    case TimerKind::consumer_session:
    case TimerKind::consumer_rebalance:
    case TimerKind::consumer_regex:
    case TimerKind::consumer_join:
    case TimerKind::consumer_sync:
      return on_consumer_timer(key, context);
  }
  return {};
}

coordinator::Outcome GroupShard::expire(const Context& context) {
  Outcome outcome;
  outcome.atomic = false;
  for (const auto& [id, group] : groups_.all()) {
    const bool all_expired = offset_operations_.expire(*group, context.now_ms, outcome.records);
    if (!all_expired || !group->is_empty()) continue;
    group->append_tombstones(outcome.records);
    group->cancel_timers(timers_);
  }
  arm_expiry();
  return outcome;
}

coordinator::Outcome GroupShard::topics_deleted(const std::vector<metadata::TopicPointer>& topics, const Context&) {
  Outcome outcome;
  outcome.atomic = false;
  outcome.records = offset_operations_.delete_topics(topics);
  return outcome;
}

coordinator::Outcome GroupShard::join(const Context& context, const ClientInfo& client,
                                      const protocol::JoinGroupRequest& request,
                                      Reply<protocol::JoinGroupResponse> reply) {
  if (find_consumer_members(request.group_id) == nullptr) {
    return join_classic(context, client, request, std::move(reply));
  }
  image_ = &context.image;
  auto outcome = consumer_.join(context, client, request, std::move(reply));
  image_ = nullptr;
  return outcome;
}

coordinator::Outcome GroupShard::sync(const Context& context, const protocol::SyncGroupRequest& request,
                                      Reply<protocol::SyncGroupResponse> reply) {
  if (find_consumer_members(request.group_id) != nullptr) return consumer_.sync(context, request, std::move(reply));
  return classic_.sync(request, std::move(reply), context.now_ms);
}

coordinator::Outcome GroupShard::heartbeat(const protocol::HeartbeatRequest& request,
                                           Reply<protocol::HeartbeatResponse> reply) {
  protocol::HeartbeatResponse response;
  const bool is_consumer_group = find_consumer_members(request.group_id) != nullptr;
  response.error_code = code(is_consumer_group ? consumer_.classic_heartbeat(request) : classic_.heartbeat(request));
  Outcome outcome;
  outcome.answer(std::move(reply), std::move(response), heartbeat_error);
  return outcome;
}

coordinator::Outcome GroupShard::leave(const Context& context, const protocol::LeaveGroupRequest& request,
                                       Reply<protocol::LeaveGroupResponse> reply) {
  if (find_consumer_members(request.group_id) != nullptr) {
    image_ = &context.image;
    auto outcome = consumer_.leave(context, request, std::move(reply));
    image_ = nullptr;
    return outcome;
  }
  return classic_.leave(request, std::move(reply), context.now_ms);
}

coordinator::Outcome GroupShard::commit(const Context& context, const protocol::OffsetCommitRequest& request,
                                        std::int16_t version, Reply<protocol::OffsetCommitResponse> reply) {
  now_ms_ = context.now_ms;
  auto result = offset_operations_.commit(request, version, context.now_ms);
  Outcome outcome;
  if (result.error != ErrorCode::none) {
    result.response = refused(request, result.error);
  } else if (auto* group = groups_.find_classic(request.group_id)) {
    classic_.keep_session(*group, request.member_id);
  }
  outcome.records = std::move(result.records);
  outcome.answer(std::move(reply), std::move(result.response),
                 [request](ErrorCode error) { return refused(request, error); });
  return outcome;
}

coordinator::Outcome GroupShard::commit_in_transaction(const Context& context,
                                                       const protocol::TxnOffsetCommitRequest& request,
                                                       std::int16_t version,
                                                       Reply<protocol::TxnOffsetCommitResponse> reply) {
  now_ms_ = context.now_ms;
  auto result = offset_operations_.commit_in_transaction(request, version, context.now_ms);
  if (result.error != ErrorCode::none) result.response = refused(request, result.error);
  Outcome outcome;
  outcome.records = std::move(result.records);
  outcome.producer = coordinator::ProducerIdentity{request.producer_id, request.producer_epoch, {}};
  outcome.answer(std::move(reply), std::move(result.response),
                 [request](ErrorCode error) { return refused(request, error); });
  return outcome;
}

coordinator::Outcome GroupShard::fetch(const OffsetOperations::FetchGroup& request, bool require_stable,
                                       Reply<OffsetOperations::FetchedGroup> reply) {
  Outcome outcome;
  outcome.answer(std::move(reply), offset_operations_.fetch(request, require_stable),
                 [id = request.group_id](ErrorCode error) { return fetch_error(id, error); });
  return outcome;
}

coordinator::Outcome GroupShard::remove_offsets(const protocol::OffsetDeleteRequest& request,
                                                Reply<protocol::OffsetDeleteResponse> reply) {
  auto result = offset_operations_.remove(request);
  if (result.error != ErrorCode::none) result.response = offset_delete_error(result.error);
  Outcome outcome;
  outcome.records = std::move(result.records);
  outcome.answer(std::move(reply), std::move(result.response), offset_delete_error);
  return outcome;
}

}  // namespace dohle::groups
