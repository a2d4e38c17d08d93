// The aborted transactions whose marker is in this segment: 34-byte entries, int16 version 0 and four int64. The file
// is made with the first entry. Follows Kafka's TransactionIndex (KIP-98).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "server/log/aborted_transaction.h"
#include "server/log/index_entries.h"

namespace dohle::log {

class TransactionIndex {
 public:
  static constexpr std::size_t entry_bytes = 34;

  explicit TransactionIndex(IndexFile file) : file_(std::move(file)) {}

  /// What is in the file; 0 where there is none.
  void set_size(std::uint64_t file_bytes) { count_.store(file_bytes / entry_bytes, std::memory_order_release); }
  runtime::Status append(const AbortedTransaction& transaction);
  /// Forgets those that ended at or after `end_offset`.
  runtime::Status truncate(std::int64_t end_offset);

  /// Reader.
  bool empty() const { return count() == 0; }
  std::size_t count() const { return count_.load(std::memory_order_acquire); }
  /// Reader. All of them; `corrupt` for an unknown version.
  runtime::Result<std::vector<AbortedTransaction>> all() const;
  struct Found {
    std::vector<AbortedTransaction> transactions;
    /// No later segment can have one that overlaps.
    bool complete = false;
  };
  /// Reader. Those that overlap [fetch_offset, upper_bound_offset).
  runtime::Result<Found> collect(std::int64_t fetch_offset, std::int64_t upper_bound_offset) const;
  /// `corrupt` if an entry ends below the segment's base.
  runtime::Status sanity_check(std::int64_t base_offset) const;
  runtime::Result<std::shared_ptr<runtime::File>> writable_file();
  /// Before readers know of it: from now on they read through the file that was written.
  void pin() { pinned_ = writable_; }
  const IndexFile& file() const { return file_; }

 private:
  IndexFile file_;
  std::shared_ptr<runtime::File> writable_;
  std::shared_ptr<runtime::File> pinned_;
  std::atomic<std::size_t> count_{0};
};

}  // namespace dohle::log
