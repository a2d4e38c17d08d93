#include "server/log/leader_epoch_cache.h"

#include <fmt/format.h>

#include "server/log/checkpoint_file.h"

namespace dohle::log {

using runtime::ErrorKind;
using runtime::failure;
using runtime::Result;

Result<LeaderEpochCache> LeaderEpochCache::parse(std::string_view text) {
  auto entries = parse_checkpoint(text, 2);
  if (!entries) return std::unexpected(std::move(entries.error()));
  LeaderEpochCache cache;
  for (const auto& fields : *entries) {
    EpochStart start;
    if (!parse_number(fields[0], start.epoch) || !parse_number(fields[1], start.start_offset) || start.epoch < 0 ||
        start.start_offset < 0) {
      return failure(ErrorKind::corrupt, fmt::format("malformed leader epoch: {} {}", fields[0], fields[1]));
    }
    cache.assign(start.epoch, start.start_offset);
  }
  return cache;
}

std::string LeaderEpochCache::format() const {
  std::vector<std::string> lines;
  lines.reserve(starts_.size());
  for (const auto& [epoch, start] : starts_) lines.push_back(fmt::format("{} {}", epoch, start));
  return format_checkpoint(lines);
}

bool LeaderEpochCache::assign(std::int32_t epoch, std::int64_t start_offset) {
  if (epoch < 0 || start_offset < 0) return false;
  const auto last = latest();
  if (last && last->epoch == epoch && start_offset >= last->start_offset) return false;
  while (!starts_.empty()) {
    const auto end = std::prev(starts_.end());
    if (end->first < epoch && end->second < start_offset) break;
    starts_.erase(end);
  }
  starts_[epoch] = start_offset;
  return true;
}

bool LeaderEpochCache::truncate_from_end(std::int64_t end_offset) {
  bool changed = false;
  while (end_offset >= 0 && !starts_.empty() && std::prev(starts_.end())->second >= end_offset) {
    starts_.erase(std::prev(starts_.end()));
    changed = true;
  }
  return changed;
}

bool LeaderEpochCache::truncate_from_start(std::int64_t start_offset) {
  std::optional<std::int32_t> contains_start;
  bool changed = false;
  while (!starts_.empty() && starts_.begin()->second <= start_offset) {
    changed = changed || contains_start || starts_.begin()->second != start_offset;
    contains_start = starts_.begin()->first;
    starts_.erase(starts_.begin());
  }
  if (contains_start) starts_[*contains_start] = start_offset;
  return changed;
}

bool LeaderEpochCache::clear() {
  const bool changed = !starts_.empty();
  starts_.clear();
  return changed;
}

std::optional<EpochStart> LeaderEpochCache::latest() const {
  if (starts_.empty()) return std::nullopt;
  return EpochStart{starts_.rbegin()->first, starts_.rbegin()->second};
}

std::optional<EpochStart> LeaderEpochCache::earliest() const {
  if (starts_.empty()) return std::nullopt;
  return EpochStart{starts_.begin()->first, starts_.begin()->second};
}

std::optional<std::int32_t> LeaderEpochCache::previous_epoch(std::int32_t epoch) const {
  const auto position = starts_.lower_bound(epoch);
  if (position == starts_.begin()) return std::nullopt;
  return std::prev(position)->first;
}

std::optional<std::int32_t> LeaderEpochCache::epoch_for_offset(std::int64_t offset) const {
  std::optional<std::int32_t> found;
  for (const auto& [epoch, start] : starts_) {
    if (start > offset) break;
    found = epoch;
  }
  return found;
}

EpochEnd LeaderEpochCache::end_offset_for(std::int32_t epoch, std::int64_t log_end_offset) const {
  if (epoch == -1 || starts_.empty()) return {};
  if (starts_.rbegin()->first == epoch) return {epoch, log_end_offset};
  const auto higher = starts_.upper_bound(epoch);
  if (higher == starts_.end()) return {};
  // An epoch below all that are known ends where the first known one begins.
  if (higher == starts_.begin()) return {epoch, higher->second};
  return {std::prev(higher)->first, higher->second};
}

std::vector<EpochStart> LeaderEpochCache::entries() const {
  std::vector<EpochStart> entries;
  entries.reserve(starts_.size());
  for (const auto& [epoch, start] : starts_) entries.push_back({epoch, start});
  return entries;
}

}  // namespace dohle::log
