#include "server/api/api_table.h"

#include <algorithm>
#include <array>

#include "protocol/messages/add_offsets_to_txn.h"
#include "protocol/messages/add_partitions_to_txn.h"
#include "protocol/messages/alter_configs.h"
#include "protocol/messages/alter_partition_reassignments.h"
#include "protocol/messages/alter_replica_log_dirs.h"
#include "protocol/messages/api_versions.h"
#include "protocol/messages/consumer_group_describe.h"
#include "protocol/messages/consumer_group_heartbeat.h"
#include "protocol/messages/create_partitions.h"
#include "protocol/messages/create_topics.h"
#include "protocol/messages/delete_groups.h"
#include "protocol/messages/delete_records.h"
#include "protocol/messages/delete_topics.h"
#include "protocol/messages/describe_cluster.h"
#include "protocol/messages/describe_configs.h"
#include "protocol/messages/describe_groups.h"
#include "protocol/messages/describe_log_dirs.h"
#include "protocol/messages/describe_producers.h"
#include "protocol/messages/describe_quorum.h"
#include "protocol/messages/describe_topic_partitions.h"
#include "protocol/messages/describe_transactions.h"
#include "protocol/messages/elect_leaders.h"
#include "protocol/messages/end_txn.h"
#include "protocol/messages/fetch.h"
#include "protocol/messages/find_coordinator.h"
#include "protocol/messages/heartbeat.h"
#include "protocol/messages/incremental_alter_configs.h"
#include "protocol/messages/init_producer_id.h"
#include "protocol/messages/join_group.h"
#include "protocol/messages/leave_group.h"
#include "protocol/messages/list_config_resources.h"
#include "protocol/messages/list_groups.h"
#include "protocol/messages/list_offsets.h"
#include "protocol/messages/list_partition_reassignments.h"
#include "protocol/messages/list_transactions.h"
#include "protocol/messages/metadata.h"
#include "protocol/messages/offset_commit.h"
#include "protocol/messages/offset_delete.h"
#include "protocol/messages/offset_fetch.h"
#include "protocol/messages/offset_for_leader_epoch.h"
#include "protocol/messages/produce.h"
#include "protocol/messages/sync_group.h"
#include "protocol/messages/txn_offset_commit.h"
#include "protocol/messages/update_features.h"
#include "protocol/messages/write_txn_markers.h"
#include "server/api/async_handlers.h"
#include "server/api/handlers.h"

namespace dohle::api {

namespace {

using protocol::ApiKey;

template <typename Request, typename Response, Response (*handler)(Services&, RequestContext&, Request&)>
bool answer_now(Services& services, RequestContext& context, codec::Reader& reader, codec::Writer& writer) {
  Request request;
  decode(reader, context.version(), request);
  if (!reader.ok()) return false;
  const Response response = handler(services, context, request);
  encode(writer, context.version(), response);
  return true;
}

template <typename Request, typename Response,
          boost::asio::awaitable<Response> (*handler)(Services&, RequestContext&, Request&)>
boost::asio::awaitable<bool> answer_later(Services& services, RequestContext& context, codec::Reader& reader,
                                          codec::Writer& writer) {
  Request request;
  decode(reader, context.version(), request);
  if (!reader.ok()) co_return false;
  const Response response = co_await handler(services, context, request);
  encode(writer, context.version(), response);
  co_return true;
}

enum class On : std::uint8_t { broker, both };

#define NOW(Name, handler, on)                                                            \
  ApiRow {                                                                                \
    static_cast<ApiKey>(protocol::Name##Request::api_key), true, (on) == On::both,        \
        &answer_now<protocol::Name##Request, protocol::Name##Response, &handler>, nullptr \
  }
#define LATER(Name, handler, on)                                                            \
  ApiRow {                                                                                  \
    static_cast<ApiKey>(protocol::Name##Request::api_key), true, (on) == On::both, nullptr, \
        &answer_later<protocol::Name##Request, protocol::Name##Response, &handler>          \
  }

constexpr std::array table{
    LATER(Produce, produce, On::broker),
    LATER(Fetch, fetch, On::broker),
    NOW(ListOffsets, list_offsets, On::broker),
    NOW(Metadata, metadata, On::broker),
    LATER(OffsetCommit, offset_commit, On::broker),
    LATER(OffsetFetch, offset_fetch, On::broker),
    NOW(FindCoordinator, find_coordinator, On::broker),
    LATER(JoinGroup, join_group, On::broker),
    LATER(Heartbeat, heartbeat, On::broker),
    LATER(LeaveGroup, leave_group, On::broker),
    LATER(SyncGroup, sync_group, On::broker),
    LATER(DescribeGroups, describe_groups, On::broker),
    LATER(ListGroups, list_groups, On::broker),
    NOW(ApiVersions, api_versions, On::both),
    LATER(CreateTopics, create_topics, On::both),
    LATER(DeleteTopics, delete_topics, On::both),
    NOW(DeleteRecords, delete_records, On::broker),
    LATER(InitProducerId, init_producer_id, On::broker),
    NOW(OffsetForLeaderEpoch, offset_for_leader_epoch, On::broker),
    LATER(AddPartitionsToTxn, add_partitions_to_txn, On::broker),
    LATER(AddOffsetsToTxn, add_offsets_to_txn, On::broker),
    LATER(EndTxn, end_txn, On::broker),
    LATER(WriteTxnMarkers, write_txn_markers, On::broker),
    LATER(TxnOffsetCommit, txn_offset_commit, On::broker),
    NOW(DescribeConfigs, describe_configs, On::both),
    LATER(AlterConfigs, alter_configs, On::both),
    LATER(AlterReplicaLogDirs, alter_replica_log_dirs, On::broker),
    NOW(DescribeLogDirs, describe_log_dirs, On::broker),
    LATER(CreatePartitions, create_partitions, On::both),
    LATER(DeleteGroups, delete_groups, On::broker),
    LATER(ElectLeaders, elect_leaders, On::both),
    LATER(IncrementalAlterConfigs, incremental_alter_configs, On::both),
    LATER(AlterPartitionReassignments, alter_partition_reassignments, On::both),
    NOW(ListPartitionReassignments, list_partition_reassignments, On::both),
    LATER(OffsetDelete, offset_delete, On::broker),
    NOW(DescribeQuorum, describe_quorum, On::both),
    LATER(UpdateFeatures, update_features, On::both),
    NOW(DescribeCluster, describe_cluster, On::both),
    NOW(DescribeProducers, describe_producers, On::broker),
    LATER(DescribeTransactions, describe_transactions, On::broker),
    LATER(ListTransactions, list_transactions, On::broker),
    LATER(ConsumerGroupHeartbeat, consumer_group_heartbeat, On::broker),
    LATER(ConsumerGroupDescribe, consumer_group_describe, On::broker),
    NOW(ListConfigResources, list_config_resources, On::broker),
    NOW(DescribeTopicPartitions, describe_topic_partitions, On::broker),
};

#undef NOW
#undef LATER

static_assert(std::ranges::is_sorted(table, {}, &ApiRow::key));

}  // namespace

std::span<const ApiRow> api_table() {
  return table;
}

const ApiRow* find_row(ApiKey key, bool on_controller_listener) {
  const auto found = std::ranges::lower_bound(table, key, {}, &ApiRow::key);
  if (found == table.end() || found->key != key) return nullptr;
  return (on_controller_listener ? found->on_controller : found->on_broker) ? &*found : nullptr;
}

}  // namespace dohle::api
