#include "server/config/listeners.h"

#include <arpa/inet.h>

#include <algorithm>
#include <limits>
#include <set>

#include "server/config/java_numbers.h"
#include "server/config/validators.h"

namespace dohle::config {
namespace {

using ProtocolMap = std::map<std::string, SecurityProtocol>;

std::unexpected<ValueError> failed(std::string message) {
  return std::unexpected(ValueError{std::move(message)});
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return result;
}

std::optional<SecurityProtocol> protocol_named(std::string_view name) {
  for (auto protocol : {SecurityProtocol::plaintext, SecurityProtocol::ssl, SecurityProtocol::sasl_plaintext,
                        SecurityProtocol::sasl_ssl}) {
    if (upper(name) == to_string(protocol)) return protocol;
  }
  return std::nullopt;
}

Parsed<SecurityProtocol> parse_protocol(std::string_view name, std::string_view key) {
  if (auto protocol = protocol_named(name)) return *protocol;
  return failed("Invalid security protocol `" + std::string(name) + "` defined in " + std::string(key));
}

bool is_ssl_or_sasl(std::string_view name) {
  return name == "SSL" || name == "SASL_SSL" || name == "SASL_PLAINTEXT";
}

bool contains(const StringList& list, std::string_view element) {
  return std::find(list.begin(), list.end(), element) != list.end();
}

// Without an explicit map, the controller's listeners are PLAINTEXT too, unless any listener is encrypted or
// authenticated (KIP-801).
Parsed<ProtocolMap> effective_protocols(const ConfigValues& values) {
  constexpr std::string_view key = "listener.security.protocol.map";
  auto texts = parse_csv_map(key, values.get_string(key));
  if (!texts) return std::unexpected(texts.error());
  ProtocolMap protocols;
  for (const auto& [name, text] : *texts) {
    auto protocol = parse_protocol(text, key);
    if (!protocol) return std::unexpected(protocol.error());
    if (name.empty()) return failed("The provided listener name is null or empty string");
    protocols[upper(name)] = *protocol;
  }
  if (values.is_set(std::string(key))) return protocols;
  StringList controller_names = values.get_list("controller.listener.names");
  bool secured = std::any_of(controller_names.begin(), controller_names.end(), is_ssl_or_sasl);
  for (const std::string& listener : values.get_list("listeners")) {
    std::size_t colon = listener.find(':');
    if (colon == std::string::npos) return failed("Unable to parse a listener name from " + listener);
    secured = secured || is_ssl_or_sasl(upper(listener.substr(0, colon)));
  }
  if (secured) return protocols;
  for (const std::string& name : controller_names) {
    if (name != "PLAINTEXT") protocols[name] = SecurityProtocol::plaintext;
  }
  return protocols;
}

// "^(.*)://\[?([0-9a-zA-Z\-%._:]*)\]?:(-?[0-9]+)"
Parsed<Listener> parse_listener(const std::string& entry, const ProtocolMap& protocols) {
  auto unparsable = [&] { return failed("Unable to parse " + entry + " to a broker endpoint"); };
  std::size_t scheme = entry.rfind("://");
  if (scheme == std::string::npos) return unparsable();
  std::string_view rest = std::string_view(entry).substr(scheme + 3);
  std::size_t colon = rest.rfind(':');
  if (colon == std::string_view::npos) return unparsable();
  std::string_view host = rest.substr(0, colon);
  if (host.starts_with('[')) host.remove_prefix(1);
  if (host.ends_with(']')) host.remove_suffix(1);
  std::string_view digits = rest.substr(colon + 1);
  if (!is_valid_host(host) || digits.starts_with('+')) return unparsable();
  if (digits.find_first_not_of("0123456789", digits.starts_with('-') ? 1 : 0) != std::string_view::npos ||
      digits.empty() || digits == "-") {
    return unparsable();
  }
  auto port =
      parse_java_integer(digits, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max());
  if (!port) return failed("For input string: \"" + std::string(digits) + "\"");
  std::string name = upper(entry.substr(0, scheme));
  if (java_trim(name).empty()) return failed("The provided listener name is null or empty string");
  auto protocol = protocols.find(name);
  if (protocol == protocols.end()) return failed("No security protocol defined for listener " + name);
  return Listener{name, protocol->second, std::string(host), static_cast<std::int32_t>(*port)};
}

bool is_ipv4(const std::string& host) {
  in_addr address;
  return inet_pton(AF_INET, host.c_str(), &address) == 1;
}

bool is_ipv6(const std::string& host) {
  in6_addr address;
  return inet_pton(AF_INET6, host.substr(0, host.find('%')).c_str(), &address) == 1;
}

// Two listeners may share a port only when one has an IPv4 address and the other an IPv6 address (KIP-797).
Parsed<void> check_same_port(const std::vector<const Listener*>& same_port, const std::string& listeners) {
  std::vector<const Listener*> with_address;
  std::size_t named = 0;
  for (const Listener* listener : same_port) {
    if (is_ipv4(listener->host) || is_ipv6(listener->host)) {
      with_address.push_back(listener);
    } else {
      ++named;
    }
  }
  if (named > 1) return failed("Each listener must have a different port, listeners: " + listeners);
  if (with_address.empty()) return {};
  std::string port = std::to_string(same_port.front()->port);
  if (with_address.size() == 2) {
    const std::string& a = with_address[0]->host;
    const std::string& b = with_address[1]->host;
    bool one_of_each = (is_ipv4(a) && is_ipv6(b)) || (is_ipv6(a) && is_ipv4(b));
    if (one_of_each && named == 0) return {};
    return failed(
        "If you have two listeners on the same port then one needs to be IPv4 and the other IPv6, listeners: " +
        listeners + ", port: " + port);
  }
  return failed(
      "Each listener must have a different port unless exactly one listener has an IPv4 address and the other IPv6 "
      "address, listeners: " +
      listeners + ", port: " + port);
}

Parsed<void> check_listeners(const std::vector<Listener>& listeners, const std::string& text, bool distinct_ports) {
  std::set<std::string> names;
  std::map<std::int32_t, std::vector<const Listener*>> by_port;
  for (const Listener& listener : listeners) {
    if (!names.insert(listener.name).second) {
      return failed("Each listener must have a different name, listeners: " + text);
    }
    if (listener.port != 0) by_port[listener.port].push_back(&listener);
  }
  if (!distinct_ports) return {};
  for (const auto& [port, same_port] : by_port) {
    if (same_port.size() < 2) continue;
    if (auto checked = check_same_port(same_port, text); !checked) return checked;
  }
  return {};
}

Parsed<std::vector<Listener>> parse_listeners(const StringList& entries, const ProtocolMap& protocols,
                                              bool distinct_ports) {
  std::string text = display_text(Value(entries));
  auto wrapped = [&](const ValueError& error) {
    return failed("Error creating broker listeners from '" + text + "': " + error.message);
  };
  std::vector<Listener> listeners;
  for (const std::string& entry : entries) {
    auto listener = parse_listener(entry, protocols);
    if (!listener) return wrapped(listener.error());
    listeners.push_back(std::move(*listener));
  }
  if (auto checked = check_listeners(listeners, text, distinct_ports); !checked) return wrapped(checked.error());
  return listeners;
}

const Listener* find_listener(const std::vector<Listener>& listeners, const std::string& name) {
  auto found =
      std::find_if(listeners.begin(), listeners.end(), [&](const Listener& one) { return one.name == upper(name); });
  return found == listeners.end() ? nullptr : &*found;
}

// What the controller registers for one of its listeners. A wildcard address is of no use to others: the voters' entry
// of this node stands in for the first listener, else this machine's name (an empty host).
std::optional<Listener> advertised_controller_listener(const BrokerConfig& config, const std::string& name,
                                                       bool is_default, const std::vector<Listener>& advertised) {
  if (const Listener* found = find_listener(advertised, name)) return *found;
  std::vector<Listener> own = config.controller_listeners();
  const Listener* found = find_listener(own, name);
  if (found == nullptr) return std::nullopt;
  Listener listener = *found;
  bool wildcard = listener.host.empty() || listener.host == "0.0.0.0";
  if (is_default && wildcard) {
    for (const QuorumVoter& voter : config.quorum_voters) {
      if (voter.node_id != config.node_id) continue;
      listener.host = voter.address.host;
      listener.port = voter.address.port;
      return listener;
    }
  }
  if (wildcard) listener.host.clear();
  return listener;
}

Parsed<void> fill_advertised(BrokerConfig& config) {
  std::vector<Listener> advertised = config.listeners;
  std::vector<Listener> advertised_controller;
  if (!config.values.is_null("advertised.listeners")) {
    auto parsed =
        parse_listeners(config.values.get_list("advertised.listeners"), config.listener_security_protocols, false);
    if (!parsed) return std::unexpected(parsed.error());
    advertised = std::move(*parsed);
    advertised_controller = advertised;
  }
  std::erase_if(advertised_controller,
                [&](const Listener& one) { return !contains(config.controller_listener_names, one.name); });
  std::erase_if(advertised, [&](const Listener& one) { return contains(config.controller_listener_names, one.name); });
  config.advertised_broker_listeners = std::move(advertised);
  bool is_default = true;
  for (const std::string& name : config.controller_listener_names) {
    auto listener = advertised_controller_listener(config, name, is_default, advertised_controller);
    if (listener) config.advertised_controller_listeners.push_back(std::move(*listener));
    is_default = false;
  }
  return {};
}

Parsed<void> fill_inter_broker_listener(BrokerConfig& config) {
  const ConfigValues& values = config.values;
  if (values.is_null("inter.broker.listener.name")) {
    auto protocol =
        parse_protocol(values.get_string("security.inter.broker.protocol"), "security.inter.broker.protocol");
    if (!protocol) return std::unexpected(protocol.error());
    config.inter_broker_security_protocol = *protocol;
    config.inter_broker_listener_name = to_string(*protocol);
    return {};
  }
  if (values.is_set("security.inter.broker.protocol")) {
    return failed("Only one of inter.broker.listener.name and security.inter.broker.protocol should be set.");
  }
  std::string name = upper(values.get_string("inter.broker.listener.name"));
  if (name.empty()) return failed("The provided listener name is null or empty string");
  auto protocol = config.listener_security_protocols.find(name);
  if (protocol == config.listener_security_protocols.end()) {
    return failed("Listener with name " + name +
                  " defined in inter.broker.listener.name not found in listener.security.protocol.map.");
  }
  config.inter_broker_listener_name = name;
  config.inter_broker_security_protocol = protocol->second;
  return {};
}

}  // namespace

std::string_view to_string(SecurityProtocol protocol) {
  constexpr std::string_view names[] = {"PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"};
  return names[static_cast<std::size_t>(protocol)];
}

Parsed<std::map<std::string, std::string>> parse_csv_map(std::string_view name, std::string_view text) {
  std::map<std::string, std::string> map;
  auto parsed = text.empty() ? Value(StringList()) : *parse_type(name, text, ConfigType::list);
  for (const std::string& entry : std::get<StringList>(parsed)) {
    std::size_t colon = entry.rfind(':');
    if (colon == std::string::npos) {
      // What Java's substring says of the index that lastIndexOf did not find.
      return failed("Error parsing configuration property '" + std::string(name) + "': begin 0, end -1, length " +
                    std::to_string(entry.size()));
    }
    map[std::string(java_trim(entry.substr(0, colon)))] = java_trim(entry.substr(colon + 1));
  }
  return map;
}

std::vector<Listener> BrokerConfig::broker_listeners() const {
  std::vector<Listener> result = listeners;
  std::erase_if(result, [&](const Listener& one) { return contains(controller_listener_names, one.name); });
  return result;
}

std::vector<Listener> BrokerConfig::controller_listeners() const {
  std::vector<Listener> result = listeners;
  std::erase_if(result, [&](const Listener& one) { return !contains(controller_listener_names, one.name); });
  return result;
}

Parsed<void> fill_listeners(BrokerConfig& config) {
  config.controller_listener_names = config.values.get_list("controller.listener.names");
  auto protocols = effective_protocols(config.values);
  if (!protocols) return std::unexpected(protocols.error());
  config.listener_security_protocols = std::move(*protocols);
  auto listeners = parse_listeners(config.values.get_list("listeners"), config.listener_security_protocols, true);
  if (!listeners) return std::unexpected(listeners.error());
  config.listeners = std::move(*listeners);
  if (auto filled = fill_advertised(config); !filled) return filled;
  return fill_inter_broker_listener(config);
}

}  // namespace dohle::config
