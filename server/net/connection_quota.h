// How many connections there may be, in all, of one listener and from one address, and how fast new ones may come:
// max.connections and max.connection.creation.rate, also of single listeners, max.connections.per.ip with its overrides
// (Kafka's ConnectionQuotas). Rates of single addresses are client quotas, of which there are none yet.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "server/net/connection_rate.h"

namespace dohle::net {

/// Shared by the listeners of one role: those of the broker, or those of the controller. Only on the thread of reactor
/// 0, where all of them accept (before the reactors start and after they stop, anywhere).
class ConnectionQuota {
 public:
  struct ListenerLimits {
    std::int64_t connections_max = INT32_MAX;
    std::int64_t creations_per_second_max = INT32_MAX;
  };
  struct Limits {
    std::int64_t connections_max = INT32_MAX;
    std::int64_t creations_per_second_max = INT32_MAX;
    std::int64_t connections_per_address_max = INT32_MAX;
    std::map<std::string, std::int64_t> address_overrides = {};  // by address as text
    std::map<std::string, ListenerLimits> listeners = {};        // by name; who is not here has no limits of its own
    /// inter.broker.listener.name. Where there are others, the limits for all do not hold it back, only its own.
    std::string protected_listener = {};
    ConnectionRate::Windows rate_windows = {};
  };

  /// `first_id`: the numbers of another quota's connections are others.
  explicit ConnectionQuota(Limits limits, std::uint64_t first_id = 0)
      : limits_(std::move(limits)), rate_(limits_.rate_windows), last_id_(first_id) {}

  /// Before the first connection of a listener.
  void add_listener(const std::string& listener);

  /// Before accepting: 0, or how many milliseconds to wait before asking again. Kafka leaves the connections in the
  /// kernel's backlog meanwhile.
  std::int64_t wait_ms(const std::string& listener, std::int64_t now_ms);

  /// Counts a new connection. False, and it is not counted among those that are open, if its address has as many as it
  /// may have: close it.
  bool admit(const std::string& listener, const std::string& address, std::int64_t now_ms);
  void release(const std::string& listener, const std::string& address);

  /// A number for a connection, never used twice.
  std::uint64_t next_id() { return ++last_id_; }

  /// How many this address may have.
  std::int64_t address_max(const std::string& address) const;
  std::int64_t connections() const { return connections_; }

  void change(Limits limits);

 private:
  struct OfListener {
    std::int64_t connections = 0;
    ConnectionRate rate;
    /// Not 0: a connection has been counted for the rate, waits until then, and is let in then whatever the rate is.
    std::int64_t throttled_until_ms = 0;
  };

  /// How often an acceptor looks whether a slot has become free.
  static constexpr std::int64_t slot_poll_ms = 20;

  bool is_protected(const std::string& listener) const;
  ListenerLimits limits_of(const std::string& listener) const;
  OfListener& of(const std::string& listener);
  bool has_slot(const std::string& listener);
  void record(const std::string& listener, OfListener& own, std::int64_t now_ms);

  Limits limits_;
  std::int64_t connections_ = 0;
  std::map<std::string, std::int64_t> by_address_;
  std::map<std::string, OfListener> by_listener_;
  ConnectionRate rate_;
  std::uint64_t last_id_;
};

}  // namespace dohle::net
