#include "protocol/messages/describe_cluster.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {
namespace {

using protocol::DescribeClusterRequest;
using protocol::DescribeClusterResponse;
using protocol::ErrorCode;

class DescribeCluster : public BrokerFixture {
 protected:
  DescribeClusterResponse ask(const DescribeClusterRequest& request, std::int16_t version = 2,
                              bool on_controller = false) {
    return call<DescribeClusterRequest, DescribeClusterResponse>(version, request, on_controller);
  }
};

TEST_F(DescribeCluster, TheBrokersOfTheListener) {
  // behaviours.md 163
  const auto response = ask({});
  EXPECT_EQ(response.error_code, 0);
  EXPECT_EQ(response.cluster_id, broker().services().cluster_id);
  EXPECT_EQ(response.controller_id, 1);
  EXPECT_EQ(response.endpoint_type, 1);
  ASSERT_EQ(response.brokers.size(), 1u);
  EXPECT_EQ(response.brokers[0].port, 9092);
  EXPECT_FALSE(response.brokers[0].is_fenced);
  EXPECT_EQ(response.cluster_authorized_operations, std::numeric_limits<std::int32_t>::min());
}

TEST_F(DescribeCluster, ControllersAreToldOnTheirListener) {
  DescribeClusterRequest request;
  request.endpoint_type = 2;
  const auto response = ask(request, 2, true);
  EXPECT_EQ(response.error_code, 0);
  EXPECT_EQ(response.endpoint_type, 2);
  ASSERT_EQ(response.brokers.size(), 1u);
  EXPECT_EQ(response.brokers[0].port, 9093);
}

TEST_F(DescribeCluster, TheWrongKindOfEndpoint) {
  // The words of AuthHelper (KIP-919).
  DescribeClusterRequest request;
  request.endpoint_type = 2;
  auto response = ask(request);
  EXPECT_EQ(response.error_code, code(ErrorCode::mismatched_endpoint_type));
  EXPECT_EQ(response.error_message,
            "The request was sent to an endpoint of type BROKER, but we wanted an endpoint of type CONTROLLER");
  request.endpoint_type = 1;
  EXPECT_EQ(ask(request, 2, true).error_code, code(ErrorCode::mismatched_endpoint_type));
  request.endpoint_type = 7;
  EXPECT_EQ(ask(request).error_code, code(ErrorCode::unsupported_endpoint_type));
}

}  // namespace
}  // namespace dohle::api
