// A member of a classic group. Source: org.apache.kafka.coordinator.group.classic.ClassicGroupMember.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "codec/bytes.h"
#include "protocol/messages/join_group.h"
#include "protocol/messages/sync_group.h"
#include "server/coordinator/outcome.h"

namespace dohle::groups {

/// An assignor's name and what the member tells it: opaque bytes.
struct MemberProtocol {
  std::string name;
  codec::Blob metadata;
  bool operator==(const MemberProtocol&) const = default;
};
using MemberProtocols = std::vector<MemberProtocol>;

struct ClassicGroupMember {
  std::string id;
  std::optional<std::string> group_instance_id;
  std::string client_id;
  /// With Java's slash: "/127.0.0.1".
  std::string client_host;
  std::int32_t rebalance_timeout_ms = 0;
  std::int32_t session_timeout_ms = 0;
  std::string protocol_type;
  /// In the order of preference.
  MemberProtocols protocols;
  codec::Blob assignment;
  /// Set while a JoinGroup or a SyncGroup is parked. Changed by ClassicGroup, which counts them.
  coordinator::Reply<protocol::JoinGroupResponse> awaiting_join;
  coordinator::Reply<protocol::SyncGroupResponse> awaiting_sync;
  /// It has not been in a completed rebalance yet: it may expire while its JoinGroup is parked.
  bool is_new = false;

  bool is_static() const { return group_instance_id.has_value(); }
  bool is_awaiting_join() const { return static_cast<bool>(awaiting_join); }
  bool is_awaiting_sync() const { return static_cast<bool>(awaiting_sync); }
  /// Whether it counts as alive without a heartbeat.
  bool has_satisfied_heartbeat() const { return !is_new && (is_awaiting_join() || is_awaiting_sync()); }
  /// nullptr: it has no such protocol.
  const codec::Blob* metadata(const std::string& protocol) const {
    const auto found = std::ranges::find(protocols, protocol, &MemberProtocol::name);
    return found == protocols.end() ? nullptr : &found->metadata;
  }
  /// Its first choice among the candidates; empty: none of them.
  std::string vote(const std::set<std::string>& candidates) const {
    for (const auto& protocol : protocols) {
      if (candidates.contains(protocol.name)) return protocol.name;
    }
    return {};
  }
};

}  // namespace dohle::groups
