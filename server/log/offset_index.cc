#include "server/log/offset_index.h"

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

std::int64_t relative_offset(const std::uint8_t* entry) {
  return load_big_endian<std::int32_t>(entry);
}
std::int64_t position(const std::uint8_t* entry) {
  return load_big_endian<std::int32_t>(entry + 4);
}

}  // namespace

OffsetIndex::OffsetIndex(IndexFile file, std::int64_t base_offset, std::int32_t size_bytes_max)
    : entries_(std::move(file), entry_bytes),
      base_offset_(base_offset),
      entries_max_(static_cast<std::size_t>(std::max(size_bytes_max, 0)) / entry_bytes),
      last_offset_(base_offset) {}

Status OffsetIndex::activate(std::int64_t end_offset) {
  DOHLE_RETURN_IF_ERROR(entries_.activate(entries_max_));
  const auto keep = entries_.find_last_not_above(end_offset - base_offset_ - 1, relative_offset);
  if (!keep) return std::unexpected(keep.error());
  DOHLE_RETURN_IF_ERROR(entries_.truncate(static_cast<std::size_t>(*keep + 1)));
  const auto last_entry = last();
  if (!last_entry) return std::unexpected(last_entry.error());
  last_offset_ = last_entry->offset;
  return {};
}

Result<bool> OffsetIndex::append(std::int64_t last_offset, std::uint32_t position_bytes) {
  if (entries_.count() != 0 && last_offset <= last_offset_) return false;
  std::array<std::uint8_t, entry_bytes> entry;
  store_big_endian(entry.data(), static_cast<std::int32_t>(last_offset - base_offset_));
  store_big_endian(entry.data() + 4, position_bytes);
  if (Status status = entries_.append(entry); !status) return std::unexpected(std::move(status.error()));
  last_offset_ = last_offset;
  return true;
}

Result<OffsetPosition> OffsetIndex::lookup(std::int64_t offset) const {
  const auto found = entries_.find_last_not_above(offset - base_offset_, relative_offset);
  if (!found) return std::unexpected(found.error());
  if (*found < 0) return OffsetPosition{base_offset_, 0};
  const auto entry = entries_.read(static_cast<std::size_t>(*found));
  if (!entry) return std::unexpected(entry.error());
  return OffsetPosition{base_offset_ + relative_offset(entry->data()),
                        static_cast<std::uint32_t>(position(entry->data()))};
}

Result<std::optional<OffsetPosition>> OffsetIndex::first_at_or_after(std::uint32_t position_bytes) const {
  const auto before = entries_.find_last_not_above(std::int64_t{position_bytes} - 1, position);
  if (!before) return std::unexpected(before.error());
  const auto n = static_cast<std::size_t>(*before + 1);
  if (n >= entries_.count()) return std::nullopt;
  const auto entry = entries_.read(n);
  if (!entry) return std::unexpected(entry.error());
  return OffsetPosition{base_offset_ + relative_offset(entry->data()),
                        static_cast<std::uint32_t>(position(entry->data()))};
}

Result<OffsetPosition> OffsetIndex::last() const {
  return lookup(std::numeric_limits<std::int64_t>::max());
}

Status OffsetIndex::sanity_check(std::uint64_t file_bytes) const {
  if (file_bytes % entry_bytes != 0) {
    return failure(ErrorKind::corrupt,
                   fmt::format("{}: {} bytes are no whole entries", entries_.file().name, file_bytes));
  }
  const auto last_entry = last();
  if (!last_entry) return std::unexpected(last_entry.error());
  if (entries_.count() != 0 && last_entry->offset < base_offset_) {
    return failure(ErrorKind::corrupt, fmt::format("{}: the last offset {} is below the base {}", entries_.file().name,
                                                   last_entry->offset, base_offset_));
  }
  return {};
}

}  // namespace dohle::log
