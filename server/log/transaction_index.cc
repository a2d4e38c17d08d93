#include "server/log/transaction_index.h"

#include <fmt/format.h>

#include <array>

#include "server/log/big_endian.h"

namespace dohle::log {

using runtime::ErrorKind;
using runtime::failure;
using runtime::Result;
using runtime::Status;

Status TransactionIndex::append(const AbortedTransaction& transaction) {
  std::array<std::uint8_t, entry_bytes> entry;
  store_big_endian(entry.data(), std::int16_t{0});
  store_big_endian(entry.data() + 2, transaction.producer_id);
  store_big_endian(entry.data() + 10, transaction.first_offset);
  store_big_endian(entry.data() + 18, transaction.last_offset);
  store_big_endian(entry.data() + 26, transaction.last_stable_offset);
  const auto file = writable_file();
  if (!file) return std::unexpected(file.error());
  const std::size_t count = count_.load(std::memory_order_relaxed);
  if (Status status = (*file)->write_at(entry, count * entry_bytes); !status) {
    // Part of an entry at the end would not be read, but the next one must not follow it.
    DOHLE_RETURN_IF_ERROR((*file)->truncate(count * entry_bytes));
    return status;
  }
  count_.store(count + 1, std::memory_order_release);
  return {};
}

Status TransactionIndex::truncate(std::int64_t end_offset) {
  if (empty()) return {};
  const auto transactions = all();
  if (!transactions) return std::unexpected(transactions.error());
  std::size_t keep = 0;
  while (keep < transactions->size() && (*transactions)[keep].last_offset < end_offset) ++keep;
  if (keep == transactions->size()) return {};
  const auto file = writable_file();
  if (!file) return std::unexpected(file.error());
  DOHLE_RETURN_IF_ERROR((*file)->truncate(keep * entry_bytes));
  count_.store(keep, std::memory_order_release);
  return {};
}

Result<std::vector<AbortedTransaction>> TransactionIndex::all() const {
  std::vector<AbortedTransaction> transactions;
  const std::size_t count = count_.load(std::memory_order_acquire);
  if (count == 0) return transactions;
  const auto file = pinned_ != nullptr ? Result<std::shared_ptr<runtime::File>>(pinned_)
                                       : file_.cache->open(*file_.directory, file_.name);
  if (!file) return std::unexpected(file.error());
  codec::Blob bytes(count * entry_bytes);
  const auto read = (*file)->read_at(bytes, 0);
  if (!read) return std::unexpected(read.error());
  transactions.reserve(count);
  for (std::size_t i = 0; (i + 1) * entry_bytes <= *read; ++i) {
    const std::uint8_t* entry = bytes.data() + i * entry_bytes;
    if (load_big_endian<std::int16_t>(entry) != 0) {
      return failure(ErrorKind::corrupt, fmt::format("{}: entry {} has an unknown version", (*file)->path(), i));
    }
    transactions.push_back({load_big_endian<std::int64_t>(entry + 2), load_big_endian<std::int64_t>(entry + 10),
                            load_big_endian<std::int64_t>(entry + 18), load_big_endian<std::int64_t>(entry + 26)});
  }
  return transactions;
}

Result<TransactionIndex::Found> TransactionIndex::collect(std::int64_t fetch_offset,
                                                          std::int64_t upper_bound_offset) const {
  const auto transactions = all();
  if (!transactions) return std::unexpected(transactions.error());
  Found found;
  for (const AbortedTransaction& transaction : *transactions) {
    if (transaction.last_offset >= fetch_offset && transaction.first_offset < upper_bound_offset) {
      found.transactions.push_back(transaction);
    }
    if (transaction.last_stable_offset >= upper_bound_offset) {
      found.complete = true;
      break;
    }
  }
  return found;
}

Status TransactionIndex::sanity_check(std::int64_t base_offset) const {
  const auto transactions = all();
  if (!transactions) return std::unexpected(transactions.error());
  for (const AbortedTransaction& transaction : *transactions) {
    if (transaction.last_offset < base_offset) {
      return failure(ErrorKind::corrupt, fmt::format("{}: a transaction ends at {}, below the segment's base {}",
                                                     file_.name, transaction.last_offset, base_offset));
    }
  }
  return {};
}

Result<std::shared_ptr<runtime::File>> TransactionIndex::writable_file() {
  if (!writable_) {
    auto file = file_.directory->open(file_.name, {.create = true});
    if (!file) return file;
    writable_ = *file;
  }
  return writable_;
}

}  // namespace dohle::log
