// The entries of one index file: of fixed size, growing at the end. An index is either active - its entries are in
// memory, in chunks that never move, and every append goes to the file too - or closed, and searched in the file.
//
// Kafka maps active index files and preallocates them to segment.index.bytes; ours are as long as their entries, which
// Kafka takes as a trimmed index.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "codec/bytes.h"
#include "server/log/file_cache.h"
#include "server/runtime/file.h"
#include "server/runtime/result.h"

namespace dohle::log {

/// Where the index lives. The cache outlives it.
struct IndexFile {
  std::shared_ptr<runtime::Directory> directory;
  std::string name;
  FileCache* cache = nullptr;
};

class IndexEntries {
 public:
  static constexpr std::size_t entry_bytes_max = 16;

  IndexEntries(IndexFile file, std::size_t entry_bytes);

  /// An index for reading only, with `file_bytes / entry_bytes` entries in the file.
  void set_closed(std::uint64_t file_bytes);
  /// Reads the file into memory, without the entries past `count_max`, and cuts the file there; makes it if it is not
  /// there. From now on it is active.
  runtime::Status activate(std::size_t count_max);
  /// Active, and before any reader knows of it: keeps the first `count` entries.
  runtime::Status truncate(std::size_t count);
  /// Active only. File, memory, then the count, so that readers see whole entries.
  runtime::Status append(codec::Bytes entry);

  /// Reader.
  std::size_t count() const { return count_.load(std::memory_order_acquire); }
  using Entry = std::array<std::uint8_t, entry_bytes_max>;
  /// Reader. `n` is below a count() that was seen.
  runtime::Result<Entry> read(std::size_t n) const;
  /// Reader. The last entry whose key is not above `target`, or -1; keys never fall from entry to entry.
  using Key = std::int64_t (*)(const std::uint8_t* entry);
  runtime::Result<std::int64_t> find_last_not_above(std::int64_t target, Key key) const;

  /// The file if it is open for writing (active and written to), else it is opened: for flush plans.
  runtime::Result<std::shared_ptr<runtime::File>> writable_file();
  const IndexFile& file() const { return file_; }
  std::size_t entry_bytes() const { return entry_bytes_; }

 private:
  // Chunk i holds first_chunk_entries << i entries: few pointers, no moving.
  static constexpr std::size_t first_chunk_entries = 32;
  static constexpr std::size_t chunks_max = 24;

  const std::uint8_t* in_memory(std::size_t n) const;
  std::uint8_t* slot(std::size_t n);
  runtime::Result<std::size_t> read_from_file(std::size_t n, codec::MutableBytes entries) const;

  IndexFile file_;
  std::size_t entry_bytes_;
  bool active_ = false;
  std::shared_ptr<runtime::File> writable_;
  std::array<std::unique_ptr<std::uint8_t[]>, chunks_max> chunks_;
  std::atomic<std::size_t> count_{0};
};

}  // namespace dohle::log
