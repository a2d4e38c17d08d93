#include "server/log/index_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "server/runtime/check.h"

namespace dohle::log {

using runtime::ErrorKind;
using runtime::failure;
using runtime::Result;
using runtime::Status;

namespace {

/// A binary search in a file stops here and reads what is left at once.
constexpr std::size_t search_block_bytes = 4096;

}  // namespace

IndexEntries::IndexEntries(IndexFile file, std::size_t entry_bytes)
    : file_(std::move(file)), entry_bytes_(entry_bytes) {
  CHECK(entry_bytes <= entry_bytes_max);
}

void IndexEntries::set_closed(std::uint64_t file_bytes) {
  CHECK(!active_);
  count_.store(static_cast<std::size_t>(file_bytes / entry_bytes_), std::memory_order_release);
}

const std::uint8_t* IndexEntries::in_memory(std::size_t n) const {
  const std::size_t chunk = static_cast<std::size_t>(std::bit_width(n / first_chunk_entries + 1)) - 1;
  const std::size_t chunk_begin = first_chunk_entries * ((std::size_t{1} << chunk) - 1);
  return chunks_[chunk].get() + (n - chunk_begin) * entry_bytes_;
}

std::uint8_t* IndexEntries::slot(std::size_t n) {
  const std::size_t chunk = static_cast<std::size_t>(std::bit_width(n / first_chunk_entries + 1)) - 1;
  CHECK(chunk < chunks_max);
  if (!chunks_[chunk]) {
    chunks_[chunk] = std::make_unique<std::uint8_t[]>((first_chunk_entries << chunk) * entry_bytes_);
  }
  return const_cast<std::uint8_t*>(in_memory(n));
}

Status IndexEntries::activate(std::size_t count_max) {
  CHECK(!active_);
  const auto file = writable_file();
  if (!file) return std::unexpected(file.error());
  const auto size = (*file)->size();
  if (!size) return std::unexpected(size.error());
  const std::size_t count = std::min<std::size_t>(static_cast<std::size_t>(*size / entry_bytes_), count_max);
  codec::Blob bytes(count * entry_bytes_);
  if (!bytes.empty()) {
    const auto read = (*file)->read_at(bytes, 0);
    if (!read) return std::unexpected(read.error());
    if (*read < bytes.size()) return failure(ErrorKind::corrupt, fmt::format("{} is cut short", (*file)->path()));
  }
  for (std::size_t i = 0; i < count; ++i) std::copy_n(bytes.data() + i * entry_bytes_, entry_bytes_, slot(i));
  if (*size != bytes.size()) DOHLE_RETURN_IF_ERROR((*file)->truncate(bytes.size()));
  count_.store(count, std::memory_order_release);
  active_ = true;
  // Most partitions write little: the file is opened again by the first entry, so that an idle partition keeps none.
  writable_.reset();
  return {};
}

Status IndexEntries::truncate(std::size_t count) {
  CHECK(active_);
  if (count >= count_.load(std::memory_order_relaxed)) return {};
  const auto file = writable_file();
  if (!file) return std::unexpected(file.error());
  DOHLE_RETURN_IF_ERROR((*file)->truncate(count * entry_bytes_));
  count_.store(count, std::memory_order_release);
  return {};
}

Status IndexEntries::append(codec::Bytes entry) {
  CHECK(active_ && entry.size() == entry_bytes_);
  const std::size_t n = count_.load(std::memory_order_relaxed);
  const auto file = writable_file();
  if (!file) return std::unexpected(file.error());
  if (Status status = (*file)->write_at(entry, n * entry_bytes_); !status) {
    // Part of an entry may be there; Kafka calls an index corrupt whose size is no whole number of entries.
    DOHLE_RETURN_IF_ERROR((*file)->truncate(n * entry_bytes_));
    return status;
  }
  std::copy(entry.begin(), entry.end(), slot(n));
  count_.store(n + 1, std::memory_order_release);
  return {};
}

Result<IndexEntries::Entry> IndexEntries::read(std::size_t n) const {
  Entry entry{};
  if (active_) {
    std::copy_n(in_memory(n), entry_bytes_, entry.begin());
    return entry;
  }
  const auto read = read_from_file(n, {entry.data(), entry_bytes_});
  if (!read) return std::unexpected(read.error());
  if (*read != 1) return failure(ErrorKind::corrupt, fmt::format("{} is cut short", file_.name));
  return entry;
}

Result<std::size_t> IndexEntries::read_from_file(std::size_t n, codec::MutableBytes entries) const {
  const auto file = file_.cache->open(*file_.directory, file_.name);
  if (!file) return std::unexpected(file.error());
  const auto read = (*file)->read_at(entries, n * entry_bytes_);
  if (!read) return std::unexpected(read.error());
  return *read / entry_bytes_;
}

Result<std::int64_t> IndexEntries::find_last_not_above(std::int64_t target, Key key) const {
  // Everything before `low` is not above, everything from `high` on is.
  std::size_t low = 0;
  std::size_t high = count();
  const std::size_t block = active_ ? 0 : search_block_bytes / entry_bytes_;
  while (high - low > block) {
    const std::size_t middle = low + (high - low) / 2;
    const auto entry = read(middle);
    if (!entry) return std::unexpected(entry.error());
    if (key(entry->data()) <= target) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == high) return static_cast<std::int64_t>(low) - 1;
  std::array<std::uint8_t, search_block_bytes> buffer;
  const auto read = read_from_file(low, {buffer.data(), (high - low) * entry_bytes_});
  if (!read) return std::unexpected(read.error());
  std::size_t i = 0;
  while (i < *read && key(buffer.data() + i * entry_bytes_) <= target) ++i;
  return static_cast<std::int64_t>(low + i) - 1;
}

Result<std::shared_ptr<runtime::File>> IndexEntries::writable_file() {
  if (!writable_) {
    auto file = file_.directory->open(file_.name, {.create = true});
    if (!file) return file;
    writable_ = *file;
  }
  return writable_;
}

}  // namespace dohle::log
