#include "server/api/config_description.h"

#include <algorithm>
#include <charconv>
#include <expected>

#include "protocol/error_code.h"
#include "server/config/config_entries.h"

namespace dohle::api {
namespace {

using metadata::ConfigResourceType;
using protocol::DescribeConfigsRequest;
using protocol::DescribeConfigsResponse;
using protocol::ErrorCode;
using Entries = std::vector<config::ConfigEntry>;

struct Problem {
  ErrorCode code = ErrorCode::none;
  std::string message;
};
using Answer = std::expected<Entries, Problem>;

std::unexpected<Problem> invalid_request(std::string message) {
  return std::unexpected(Problem{ErrorCode::invalid_request, std::move(message)});
}

// Kafka's Topic.validate.
std::optional<std::string> topic_name_problem(std::string_view name) {
  constexpr std::size_t name_length_max = 249;
  std::string start = "Topic name is invalid: ";
  std::string quoted = "'" + std::string(name) + "'";
  if (name.empty()) return start + "the empty string is not allowed";
  if (name == "." || name == "..") return start + quoted + " is not allowed";
  if (name.size() > name_length_max) {
    return start + "the length of " + quoted + " is longer than the max allowed length 249";
  }
  bool legal = std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
  });
  if (legal) return std::nullopt;
  return start + quoted + " contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'";
}

const metadata::ConfigMap& configs_of(const ConfigView& view, ConfigResourceType type, const std::string& name) {
  static const metadata::ConfigMap none;
  auto found = view.configs.resources.find({type, name});
  return found == view.configs.resources.end() ? none : found->second;
}

// What is stored was valid when it came; if it is not any more, Kafka knows no better either.
Answer described(config::Parsed<Entries> entries) {
  if (entries) return std::move(*entries);
  std::string message(protocol::default_message(ErrorCode::unknown_server_error));
  return std::unexpected(Problem{ErrorCode::unknown_server_error, std::move(message)});
}

Answer describe_topic(const ConfigView& view, const std::string& name) {
  if (auto problem = topic_name_problem(name)) {
    return std::unexpected(Problem{ErrorCode::invalid_topic_exception, std::move(*problem)});
  }
  if (!view.topic_exists(name)) return std::unexpected(Problem{ErrorCode::unknown_topic_or_partition, ""});
  return described(config::describe_topic(view.broker, configs_of(view, ConfigResourceType::topic, name)));
}

// The problem with a broker's name that should be this broker's id.
std::optional<std::string> broker_name_problem(const ConfigView& view, const std::string& name,
                                               std::string_view alternative) {
  std::int32_t id = 0;
  std::size_t sign = name.starts_with('+') ? 1 : 0;
  auto [end, error] = std::from_chars(name.data() + sign, name.data() + name.size(), id);
  if (error != std::errc() || end != name.data() + name.size()) {
    return "Broker id must be an integer, but it is: " + name;
  }
  if (id == view.broker.node_id) return std::nullopt;
  return "Unexpected broker id, expected " + std::to_string(view.broker.node_id) + std::string(alternative) +
         " but received " + name;
}

Answer describe_broker(const ConfigView& view, const std::string& name) {
  if (name.empty()) return config::describe_cluster_default(view.broker);
  if (auto problem = broker_name_problem(view, name, " or empty string,")) return invalid_request(*problem);
  return config::describe_broker(view.broker);
}

// There is one logger, the root of all.
Answer describe_loggers(const ConfigView& view, const std::string& name) {
  if (name.empty()) return invalid_request("Broker id must not be empty");
  if (auto problem = broker_name_problem(view, name, "")) return invalid_request(*problem);
  config::ConfigEntry root;
  root.name = "root";
  root.value = "INFO";
  root.source = config::ConfigSource::dynamic_broker_logger;
  return Entries{root};
}

Answer describe_resource(const ConfigView& view, const DescribeConfigsRequest::DescribeConfigsResource& resource) {
  const std::string& name = resource.resource_name;
  auto type = static_cast<ConfigResourceType>(resource.resource_type);
  switch (type) {
    case ConfigResourceType::topic:
      return describe_topic(view, name);
    case ConfigResourceType::broker:
      return describe_broker(view, name);
    case ConfigResourceType::broker_logger:
      return describe_loggers(view, name);
    case ConfigResourceType::client_metrics:
      if (name.empty()) return invalid_request("Client metrics subscription name must not be empty");
      return described(config::describe_client_metrics(configs_of(view, type, name)));
    case ConfigResourceType::group:
      if (name.empty()) return invalid_request("Group name must not be empty");
      return described(config::describe_group(view.broker, configs_of(view, type, name)));
    case ConfigResourceType::unknown:
      break;
  }
  return invalid_request("");
}

bool is_known_type(std::int8_t type) {
  constexpr std::int8_t known[] = {2, 4, 8, 16, 32};
  return std::find(std::begin(known), std::end(known), type) != std::end(known);
}

DescribeConfigsResponse refused(const DescribeConfigsRequest& request) {
  DescribeConfigsResponse response;
  for (const auto& resource : request.resources) {
    auto& result = response.results.emplace_back();
    result.error_code = static_cast<std::int16_t>(ErrorCode::invalid_request);
    result.error_message = std::string(protocol::default_message(ErrorCode::invalid_request));
    result.resource_type = resource.resource_type;
    result.resource_name = resource.resource_name;
  }
  return response;
}

DescribeConfigsResponse::DescribeConfigsResourceResult to_wire(config::ConfigEntry&& entry,
                                                               const DescribeConfigsRequest& request) {
  DescribeConfigsResponse::DescribeConfigsResourceResult result;
  result.name = std::move(entry.name);
  result.value = std::move(entry.value);
  result.read_only = entry.read_only;
  result.config_source = static_cast<std::int8_t>(entry.source);
  result.is_sensitive = entry.sensitive;
  result.config_type = static_cast<std::int8_t>(entry.type);
  result.documentation = std::nullopt;
  if (request.include_documentation && !entry.documentation.empty())
    result.documentation = std::move(entry.documentation);
  if (!request.include_synonyms) return result;
  for (config::ConfigSynonym& synonym : entry.synonyms) {
    auto& answer = result.synonyms.emplace_back();
    answer.name = std::move(synonym.name);
    answer.value = std::move(synonym.value);
    answer.source = static_cast<std::int8_t>(synonym.source);
  }
  return result;
}

bool is_wanted(const DescribeConfigsRequest::DescribeConfigsResource& resource, const std::string& name) {
  const auto& keys = resource.configuration_keys;
  return !keys || keys->empty() || std::find(keys->begin(), keys->end(), name) != keys->end();
}

}  // namespace

DescribeConfigsResponse describe_configs_of(const ConfigView& view, const DescribeConfigsRequest& request) {
  bool all_known = std::all_of(request.resources.begin(), request.resources.end(),
                               [](const auto& resource) { return is_known_type(resource.resource_type); });
  if (!all_known) return refused(request);
  DescribeConfigsResponse response;
  for (const auto& resource : request.resources) {
    auto& result = response.results.emplace_back();
    result.resource_type = resource.resource_type;
    result.resource_name = resource.resource_name;
    Answer answer = describe_resource(view, resource);
    if (!answer) {
      result.error_code = static_cast<std::int16_t>(answer.error().code);
      result.error_message = std::move(answer.error().message);
      continue;
    }
    for (config::ConfigEntry& entry : *answer) {
      if (is_wanted(resource, entry.name)) result.configs.push_back(to_wire(std::move(entry), request));
    }
  }
  return response;
}

}  // namespace dohle::api
