// DescribeCluster, key 60, v0 to v2. v1: brokers or controllers (KIP-919); v2: fenced brokers on request (KIP-1073).
// Source: kafka.server.AuthHelper.computeDescribeClusterResponse, KafkaApis.handleDescribeCluster.

#include "protocol/messages/describe_cluster.h"
#include "server/api/authorized_operations.h"
#include "server/api/handlers.h"
#include "server/api/services.h"
#include "server/api/topic_description.h"

namespace dohle::api {

namespace {

constexpr std::int8_t broker_endpoints = 1;
constexpr std::int8_t controller_endpoints = 2;

void add_brokers(const metadata::MetadataImage& image, std::string_view listener, bool include_fenced,
                 protocol::DescribeClusterResponse& response) {
  for (const auto& [id, broker] : image.cluster->brokers) {
    const auto* endpoint = broker.endpoint(listener);
    if (endpoint == nullptr || (broker.fenced && !include_fenced)) continue;
    auto& answer = response.brokers.emplace_back();
    answer.broker_id = id;
    answer.host = endpoint->host;
    answer.port = endpoint->port;
    answer.rack = broker.rack;
    answer.is_fenced = broker.fenced;
  }
}

void add_controllers(const metadata::MetadataImage& image, std::string_view listener,
                     protocol::DescribeClusterResponse& response) {
  for (const auto& [id, controller] : image.cluster->controllers) {
    for (const auto& endpoint : controller.endpoints) {
      if (endpoint.name != listener) continue;
      auto& answer = response.brokers.emplace_back();
      answer.broker_id = id;
      answer.host = endpoint.host;
      answer.port = endpoint.port;
    }
  }
}

protocol::DescribeClusterResponse refused(protocol::ErrorCode error, std::string message) {
  protocol::DescribeClusterResponse response;
  response.error_code = static_cast<std::int16_t>(error);
  response.error_message = std::move(message);
  return response;
}

}  // namespace

protocol::DescribeClusterResponse describe_cluster(Services& services, RequestContext& context,
                                                   protocol::DescribeClusterRequest& request) {
  const bool on_controller = context.session.is_controller;
  const std::int8_t expected = on_controller ? controller_endpoints : broker_endpoints;
  if (context.version() >= 1 && request.endpoint_type != expected) {
    if (on_controller && request.endpoint_type == broker_endpoints) {
      return refused(
          protocol::ErrorCode::mismatched_endpoint_type,
          "The request was sent to an endpoint of type CONTROLLER, but we wanted an endpoint of type BROKER");
    }
    if (!on_controller && request.endpoint_type == controller_endpoints) {
      return refused(
          protocol::ErrorCode::mismatched_endpoint_type,
          "The request was sent to an endpoint of type BROKER, but we wanted an endpoint of type CONTROLLER");
    }
    return refused(protocol::ErrorCode::unsupported_endpoint_type,
                   "Unsupported endpoint type " + std::to_string(request.endpoint_type));
  }

  protocol::DescribeClusterResponse response;
  const auto image = services.image.current();
  response.endpoint_type = expected;
  response.cluster_id = services.cluster_id;
  if (request.include_cluster_authorized_operations) response.cluster_authorized_operations = cluster_operations;
  if (on_controller) {
    add_controllers(*image, context.session.listener, response);
    response.controller_id = services.node_id;
  } else {
    add_brokers(*image, context.session.listener, request.include_fenced_brokers, response);
    response.controller_id = alive_broker(*image);
  }
  return response;
}

}  // namespace dohle::api
