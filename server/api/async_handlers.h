// The handlers that may wait: for data, for the disk, for the controller. Coroutines on the connection's reactor.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "server/api/handler.h"

namespace dohle::protocol {
struct AlterConfigsRequest;
struct AlterConfigsResponse;
struct IncrementalAlterConfigsRequest;
struct IncrementalAlterConfigsResponse;
struct AlterPartitionReassignmentsRequest;
struct AlterPartitionReassignmentsResponse;
struct AlterReplicaLogDirsRequest;
struct AlterReplicaLogDirsResponse;
struct ElectLeadersRequest;
struct ElectLeadersResponse;
struct UpdateFeaturesRequest;
struct UpdateFeaturesResponse;
struct CreatePartitionsRequest;
struct CreatePartitionsResponse;
struct CreateTopicsRequest;
struct CreateTopicsResponse;
struct DeleteTopicsRequest;
struct DeleteTopicsResponse;
struct FetchRequest;
struct FetchResponse;
struct InitProducerIdRequest;
struct InitProducerIdResponse;
struct ProduceRequest;
struct ProduceResponse;
struct OffsetCommitRequest;
struct OffsetCommitResponse;
struct OffsetFetchRequest;
struct OffsetFetchResponse;
struct JoinGroupRequest;
struct JoinGroupResponse;
struct HeartbeatRequest;
struct ConsumerGroupHeartbeatRequest;
struct ConsumerGroupHeartbeatResponse;
struct ConsumerGroupDescribeRequest;
struct ConsumerGroupDescribeResponse;
struct HeartbeatResponse;
struct LeaveGroupRequest;
struct LeaveGroupResponse;
struct SyncGroupRequest;
struct SyncGroupResponse;
struct DescribeGroupsRequest;
struct DescribeGroupsResponse;
struct ListGroupsRequest;
struct ListGroupsResponse;
struct DeleteGroupsRequest;
struct DeleteGroupsResponse;
struct OffsetDeleteRequest;
struct OffsetDeleteResponse;
struct AddPartitionsToTxnRequest;
struct AddPartitionsToTxnResponse;
struct AddOffsetsToTxnRequest;
struct AddOffsetsToTxnResponse;
struct EndTxnRequest;
struct EndTxnResponse;
struct WriteTxnMarkersRequest;
struct WriteTxnMarkersResponse;
struct TxnOffsetCommitRequest;
struct TxnOffsetCommitResponse;
struct DescribeTransactionsRequest;
struct DescribeTransactionsResponse;
struct ListTransactionsRequest;
struct ListTransactionsResponse;
}  // namespace dohle::protocol

