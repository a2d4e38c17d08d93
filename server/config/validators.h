// What stands behind ensure_valid() and is needed elsewhere too: values as Kafka's messages print them, host:port.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/config/config_value.h"

namespace dohle::config {

/// A value as Java's string concatenation prints it: "null", "[a, b]", "0.5".
std::string display_text(const Value& value);

/// Kafka's Utils.getHost and getPort: "[protocol://][[]host[]]:port"; nullopt where they give null.
struct ParsedAddress {
  std::string host;
  std::int32_t port = 0;
};
std::optional<ParsedAddress> parse_host_and_port(std::string_view text);

/// Kafka's Utils.validHostPattern: characters only.
bool is_valid_host(std::string_view host);

/// One entry of controller.quorum.voters, "<id>@<host>:<port>"; the error is QuorumConfig's.
struct ParsedVoter {
  std::int32_t node_id = 0;
  ParsedAddress address;
};
Parsed<ParsedVoter> parse_voter(std::string_view entry);

/// One entry of controller.quorum.bootstrap.servers; the error is QuorumConfig's.
Parsed<ParsedAddress> parse_bootstrap_server(std::string_view entry);

}  // namespace dohle::config
