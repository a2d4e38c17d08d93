// How many connections there may be, in all and from one address, and how fast new ones may come: max.connections,
// max.connections.per.ip with its overrides, max.connection.creation.rate (Kafka's ConnectionQuotas).
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace dohle::net {

/// Shared by all listeners of a broker. Only on the thread of reactor 0, where all of them accept (before the reactors
/// start and after they stop, anywhere).
class ConnectionQuota {
 public:
  struct Limits {
    std::int64_t connections_max = INT32_MAX;
    std::int64_t connections_per_address_max = INT32_MAX;
    std::map<std::string, std::int64_t> address_overrides = {};  // by address as text
    std::int64_t creations_per_second_max = INT32_MAX;
  };

  explicit ConnectionQuota(Limits limits) : limits_(std::move(limits)) {}

  /// Before accepting: 0, or how many milliseconds to wait before asking again. Kafka leaves the connections in the
  /// kernel's backlog meanwhile.
  std::int64_t wait_ms(std::int64_t now_ms);

  /// Counts a new connection. False, and nothing is counted, if its address has as many as it may have: close it.
  bool admit(const std::string& address);
  void release(const std::string& address);

  /// A number for a connection, never used twice.
  std::uint64_t next_id() { return ++last_id_; }

  /// How many this address may have.
  std::int64_t address_max(const std::string& address) const;
  std::int64_t connections() const { return connections_; }

  void change(Limits limits);

 private:
  /// How often an acceptor looks whether a slot has become free.
  static constexpr std::int64_t slot_poll_ms = 20;

  Limits limits_;
  std::int64_t connections_ = 0;
  std::map<std::string, std::int64_t> by_address_;
  double created_ = 0;  // leaks away at the permitted rate; may reach one second's worth
  std::int64_t created_at_ms_ = 0;
  std::uint64_t last_id_ = 0;
};

}  // namespace dohle::net
