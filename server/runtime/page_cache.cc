#include "server/runtime/page_cache.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <vector>

namespace dohle::runtime {
namespace {

constexpr std::uint64_t page_bytes = 4096;
/// Read ahead beyond what was asked for: consumers go on where they stopped (performance.md 2.5).
constexpr std::uint64_t beyond_bytes = 4 << 20;

// The kernel's interface, which Debian 12's headers don't have yet (Linux 6.5).
constexpr long cachestat_call = 451;
struct CachestatRange {
  std::uint64_t offset;
  std::uint64_t size;
};
struct Cachestat {
  std::uint64_t cached;
  std::uint64_t dirty;
  std::uint64_t writeback;
  std::uint64_t evicted;
  std::uint64_t recently_evicted;
};

std::atomic<bool> cachestat_missing{false};

/// One byte of the last page, without waiting: enough to tell a consumer at the end from one far behind.
bool last_page_is_cached(int file, std::uint64_t end_bytes) {
  char byte = 0;
  iovec vector{&byte, 1};
  ssize_t count = ::preadv2(file, &vector, 1, static_cast<off_t>(end_bytes - 1), RWF_NOWAIT);
  return count >= 0 || errno != EAGAIN;
}

}  // namespace

bool is_cached(int file, std::uint64_t offset_bytes, std::uint64_t size_bytes) {
  if (size_bytes == 0) return true;
  if (cachestat_missing.load(std::memory_order_relaxed)) return last_page_is_cached(file, offset_bytes + size_bytes);
  CachestatRange range{offset_bytes, size_bytes};
  Cachestat found{};
  if (::syscall(cachestat_call, file, &range, &found, 0U) != 0) {
    if (errno == ENOSYS || errno == EPERM) cachestat_missing.store(true, std::memory_order_relaxed);
    return last_page_is_cached(file, offset_bytes + size_bytes);
  }
  std::uint64_t first = offset_bytes / page_bytes;
  std::uint64_t last = (offset_bytes + size_bytes - 1) / page_bytes;
  return found.cached >= last - first + 1;
}

void read_ahead(int file, std::uint64_t offset_bytes, std::uint64_t size_bytes) {
  (void)::readahead(file, static_cast<off_t>(offset_bytes), size_bytes + beyond_bytes);
  // The range itself is waited for: readahead only starts the reads, and not always all of them.
  std::vector<char> sink(256 << 10);
  std::uint64_t end = offset_bytes + size_bytes;
  while (offset_bytes < end) {
    std::uint64_t wanted = std::min<std::uint64_t>(sink.size(), end - offset_bytes);
    ssize_t count = ::pread(file, sink.data(), wanted, static_cast<off_t>(offset_bytes));
    if (count <= 0) return;
    offset_bytes += static_cast<std::uint64_t>(count);
  }
}

}  // namespace dohle::runtime
