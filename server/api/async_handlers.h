// The handlers that may wait: for data, for the disk, for the controller. Coroutines on the connection's reactor.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "server/api/handler.h"

namespace dohle::protocol {
struct AlterPartitionReassignmentsRequest;
struct AlterPartitionReassignmentsResponse;
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

boost::asio::awaitable<protocol::ElectLeadersResponse> elect_leaders(Services&, RequestContext&,
                                                                     protocol::ElectLeadersRequest&);
boost::asio::awaitable<protocol::AlterPartitionReassignmentsResponse> alter_partition_reassignments(
    Services&, RequestContext&, protocol::AlterPartitionReassignmentsRequest&);
boost::asio::awaitable<protocol::UpdateFeaturesResponse> update_features(Services&, RequestContext&,
                                                                         protocol::UpdateFeaturesRequest&);

}  // namespace dohle::api
