#include "server/config/broker_rules.h"

#include <algorithm>
#include <limits>
#include <set>

#include "server/config/java_numbers.h"
#include "server/config/listeners.h"
#include "server/config/validators.h"

namespace dohle::config {
namespace {

std::unexpected<ValueError> failed(std::string message) {
  return std::unexpected(ValueError{std::move(message)});
}

// Scala's require() puts these words before its message, and clients get to see them.
Parsed<void> require(bool holds, const std::string& message) {
  if (holds) return {};
  return failed("requirement failed: " + message);
}

struct Relation {
  const char* left;
  const char* relation;  // ">=", "<=", "<"; "one": a list of one element; "tags": no duplicates among the rack tags
  const char* right;
};

constexpr Relation group_relations[] = {
    {"group.consumer.max.heartbeat.interval.ms", ">=", "group.consumer.min.heartbeat.interval.ms"},
    {"group.consumer.heartbeat.interval.ms", ">=", "group.consumer.min.heartbeat.interval.ms"},
    {"group.consumer.heartbeat.interval.ms", "<=", "group.consumer.max.heartbeat.interval.ms"},
    {"group.consumer.max.session.timeout.ms", ">=", "group.consumer.min.session.timeout.ms"},
    {"group.consumer.session.timeout.ms", ">=", "group.consumer.min.session.timeout.ms"},
    {"group.consumer.session.timeout.ms", "<=", "group.consumer.max.session.timeout.ms"},
    {"group.consumer.heartbeat.interval.ms", "<", "group.consumer.session.timeout.ms"},
    {"group.consumer.max.assignment.interval.ms", ">=", "group.consumer.min.assignment.interval.ms"},
    {"group.consumer.assignment.interval.ms", ">=", "group.consumer.min.assignment.interval.ms"},
    {"group.consumer.assignment.interval.ms", "<=", "group.consumer.max.assignment.interval.ms"},
    {"group.share.max.heartbeat.interval.ms", ">=", "group.share.min.heartbeat.interval.ms"},
    {"group.share.heartbeat.interval.ms", ">=", "group.share.min.heartbeat.interval.ms"},
    {"group.share.heartbeat.interval.ms", "<=", "group.share.max.heartbeat.interval.ms"},
    {"group.share.max.session.timeout.ms", ">=", "group.share.min.session.timeout.ms"},
    {"group.share.session.timeout.ms", ">=", "group.share.min.session.timeout.ms"},
    {"group.share.session.timeout.ms", "<=", "group.share.max.session.timeout.ms"},
    {"group.share.heartbeat.interval.ms", "<", "group.share.session.timeout.ms"},
    {"group.share.assignors", "one", ""},
    {"group.share.max.assignment.interval.ms", ">=", "group.share.min.assignment.interval.ms"},
    {"group.share.assignment.interval.ms", ">=", "group.share.min.assignment.interval.ms"},
    {"group.share.assignment.interval.ms", "<=", "group.share.max.assignment.interval.ms"},
    {"group.streams.max.heartbeat.interval.ms", ">=", "group.streams.min.heartbeat.interval.ms"},
    {"group.streams.heartbeat.interval.ms", ">=", "group.streams.min.heartbeat.interval.ms"},
    {"group.streams.heartbeat.interval.ms", "<=", "group.streams.max.heartbeat.interval.ms"},
    {"group.streams.max.session.timeout.ms", ">=", "group.streams.min.session.timeout.ms"},
    {"group.streams.session.timeout.ms", ">=", "group.streams.min.session.timeout.ms"},
    {"group.streams.session.timeout.ms", "<=", "group.streams.max.session.timeout.ms"},
    {"group.streams.heartbeat.interval.ms", "<", "group.streams.session.timeout.ms"},
    {"group.streams.max.assignment.interval.ms", ">=", "group.streams.min.assignment.interval.ms"},
    {"group.streams.assignment.interval.ms", ">=", "group.streams.min.assignment.interval.ms"},
    {"group.streams.assignment.interval.ms", "<=", "group.streams.max.assignment.interval.ms"},
    {"group.streams.num.standby.replicas", "<=", "group.streams.max.standby.replicas"},
    {"group.streams.task.offset.interval.ms", ">=", "group.streams.min.task.offset.interval.ms"},
    {"group.streams.num.warmup.replicas", "<=", "group.streams.max.warmup.replicas"},
    {"", "tags", ""},
    {"group.share.max.delivery.count.limit", ">=", "group.share.delivery.count.limit"},
    {"group.share.delivery.count.limit", ">=", "group.share.min.delivery.count.limit"},
    {"group.share.max.partition.max.record.locks", ">=", "group.share.partition.max.record.locks"},
    {"group.share.partition.max.record.locks", ">=", "group.share.min.partition.max.record.locks"},
    {"group.share.record.lock.duration.ms", ">=", "group.share.min.record.lock.duration.ms"},
    {"group.share.max.record.lock.duration.ms", ">=", "group.share.record.lock.duration.ms"},
    {"group.share.max.share.sessions", ">=", "group.share.max.size"},
};

std::string relation_in_words(std::string_view relation) {
  if (relation == ">=") return " must be greater than or equal to ";
  return relation == "<=" ? " must be less than or equal to " : " must be less than ";
}

Parsed<void> check_rack_aware_tags(const ConfigValues& values) {
  constexpr std::string_view name = "group.streams.rack.aware.assignment.tags";
  auto text = values.originals().find(name);
  if (text == values.originals().end()) return {};
  auto tags = std::get<StringList>(*parse_type(name, text->second, ConfigType::list));
  std::sort(tags.begin(), tags.end());
  if (std::adjacent_find(tags.begin(), tags.end()) == tags.end()) return {};
  return failed(std::string(name) + " must not contain duplicate tag keys.");
}

Parsed<void> check_relation(const ConfigValues& values, const Relation& rule) {
  std::string_view relation = rule.relation;
  if (relation == "tags") return check_rack_aware_tags(values);
  if (relation == "one") {
    std::size_t count = values.get_list(rule.left).size();
    if (count == 1) return {};
    return failed(std::string(rule.left) + " must contain exactly one assignor, but found " + std::to_string(count));
  }
  std::int64_t left = values.get_long(rule.left);
  std::int64_t right = values.get_long(rule.right);
  bool holds = relation == ">=" ? left >= right : relation == "<=" ? left <= right : left < right;
  if (holds) return {};
  return failed(rule.left + relation_in_words(relation) + rule.right);
}

std::string names_of(const std::vector<Listener>& listeners) {
  std::string text;
  for (const Listener& listener : listeners) text += (text.empty() ? "" : ",") + listener.name;
  return text;
}

// Assignors are named by their short names, or by the class, of which only Kafka's own stand for something here.
Parsed<void> check_assignors(const ConfigValues& values, const std::string& kind, const StringList& known) {
  std::string name = "group." + kind + ".assignors";
  for (const std::string& assignor : values.get_list(name)) {
    bool found = std::find(known.begin(), known.end(), assignor) != known.end();
    if (found || assignor.starts_with("org.apache.kafka.")) continue;
    return failed(invalid_value_message(name, assignor, "Class cannot be found"));
  }
  return {};
}

Parsed<void> check_codec(const ConfigValues& values, std::string_view name) {
  std::int64_t id = values.get_long(name);
  if (id >= 0 && id <= 4) return {};
  return failed("Unknown compression type id: " + std::to_string(id));
}

bool contains(const StringList& list, std::string_view element) {
  return std::find(list.begin(), list.end(), element) != list.end();
}

std::string voter_ids(const BrokerConfig& config) {
  std::string text;
  for (const QuorumVoter& voter : config.quorum_voters) {
    text += (text.empty() ? "" : ", ") + std::to_string(voter.node_id);
  }
  return "Set(" + text + ")";
}

bool is_voter(const BrokerConfig& config) {
  return std::any_of(config.quorum_voters.begin(), config.quorum_voters.end(),
                     [&](const QuorumVoter& voter) { return voter.node_id == config.node_id; });
}

Parsed<void> check_log_rules(const BrokerConfig& config) {
  const ConfigValues& values = config.values;
  auto millis = [&](std::string_view name) { return values.is_null(name) ? 0 : values.get_long(name); };
  Parsed<void> checks[] = {
      require(values.is_null("log.roll.ms") || millis("log.roll.ms") >= 1,
              "log.roll.ms must be greater than or equal to 1"),
      require(millis("log.roll.jitter.ms") >= 0, "log.roll.jitter.ms must be greater than or equal to 0"),
      require(values.is_null("log.retention.ms")
                  ? (values.is_null("log.retention.minutes") ? values.get_long("log.retention.hours") != 0
                                                             : millis("log.retention.minutes") != 0)
                  : millis("log.retention.ms") != 0,
              "log.retention.ms must be unlimited (-1) or, greater than or equal to 1"),
      require(!config.log_dirs.empty(), "At least one log directory must be defined via log.dirs or log.dir."),
      values.get_long("log.cleaner.threads") == 0
          ? failed("/ by zero")
          : require(
                values.get_long("log.cleaner.dedupe.buffer.size") / values.get_long("log.cleaner.threads") > 1 << 20,
                "log.cleaner.dedupe.buffer.size must be at least 1MB per cleaner thread."),
      require(values.get_long("replica.fetch.wait.max.ms") <= values.get_long("replica.socket.timeout.ms"),
              "replica.socket.timeout.ms should always be at least replica.fetch.wait.max.ms to prevent unnecessary "
              "socket timeouts"),
      require(values.get_long("replica.fetch.wait.max.ms") <= config.replica_lag_time_max_ms,
              "replica.fetch.wait.max.ms should always be less than or equal to replica.lag.time.max.ms to prevent "
              "frequent changes in ISR"),
  };
  for (Parsed<void>& check : checks) {
    if (!check) return check;
  }
  return {};
}

Parsed<void> check_controller_role(const BrokerConfig& config) {
  constexpr const char* role_end = " configuration when running the KRaft controller role";
  auto member =
      require(config.quorum_voters.empty() || is_voter(config),
              "If process.roles contains the 'controller' role, the node id " + std::to_string(config.node_id) +
                  " must be included in the set of voters controller.quorum.voters=" + voter_ids(config));
  if (!member) return member;
  auto advertised = require(
      !config.advertised_controller_listeners.empty(),
      std::string("controller.listener.names must contain at least one value appearing in the 'listeners'") + role_end);
  if (!advertised) return advertised;
  auto is_listener = [&](const std::string& name) {
    return std::any_of(config.listeners.begin(), config.listeners.end(),
                       [&](const Listener& listener) { return listener.name == name; });
  };
  return require(
      std::all_of(config.controller_listener_names.begin(), config.controller_listener_names.end(), is_listener),
      std::string("controller.listener.names must only contain values appearing in the 'listeners'") + role_end);
}

Parsed<void> check_broker_only(const BrokerConfig& config) {
  auto outside =
      require(!is_voter(config),
              "If process.roles contains just the 'broker' role, the node id " + std::to_string(config.node_id) +
                  " must not be included in the set of voters controller.quorum.voters=" + voter_ids(config));
  if (!outside) return outside;
  auto none_of_controller =
      require(config.controller_listeners().empty(),
              "controller.listener.names must not contain a value appearing in the 'listeners' configuration when "
              "running KRaft with just the broker role");
  if (!none_of_controller) return none_of_controller;
  for (const std::string& name : config.controller_listener_names) {
    if (config.listener_security_protocols.contains(name)) continue;
    return failed(
        "Controller listener with name " + name +
        " defined in controller.listener.names not found in listener.security.protocol.map  (an explicit security "
        "mapping for each controller listener is required if listener.security.protocol.map is non-empty, or if there "
        "are security protocols other than PLAINTEXT in use)");
  }
  return require(!config.values.get_bool("controller.quorum.auto.join.enable"),
                 "controller.quorum.auto.join.enable is only supported when process.roles contains the 'controller' "
                 "role.");
}

Parsed<void> check_controller_only(const BrokerConfig& config) {
  auto only_controllers = require(config.advertised_controller_listeners.size() == config.listeners.size(),
                                  "The listeners config must only contain KRaft controller listeners from "
                                  "controller.listener.names when process.roles=controller");
  if (!only_controllers) return only_controllers;
  if (!config.values.is_null("inter.broker.listener.name")) {
    auto apart = require(!contains(config.controller_listener_names, config.inter_broker_listener_name),
                         "controller.listener.names must not contain an explicitly set inter.broker.listener.name "
                         "configuration value when process.roles=controller'");
    if (!apart) return apart;
  }
  return check_controller_role(config);
}

Parsed<void> check_roles(const BrokerConfig& config) {
  if (config.quorum_voters.empty() && config.quorum_bootstrap_servers.empty()) {
    return failed(
        "If using process.roles, either controller.quorum.bootstrap.servers must contain the set of bootstrap "
        "controllers or controller.quorum.voters must contain a parseable set of controllers.");
  }
  if (config.is_broker && config.is_controller) return check_controller_role(config);
  return config.is_broker ? check_broker_only(config) : check_controller_only(config);
}

Parsed<void> check_cordoned_log_dirs(const BrokerConfig& config) {
  StringList cordoned = config.values.get_list("cordoned.log.dirs");
  if (contains(cordoned, "*")) {
    return require(cordoned.size() == 1, "When cordoned.log.dirs is set to *, it must not contain other values");
  }
  std::string missing;
  for (const std::string& dir : cordoned) {
    if (!contains(config.log_dirs, dir)) missing += (missing.empty() ? "" : ", ") + dir;
  }
  return require(
      missing.empty(),
      "All entries in cordoned.log.dirs must be present in log.dirs or log.dir. Missing entries : " + missing);
}

Parsed<void> check_advertised(const BrokerConfig& config) {
  std::string advertised = names_of(config.advertised_broker_listeners);
  auto has_name = [](const std::vector<Listener>& listeners, const std::string& name) {
    return std::any_of(listeners.begin(), listeners.end(), [&](const Listener& one) { return one.name == name; });
  };
  auto any = require(!advertised.empty(),
                     "There must be at least one broker advertised listener. Perhaps all listeners appear in "
                     "controller.listener.names?");
  if (!any) return any;
  auto inter_broker = require(has_name(config.advertised_broker_listeners, config.inter_broker_listener_name),
                              "inter.broker.listener.name must be a listener name defined in advertised.listeners. The "
                              "valid options based on currently configured listeners are " +
                                  advertised);
  if (!inter_broker) return inter_broker;
  for (const Listener& listener : config.advertised_broker_listeners) {
    auto known = require(has_name(config.listeners, listener.name),
                         "advertised.listeners listener names must be equal to or a subset of the ones defined in "
                         "listeners. Found " +
                             advertised + ". The valid options based on the current configuration are " +
                             names_of(config.listeners));
    if (!known) return known;
  }
  return check_cordoned_log_dirs(config);
}

Parsed<void> check_early_start_listeners(const BrokerConfig& config) {
  for (const std::string& name : config.values.get_list("early.start.listeners")) {
    bool known = std::any_of(config.listeners.begin(), config.listeners.end(),
                             [&](const Listener& listener) { return listener.name == name; });
    if (known) continue;
    return failed("early.start.listeners contains listener " + name +
                  ", but this is not contained in listeners or controller.listener.names");
  }
  return {};
}

Parsed<void> check_routable(const std::vector<Listener>& listeners) {
  bool wildcard =
      std::any_of(listeners.begin(), listeners.end(), [](const Listener& one) { return one.host == "0.0.0.0"; });
  return require(!wildcard,
                 "advertised.listeners cannot use the nonroutable meta-address 0.0.0.0. Use a routable IP address.");
}

Parsed<void> check_connection_rules(const BrokerConfig& config) {
  auto queued = require(
      config.queued_max_request_bytes <= 0 || config.queued_max_request_bytes >= config.socket_request_max_bytes,
      "queued.max.request.bytes must be larger or equal to socket.request.max.bytes");
  if (!queued) return queued;
  auto per_ip = require(config.max_connections_per_ip != 0 || !config.max_connections_per_ip_overrides.empty(),
                        "max.connections.per.ip can be set to zero only if max.connections.per.ip.overrides property "
                        "is set.");
  if (!per_ip) return per_ip;
  std::string invalid;
  for (const auto& [host, limit] : config.max_connections_per_ip_overrides) {
    if (!is_valid_host(host)) invalid += (invalid.empty() ? "" : ",") + host;
  }
  if (!invalid.empty()) return failed("max.connections.per.ip.overrides contains invalid addresses : " + invalid);
  std::int64_t delay = config.values.get_long("connection.failed.authentication.delay.ms");
  return require(
      config.connections_max_idle_ms < 0 || delay < config.connections_max_idle_ms,
      "connection.failed.authentication.delay.ms=" + std::to_string(delay) +
          " should always be less than connections.max.idle.ms=" + std::to_string(config.connections_max_idle_ms) +
          " to prevent failed authentication responses from timing out");
}

}  // namespace

Parsed<void> check_group_rules(const ConfigValues& values) {
  for (const auto& check :
       {check_assignors(values, "consumer", {"uniform", "range"}),
        check_codec(values, "offsets.topic.compression.codec"), check_assignors(values, "share", {"simple"}),
        check_assignors(values, "streams", {"sticky"}),
        check_codec(values, "share.coordinator.state.topic.compression.codec")}) {
    if (!check) return check;
  }
  for (const Relation& rule : group_relations) {
    if (auto checked = check_relation(values, rule); !checked) return checked;
  }
  StringList protocols = values.get_list("group.coordinator.rebalance.protocols");
  if (!contains(protocols, "classic")) return failed("Disabling the 'classic' protocol is not supported.");
  return {};
}

Parsed<void> check_broker_rules(const BrokerConfig& config, std::vector<std::string>& warnings) {
  if (auto early = check_early_start_listeners(config); !early) return early;
  if (config.node_id != config.values.get_int("broker.id")) {
    return failed(
        "`node.id` and `broker.id` must be set to the same value. `broker.id` is deprecated, please use `node.id` "
        "instead.");
  }
  if (auto log = check_log_rules(config); !log) return log;
  if (static_cast<std::int64_t>(config.broker_heartbeat_interval_ms) * 2 > config.broker_session_timeout_ms) {
    warnings.push_back("broker.heartbeat.interval.ms (" + std::to_string(config.broker_heartbeat_interval_ms) +
                       " ms) must be less than or equal to half of the broker.session.timeout.ms (" +
                       std::to_string(config.broker_session_timeout_ms) + " ms)");
  }
  if (auto roles = check_roles(config); !roles) return roles;
  if (config.is_broker) {
    if (auto advertised = check_advertised(config); !advertised) return advertised;
  }
  if (auto routable = check_routable(config.advertised_broker_listeners); !routable) return routable;
  if (auto routable = check_routable(config.advertised_controller_listeners); !routable) return routable;
  return check_connection_rules(config);
}

}  // namespace dohle::config
