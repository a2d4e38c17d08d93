#include "server/log/time_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "server/log/big_endian.h"

namespace dohle::log {

using runtime::ErrorKind;
using runtime::failure;
using runtime::Result;
using runtime::Status;

namespace {

std::int64_t timestamp(const std::uint8_t* entry) {
  return load_big_endian<std::int64_t>(entry);
}
std::int64_t relative_offset(const std::uint8_t* entry) {
  return load_big_endian<std::int32_t>(entry + 8);
}

}  // namespace

TimeIndex::TimeIndex(IndexFile file, std::int64_t base_offset, std::int32_t size_bytes_max)
    : entries_(std::move(file), entry_bytes),
      base_offset_(base_offset),
      entries_max_(static_cast<std::size_t>(std::max(size_bytes_max, 0)) / entry_bytes),
      last_{-1, base_offset} {}

Status TimeIndex::activate(std::int64_t end_offset) {
  DOHLE_RETURN_IF_ERROR(entries_.activate(entries_max_));
  const auto keep = entries_.find_last_not_above(end_offset - base_offset_ - 1, relative_offset);
  if (!keep) return std::unexpected(keep.error());
  DOHLE_RETURN_IF_ERROR(entries_.truncate(static_cast<std::size_t>(*keep + 1)));
  const auto last_entry = last();
  if (!last_entry) return std::unexpected(last_entry.error());
  last_ = *last_entry;
  return {};
}

Status TimeIndex::append(std::int64_t timestamp_ms, std::int64_t offset) {
  if (timestamp_ms <= last_.timestamp_ms || (entries_.count() != 0 && offset < last_.offset)) return {};
  std::array<std::uint8_t, entry_bytes> entry;
  store_big_endian(entry.data(), timestamp_ms);
  store_big_endian(entry.data() + 8, static_cast<std::int32_t>(offset - base_offset_));
  DOHLE_RETURN_IF_ERROR(entries_.append(entry));
  last_ = {timestamp_ms, offset};
  return {};
}

Result<TimestampOffset> TimeIndex::lookup(std::int64_t timestamp_ms) const {
  const auto found = entries_.find_last_not_above(timestamp_ms, timestamp);
  if (!found) return std::unexpected(found.error());
  if (*found < 0) return TimestampOffset{-1, base_offset_};
  const auto entry = entries_.read(static_cast<std::size_t>(*found));
  if (!entry) return std::unexpected(entry.error());
  return TimestampOffset{timestamp(entry->data()), base_offset_ + relative_offset(entry->data())};
}

Result<TimestampOffset> TimeIndex::last() const {
  const std::size_t count = entries_.count();
  if (count == 0) return TimestampOffset{-1, base_offset_};
  const auto entry = entries_.read(count - 1);
  if (!entry) return std::unexpected(entry.error());
  return TimestampOffset{timestamp(entry->data()), base_offset_ + relative_offset(entry->data())};
}

Status TimeIndex::sanity_check(std::uint64_t file_bytes) const {
  const std::string& name = entries_.file().name;
  if (file_bytes % entry_bytes != 0) {
    return failure(ErrorKind::corrupt, fmt::format("{}: {} bytes are no whole entries", name, file_bytes));
  }
  if (entries_.count() == 0) return {};
  const auto first = entries_.read(0);
  if (!first) return std::unexpected(first.error());
  const auto last_entry = last();
  if (!last_entry) return std::unexpected(last_entry.error());
  if (last_entry->timestamp_ms < timestamp(first->data()) || last_entry->offset < base_offset_) {
    return failure(ErrorKind::corrupt, fmt::format("{}: the last entry lies before the first", name));
  }
  return {};
}

}  // namespace dohle::log
