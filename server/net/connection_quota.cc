#include "server/net/connection_quota.h"

#include <algorithm>
#include <cmath>

namespace dohle::net {

std::int64_t ConnectionQuota::wait_ms(std::int64_t now_ms) {
  if (connections_ >= limits_.connections_max) return slot_poll_ms;
  auto rate = static_cast<double>(std::max<std::int64_t>(limits_.creations_per_second_max, 1));
  created_ = std::max(0.0, created_ - static_cast<double>(now_ms - created_at_ms_) * rate / 1000);
  created_at_ms_ = now_ms;
  if (created_ + 1 <= rate) return 0;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil((created_ + 1 - rate) * 1000 / rate)));
}

bool ConnectionQuota::admit(const std::string& address) {
  created_ += 1;
  std::int64_t& count = by_address_[address];
  if (count >= address_max(address)) {
    if (count == 0) by_address_.erase(address);
    return false;
  }
  ++count;
  ++connections_;
  return true;
}

void ConnectionQuota::release(const std::string& address) {
  auto found = by_address_.find(address);
  if (found == by_address_.end()) return;
  if (--found->second == 0) by_address_.erase(found);
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
