#include "server/net/connection_quota.h"

#include <algorithm>

namespace dohle::net {

void ConnectionQuota::add_listener(const std::string& listener) {
  by_listener_.try_emplace(listener, 0, ConnectionRate(limits_.rate_windows), 0);
}

ConnectionQuota::OfListener& ConnectionQuota::of(const std::string& listener) {
  add_listener(listener);
  return by_listener_.at(listener);
}

ConnectionQuota::ListenerLimits ConnectionQuota::limits_of(const std::string& listener) const {
  auto found = limits_.listeners.find(listener);
  return found == limits_.listeners.end() ? ListenerLimits{} : found->second;
}

bool ConnectionQuota::is_protected(const std::string& listener) const {
  return listener == limits_.protected_listener && by_listener_.size() > 1;
}

bool ConnectionQuota::has_slot(const std::string& listener) {
  if (of(listener).connections >= limits_of(listener).connections_max) return false;
  return is_protected(listener) || connections_ < limits_.connections_max;
}

void ConnectionQuota::record(const std::string& listener, OfListener& own, std::int64_t now_ms) {
  own.rate.record(now_ms);
  if (!is_protected(listener)) rate_.record(now_ms);
}

std::int64_t ConnectionQuota::wait_ms(const std::string& listener, std::int64_t now_ms) {
  OfListener& own = of(listener);
  if (own.throttled_until_ms > now_ms) return own.throttled_until_ms - now_ms;
  if (own.throttled_until_ms == 0) {
    std::int64_t wait_ms = own.rate.wait_ms(now_ms, limits_of(listener).creations_per_second_max);
    if (!is_protected(listener)) {
      wait_ms = std::max(wait_ms, rate_.wait_ms(now_ms, limits_.creations_per_second_max));
    }
    if (wait_ms > 0) {
      // It counts from now on, and waits once.
      record(listener, own, now_ms);
      own.throttled_until_ms = now_ms + wait_ms;
      return wait_ms;
    }
  }
  return has_slot(listener) ? 0 : slot_poll_ms;
}

bool ConnectionQuota::admit(const std::string& listener, const std::string& address, std::int64_t now_ms) {
  OfListener& own = of(listener);
  if (own.throttled_until_ms == 0) record(listener, own, now_ms);
  own.throttled_until_ms = 0;
  std::int64_t& count = by_address_[address];
  if (count >= address_max(address)) {
    if (count == 0) by_address_.erase(address);
    return false;
  }
  ++count;
  ++own.connections;
  ++connections_;
  return true;
}

void ConnectionQuota::release(const std::string& listener, const std::string& address) {
  auto found = by_address_.find(address);
  if (found == by_address_.end()) return;
  if (--found->second == 0) by_address_.erase(found);
  --of(listener).connections;
  --connections_;
}

std::int64_t ConnectionQuota::address_max(const std::string& address) const {
  auto found = limits_.address_overrides.find(address);
  return found == limits_.address_overrides.end() ? limits_.connections_per_address_max : found->second;
}

void ConnectionQuota::change(Limits limits) {
  limits_ = std::move(limits);
}

}  // namespace dohle::net
