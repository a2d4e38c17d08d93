// DescribeConfigs, key 32, v1 to v4. The answer is made in config_description.cc; this is its place in the broker.
// Source: kafka.server.ConfigHelper.

#include "protocol/messages/describe_configs.h"
#include "server/api/config_description.h"
#include "server/api/handlers.h"
#include "server/api/services.h"

namespace dohle::api {

protocol::DescribeConfigsResponse describe_configs(Services& services, RequestContext&,
                                                   protocol::DescribeConfigsRequest& request) {
  const auto config = services.config.current();
  const auto image = services.image.current();
  const ConfigView view{.broker = *config, .configs = *image->configs, .topic_exists = [&](std::string_view name) {
                          return image->topics->find(name) != nullptr;
                        }};
  return describe_configs_of(view, request);
}

}  // namespace dohle::api
