#include "server/config/dynamic_rules.h"

#include <algorithm>

#include "server/config/log_config.h"

namespace dohle::config {
namespace {

using Reason = std::optional<std::string>;

// Thread pools grow and shrink by at most a factor of two at a time.
Reason check_thread_count(const BrokerConfig& now, const BrokerConfig& next, std::string_view name) {
  std::int64_t before = now.values.get_long(name);
  std::int64_t after = next.values.get_long(name);
  if (after == before) return std::nullopt;
  std::string start =
      "Dynamic thread count update validation failed for " + std::string(name) + "=" + std::to_string(after);
  if (after <= 0) return start + ", value should be at least 1";
  if (after < before / 2) {
    return start + ", value should be at least half the current value " + std::to_string(before);
  }
  if (after > before * 2) {
    return start + ", value should not be greater than double the current value " + std::to_string(before);
  }
  return std::nullopt;
}

Reason check_cleaner_threads(const BrokerConfig& now, const BrokerConfig& next) {
  std::int64_t before = now.log_cleaner_threads;
  std::int64_t after = next.log_cleaner_threads;
  if (after == before) return std::nullopt;
  std::string current = std::to_string(before);
  if (after < 1) return "Log cleaner threads should be at least 1";
  if (after < before / 2) return "Log cleaner threads cannot be reduced to less than half the current value " + current;
  if (after > before * 2) {
    return "Log cleaner threads cannot be increased to more than double the current value " + current;
  }
  return std::nullopt;
}

// The rule of a topic's local retention, for the broker's own keys.
Reason check_local_log_retention(const ConfigMap& defaults, const std::string& unit) {
  auto number = [&](const std::string& name) { return std::stoll(defaults.at(name)); };
  std::int64_t total = number("retention." + unit);
  std::int64_t local = number("local.retention." + unit);
  std::string local_name = "log.local.retention." + unit;
  std::string total_name = "log.retention." + unit;
  if (total <= -1 || local == -2) return std::nullopt;
  if (local == -1) {
    return invalid_value_message(
        local_name, "-1", "Value must not be -1 as " + total_name + " value is set as " + std::to_string(total) + ".");
  }
  if (local <= total) return std::nullopt;
  return invalid_value_message(
      local_name, std::to_string(local),
      "Value must not be more than " + total_name + " property value: " + std::to_string(total));
}

Reason check_log_copy_lag(const ConfigMap& defaults, const std::string& unit) {
  auto number = [&](const std::string& name) { return std::stoll(defaults.at(name)); };
  std::int64_t local = number("local.retention." + unit);
  std::int64_t effective = local == -2 ? number("retention." + unit) : local;
  std::int64_t lag = number("remote.copy.lag." + unit);
  if (lag <= 0 || effective < 0 || lag <= effective) return std::nullopt;
  return invalid_value_message(
      "log.remote.copy.lag." + unit, std::to_string(lag),
      "Value must not exceed log.local.retention." + unit + " (effective value: " + std::to_string(effective) + ")");
}

Reason check_listener_change(const BrokerConfig& now, const BrokerConfig& next) {
  for (const Listener& listener : next.listeners) {
    for (const Listener& before : now.listeners) {
      if (before.name == listener.name && before.security_protocol != listener.security_protocol) {
        return "Security protocol cannot be updated for existing listener ListenerName(" + listener.name + ")";
      }
    }
  }
  for (const Listener& advertised : now.advertised_broker_listeners) {
    bool kept = std::any_of(next.listeners.begin(), next.listeners.end(),
                            [&](const Listener& one) { return one.name == advertised.name; });
    if (!kept) return "Advertised listeners must be a subset of listeners";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> refused_by_component(const BrokerConfig& now, const BrokerConfig& next) {
  if (next.max_connections <= 0) return "Invalid max.connections " + std::to_string(next.max_connections);
  if (next.max_connection_creation_rate <= 0) {
    return "Invalid max.connection.creation.rate " + std::to_string(next.max_connection_creation_rate);
  }
  for (std::string_view name : {"num.network.threads", "num.io.threads", "num.replica.fetchers",
                                "num.recovery.threads.per.data.dir", "background.threads"}) {
    if (auto reason = check_thread_count(now, next, name)) return reason;
  }
  if (auto reason = check_cleaner_threads(now, next)) return reason;
  ConfigMap defaults = topic_defaults(next);
  for (const char* unit : {"ms", "bytes"}) {
    if (auto reason = check_local_log_retention(defaults, unit)) return reason;
  }
  for (const char* unit : {"ms", "bytes"}) {
    if (auto reason = check_log_copy_lag(defaults, unit)) return reason;
  }
  if (auto reason = check_listener_change(now, next)) return reason;
  for (std::string_view name :
       {"remote.log.manager.copier.thread.pool.size", "remote.log.manager.expiration.thread.pool.size",
        "remote.log.manager.follower.thread.pool.size", "remote.log.reader.threads"}) {
    if (auto reason = check_thread_count(now, next, name)) return reason;
  }
  return std::nullopt;
}

}  // namespace dohle::config
