// DescribeConfigs, key 32, v1 to v4, without the broker around it: the configs of topics, brokers, groups,
// client-metrics subscriptions and loggers as an image and the broker's configuration have them. v3: documentation and
// types. Source: kafka.server.ConfigHelper.
#pragma once

#include <functional>
#include <string_view>

#include "protocol/messages/describe_configs.h"
#include "server/config/broker_config.h"
#include "server/metadata/metadata_image.h"

namespace dohle::api {

/// What the answer is made of; all of one moment.
struct ConfigView {
  const config::BrokerConfig& broker;
  const metadata::ConfigurationsImage& configs;
  std::function<bool(std::string_view)> topic_exists;
};

/// Any thread. Every resource gets its own error; the request fails as a whole (INVALID_REQUEST for every resource)
/// when one has a type that nobody knows.
protocol::DescribeConfigsResponse describe_configs_of(const ConfigView& view,
                                                      const protocol::DescribeConfigsRequest& request);

}  // namespace dohle::api
