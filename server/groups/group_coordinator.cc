#include "server/groups/group_coordinator.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "server/groups/java_uuid.h"
#include "server/groups/refusals.h"

namespace dohle::groups {

using coordinator::OperationContext;
using protocol::ErrorCode;

namespace {

coordinator::RuntimeOptions runtime_options(const config::BrokerConfig& config) {
  coordinator::RuntimeOptions options;
  options.topic = offsets_topic;
  options.logger = "org.apache.kafka.coordinator.group.GroupCoordinatorService";
  options.node_id = config.node_id;
  options.default_partitions = config.offsets_topic_num_partitions;
  options.compression = static_cast<codec::Compression>(config.offsets_topic_compression_codec);
  return options;
}

/// Before a group is looked at, and while it is loading.
protocol::JoinGroupResponse join_refusal(ErrorCode error, std::string member_id = {}) {
  auto response = error_response<protocol::JoinGroupResponse>(error);
  response.member_id = std::move(member_id);
  return response;
}

bool serves(const config::BrokerConfig& config, GroupType type) {
  constexpr const char* key = "group.coordinator.rebalance.protocols";
  // A configuration that was made by hand has no values.
  if (config.values.find(key) == nullptr) return true;
  const auto protocols = config.values.get_list(key);
  return std::ranges::find(protocols, to_string(type)) != protocols.end();
}

}  // namespace

GroupCoordinator::GroupCoordinator(const config::BrokerConfig& config, runtime::ReactorPool& reactors,
                                   runtime::DiskPool& disk_pool, coordinator::PartitionLogs logs,
                                   const runtime::Snapshot<metadata::MetadataImage>& image, const runtime::Clock& clock)
    : settings_(GroupSettings::from(config)),
      has_consumer_protocol_(serves(config, GroupType::consumer)),
      runtime_(runtime_options(config), reactors, disk_pool, std::move(logs), image, clock,
               [this](std::int32_t, coordinator::Timers& timers) {
                 return std::make_unique<GroupShard>(settings_, timers, random_java_uuid);
               }) {}

void GroupCoordinator::join(ClientInfo client, protocol::JoinGroupRequest request,
                            Reply<protocol::JoinGroupResponse> reply) {
  if (request.group_id.empty()) {
    reply(join_refusal(ErrorCode::invalid_group_id, request.member_id));
    return;
  }
  if (request.session_timeout_ms < settings_.min_session_timeout_ms ||
      request.session_timeout_ms > settings_.max_session_timeout_ms) {
    reply(join_refusal(ErrorCode::invalid_session_timeout, request.member_id));
    return;
  }
  const auto partition = runtime_.partition_for(request.group_id);
  runtime_.write<protocol::JoinGroupResponse>(
      partition,
      [client = std::move(client), request = std::move(request)](GroupShard& shard, const OperationContext& context,
                                                                 Reply<protocol::JoinGroupResponse> answer) {
        return shard.join(context, client, request, std::move(answer));
      },
      std::move(reply), [](ErrorCode error) { return join_refusal(error); });
}

void GroupCoordinator::sync(protocol::SyncGroupRequest request, Reply<protocol::SyncGroupResponse> reply) {
  if (request.group_id.empty()) {
    reply(error_response<protocol::SyncGroupResponse>(ErrorCode::invalid_group_id));
    return;
  }
  const auto partition = runtime_.partition_for(request.group_id);
  runtime_.write<protocol::SyncGroupResponse>(
      partition,
      [request = std::move(request)](GroupShard& shard, const OperationContext& context,
                                     Reply<protocol::SyncGroupResponse> answer) {
        return shard.sync(context, request, std::move(answer));
      },
      std::move(reply), error_response<protocol::SyncGroupResponse>);
}

void GroupCoordinator::heartbeat(protocol::HeartbeatRequest request, Reply<protocol::HeartbeatResponse> reply) {
  if (request.group_id.empty()) {
    reply(heartbeat_error(ErrorCode::invalid_group_id));
    return;
  }
  const auto partition = runtime_.partition_for(request.group_id);
  runtime_.write<protocol::HeartbeatResponse>(
      partition,
      [request = std::move(request)](GroupShard& shard, const OperationContext&,
                                     Reply<protocol::HeartbeatResponse> answer) {
        return shard.heartbeat(request, std::move(answer));
      },
      std::move(reply),
      [](ErrorCode error) {
        // A member need not worry while its group is read from the log.
        return heartbeat_error(error == ErrorCode::coordinator_load_in_progress ? ErrorCode::none : error);
      });
}

void GroupCoordinator::leave(protocol::LeaveGroupRequest request, Reply<protocol::LeaveGroupResponse> reply) {
  if (request.group_id.empty()) {
    reply(error_response<protocol::LeaveGroupResponse>(ErrorCode::invalid_group_id));
    return;
  }
  const auto partition = runtime_.partition_for(request.group_id);
  runtime_.write<protocol::LeaveGroupResponse>(
      partition,
      [request = std::move(request)](GroupShard& shard, const OperationContext& context,
                                     Reply<protocol::LeaveGroupResponse> answer) {
        return shard.leave(context, request, std::move(answer));
      },
      std::move(reply), error_response<protocol::LeaveGroupResponse>);
}

void GroupCoordinator::commit(protocol::OffsetCommitRequest request, std::int16_t version,
                              Reply<protocol::OffsetCommitResponse> reply) {
  const auto partition = runtime_.partition_for(request.group_id);
  auto refusal = [request](ErrorCode error) { return refused(request, error); };
  runtime_.write<protocol::OffsetCommitResponse>(
      partition,
      [request = std::move(request), version](GroupShard& shard, const OperationContext& context,
                                              Reply<protocol::OffsetCommitResponse> answer) {
        return shard.commit(context, request, version, std::move(answer));
      },
      std::move(reply), std::move(refusal));
}

void GroupCoordinator::commit_in_transaction(protocol::TxnOffsetCommitRequest request, std::int16_t version,
                                             log::VerificationGuard guard,
                                             Reply<protocol::TxnOffsetCommitResponse> reply) {
  if (request.group_id.empty()) {
    reply(refused(request, ErrorCode::invalid_group_id));
    return;
  }
  const auto partition = runtime_.partition_for(request.group_id);
  auto refusal = [request](ErrorCode error) { return refused(request, error); };
  runtime_.write<protocol::TxnOffsetCommitResponse>(
      partition,
      [request = std::move(request), version, guard](GroupShard& shard, const OperationContext& context,
                                                     Reply<protocol::TxnOffsetCommitResponse> answer) {
        auto outcome = shard.commit_in_transaction(context, request, version, std::move(answer));
        if (outcome.producer) outcome.producer->guard = guard;
        return outcome;
      },
      std::move(reply), std::move(refusal));
}

void GroupCoordinator::fetch(OffsetOperations::FetchGroup request, bool require_stable,
                             Reply<OffsetOperations::FetchedGroup> reply) {
  const auto partition = runtime_.partition_for(request.group_id);
  auto refusal = [id = request.group_id](ErrorCode error) { return fetch_error(id, error); };
  runtime_.write<OffsetOperations::FetchedGroup>(
      partition,
      [request = std::move(request), require_stable](GroupShard& shard, const OperationContext&,
                                                     Reply<OffsetOperations::FetchedGroup> answer) {
        return shard.fetch(request, require_stable, std::move(answer));
      },
      std::move(reply), std::move(refusal));
}

void GroupCoordinator::remove_offsets(protocol::OffsetDeleteRequest request,
                                      Reply<protocol::OffsetDeleteResponse> reply) {
  if (request.group_id.empty()) {
    reply(offset_delete_error(ErrorCode::invalid_group_id));
    return;
  }
  const auto partition = runtime_.partition_for(request.group_id);
  runtime_.write<protocol::OffsetDeleteResponse>(
      partition,
      [request = std::move(request)](GroupShard& shard, const OperationContext&,
                                     Reply<protocol::OffsetDeleteResponse> answer) {
        return shard.remove_offsets(request, std::move(answer));
      },
      std::move(reply), offset_delete_error);
}

void GroupCoordinator::describe(std::int32_t partition, std::vector<std::string> ids, std::int16_t version,
                                Reply<DescribedGroups> reply) {
  auto refusal = [ids](ErrorCode error) { return refused_description(ids, error); };
  runtime_.write<DescribedGroups>(
      partition,
      [ids = std::move(ids), version](GroupShard& shard, const OperationContext&, Reply<DescribedGroups> answer) {
        return shard.describe(ids, version, std::move(answer));
      },
      std::move(reply), std::move(refusal));
}

void GroupCoordinator::remove(std::int32_t partition, std::vector<std::string> ids, Reply<DeletedGroups> reply) {
  auto refusal = [ids](ErrorCode error) { return refused_deletion(ids, error); };
  runtime_.write<DeletedGroups>(
      partition,
      [ids = std::move(ids)](GroupShard& shard, const OperationContext&, Reply<DeletedGroups> answer) {
        return shard.remove(ids, std::move(answer));
      },
      std::move(reply), std::move(refusal));
}

void GroupCoordinator::list(std::int32_t partition, std::vector<std::string> states, std::vector<std::string> types,
                            Reply<Listing> reply) {
  runtime_.write<Listing>(
      partition,
      [states = std::move(states), types = std::move(types)](GroupShard& shard, const OperationContext&,
                                                             Reply<Listing> answer) {
        auto listed = [answer = std::move(answer)](ListedGroups groups) mutable {
          answer(Listing{ErrorCode::none, std::move(groups)});
        };
        return shard.list(states, types, std::move(listed));
      },
      std::move(reply), [](ErrorCode error) { return Listing{error, {}}; });
}

}  // namespace dohle::groups