namespace dohle::api {

boost::asio::awaitable<protocol::ProduceResponse> produce(Services&, RequestContext&, protocol::ProduceRequest&);
boost::asio::awaitable<protocol::FetchResponse> fetch(Services&, RequestContext&, protocol::FetchRequest&);
boost::asio::awaitable<protocol::CreateTopicsResponse> create_topics(Services&, RequestContext&,
                                                                     protocol::CreateTopicsRequest&);
boost::asio::awaitable<protocol::DeleteTopicsResponse> delete_topics(Services&, RequestContext&,
                                                                     protocol::DeleteTopicsRequest&);
boost::asio::awaitable<protocol::InitProducerIdResponse> init_producer_id(Services&, RequestContext&,
                                                                          protocol::InitProducerIdRequest&);
boost::asio::awaitable<protocol::CreatePartitionsResponse> create_partitions(Services&, RequestContext&,
                                                                             protocol::CreatePartitionsRequest&);

boost::asio::awaitable<protocol::AlterConfigsResponse> alter_configs(Services&, RequestContext&,
                                                                     protocol::AlterConfigsRequest&);
boost::asio::awaitable<protocol::IncrementalAlterConfigsResponse> incremental_alter_configs(
    Services&, RequestContext&, protocol::IncrementalAlterConfigsRequest&);
boost::asio::awaitable<protocol::ElectLeadersResponse> elect_leaders(Services&, RequestContext&,
                                                                     protocol::ElectLeadersRequest&);
boost::asio::awaitable<protocol::AlterReplicaLogDirsResponse> alter_replica_log_dirs(
    Services&, RequestContext&, protocol::AlterReplicaLogDirsRequest&);
boost::asio::awaitable<protocol::AlterPartitionReassignmentsResponse> alter_partition_reassignments(
    Services&, RequestContext&, protocol::AlterPartitionReassignmentsRequest&);
boost::asio::awaitable<protocol::UpdateFeaturesResponse> update_features(Services&, RequestContext&,
                                                                         protocol::UpdateFeaturesRequest&);

// Groups and their offsets: the group coordinator answers on the group's home thread.
boost::asio::awaitable<protocol::OffsetCommitResponse> offset_commit(Services&, RequestContext&,
                                                                     protocol::OffsetCommitRequest&);
boost::asio::awaitable<protocol::OffsetFetchResponse> offset_fetch(Services&, RequestContext&,
                                                                   protocol::OffsetFetchRequest&);
boost::asio::awaitable<protocol::JoinGroupResponse> join_group(Services&, RequestContext&, protocol::JoinGroupRequest&);
boost::asio::awaitable<protocol::ConsumerGroupHeartbeatResponse> consumer_group_heartbeat(
    Services&, RequestContext&, protocol::ConsumerGroupHeartbeatRequest&);
boost::asio::awaitable<protocol::ConsumerGroupDescribeResponse> consumer_group_describe(
    Services&, RequestContext&, protocol::ConsumerGroupDescribeRequest&);
boost::asio::awaitable<protocol::HeartbeatResponse> heartbeat(Services&, RequestContext&, protocol::HeartbeatRequest&);
boost::asio::awaitable<protocol::LeaveGroupResponse> leave_group(Services&, RequestContext&,
                                                                 protocol::LeaveGroupRequest&);
boost::asio::awaitable<protocol::SyncGroupResponse> sync_group(Services&, RequestContext&, protocol::SyncGroupRequest&);
boost::asio::awaitable<protocol::DescribeGroupsResponse> describe_groups(Services&, RequestContext&,
                                                                         protocol::DescribeGroupsRequest&);
boost::asio::awaitable<protocol::ListGroupsResponse> list_groups(Services&, RequestContext&,
                                                                 protocol::ListGroupsRequest&);
boost::asio::awaitable<protocol::DeleteGroupsResponse> delete_groups(Services&, RequestContext&,
                                                                     protocol::DeleteGroupsRequest&);
boost::asio::awaitable<protocol::OffsetDeleteResponse> offset_delete(Services&, RequestContext&,
                                                                     protocol::OffsetDeleteRequest&);

// Transactions.
boost::asio::awaitable<protocol::AddPartitionsToTxnResponse> add_partitions_to_txn(
    Services&, RequestContext&, protocol::AddPartitionsToTxnRequest&);
boost::asio::awaitable<protocol::AddOffsetsToTxnResponse> add_offsets_to_txn(Services&, RequestContext&,
                                                                             protocol::AddOffsetsToTxnRequest&);
boost::asio::awaitable<protocol::EndTxnResponse> end_txn(Services&, RequestContext&, protocol::EndTxnRequest&);
boost::asio::awaitable<protocol::WriteTxnMarkersResponse> write_txn_markers(Services&, RequestContext&,
                                                                            protocol::WriteTxnMarkersRequest&);
boost::asio::awaitable<protocol::TxnOffsetCommitResponse> txn_offset_commit(Services&, RequestContext&,
                                                                            protocol::TxnOffsetCommitRequest&);
boost::asio::awaitable<protocol::DescribeTransactionsResponse> describe_transactions(
    Services&, RequestContext&, protocol::DescribeTransactionsRequest&);
boost::asio::awaitable<protocol::ListTransactionsResponse> list_transactions(Services&, RequestContext&,
                                                                             protocol::ListTransactionsRequest&);

}  // namespace dohle::api
