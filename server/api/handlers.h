// All handlers that answer at once: a request in, a response out, on the connection's reactor. The ones that may wait
// are in async_handlers.h. Each is in the file of its API's number; api_table.cc has the list.
#pragma once

#include "server/api/handler.h"

namespace dohle::protocol {
struct ApiVersionsRequest;
struct ApiVersionsResponse;
struct DeleteRecordsRequest;
struct DeleteRecordsResponse;
struct DescribeQuorumRequest;
struct DescribeQuorumResponse;
struct ListPartitionReassignmentsRequest;
struct ListPartitionReassignmentsResponse;
struct DescribeLogDirsRequest;
struct DescribeLogDirsResponse;
struct DescribeProducersRequest;
struct DescribeProducersResponse;
struct ListConfigResourcesRequest;
struct ListConfigResourcesResponse;
struct DescribeClusterRequest;
struct DescribeClusterResponse;
struct DescribeConfigsRequest;
struct DescribeConfigsResponse;
struct DescribeTopicPartitionsRequest;
struct DescribeTopicPartitionsResponse;
struct ListOffsetsRequest;
struct ListOffsetsResponse;
struct MetadataRequest;
struct MetadataResponse;
struct OffsetForLeaderEpochRequest;
struct OffsetForLeaderEpochResponse;
struct FindCoordinatorRequest;
struct FindCoordinatorResponse;
struct DescribeProducersRequest;
struct DescribeProducersResponse;
}  // namespace dohle::protocol

namespace dohle::api {

protocol::ListOffsetsResponse list_offsets(Services&, RequestContext&, protocol::ListOffsetsRequest&);
protocol::MetadataResponse metadata(Services&, RequestContext&, protocol::MetadataRequest&);
protocol::ApiVersionsResponse api_versions(Services&, RequestContext&, protocol::ApiVersionsRequest&);
protocol::DeleteRecordsResponse delete_records(Services&, RequestContext&, protocol::DeleteRecordsRequest&);
protocol::OffsetForLeaderEpochResponse offset_for_leader_epoch(Services&, RequestContext&,
                                                               protocol::OffsetForLeaderEpochRequest&);
protocol::DescribeConfigsResponse describe_configs(Services&, RequestContext&, protocol::DescribeConfigsRequest&);
protocol::ListPartitionReassignmentsResponse list_partition_reassignments(Services&, RequestContext&,
                                                                          protocol::ListPartitionReassignmentsRequest&);
protocol::DescribeQuorumResponse describe_quorum(Services&, RequestContext&, protocol::DescribeQuorumRequest&);
protocol::DescribeClusterResponse describe_cluster(Services&, RequestContext&, protocol::DescribeClusterRequest&);
protocol::DescribeTopicPartitionsResponse describe_topic_partitions(Services&, RequestContext&,
                                                                    protocol::DescribeTopicPartitionsRequest&);
protocol::DescribeLogDirsResponse describe_log_dirs(Services&, RequestContext&, protocol::DescribeLogDirsRequest&);
protocol::DescribeProducersResponse describe_producers(Services&, RequestContext&, protocol::DescribeProducersRequest&);
protocol::ListConfigResourcesResponse list_config_resources(Services&, RequestContext&,
                                                            protocol::ListConfigResourcesRequest&);

protocol::FindCoordinatorResponse find_coordinator(Services&, RequestContext&, protocol::FindCoordinatorRequest&);

}  // namespace dohle::api
