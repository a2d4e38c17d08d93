// A disk in memory that can lose power, fill up and fail, so that every test of what we store can meet the day on which
// it matters. Stricter than most real file systems: a new file is there after a crash only if its directory was synced.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "server/runtime/file.h"

namespace dohle::testing {

/// The calls that can be counted and made to fail.
enum class DiskCall {
  open,
  read,
  write,
  truncate,
  size,
  sync,
  reserve,
  list,
  exists,
  rename,
  remove,
  subdirectory,
  sync_directory,
};

enum class CrashMode {
  /// Power is lost and the disk kept exactly what was synced.
  lose_unsynced,
  /// Power is lost; of what was not synced some has reached the disk: of the data any pages (so that a write may be
  /// torn,
  /// or leave zeros), of the size any value between, of a directory's changes the first few. Chosen by the seed.
  lose_some,
  /// The process was killed: the page cache survives.
  kill_process,
};

/// One disk. Thread-safe; must outlive nothing: files and directories keep what they need.
class FakeDisk {
 public:
  explicit FakeDisk(std::uint64_t seed = 1);
  ~FakeDisk();

  /// A top directory under this path; made if it is not there (and then durable).
  std::shared_ptr<runtime::Directory> directory(const std::string& path = "/fake");

  /// All files and directories that are open now answer `closed` from here on; open them anew through directory().
  void crash(CrashMode mode = CrashMode::lose_unsynced);

  /// The `nth` call from now on (1 is the next one), of this kind or of any, fails with this errno. A failing write may
  /// have written `written_bytes` of it. A failing sync forgets what was dirty, as Linux does: a later sync succeeds
  /// and that data is still lost.
  void fail_call(std::uint64_t nth, int system_error, std::optional<DiskCall> call = std::nullopt,
                 std::size_t written_bytes = 0);
  /// From now on every call of this kind (or of any) fails, until `clear_failures`.
  void fail_all(int system_error, std::optional<DiskCall> call = std::nullopt);
  void clear_failures();

  /// From now on every call of this kind takes this long; 0: as long as it takes.
  void slow_down(DiskCall call, std::chrono::microseconds duration);

  /// Files together may hold this much; a write beyond writes what fits and fails with ENOSPC.
  void set_capacity(std::uint64_t bytes);
  std::uint64_t used_bytes() const;

  std::uint64_t calls() const;
  std::uint64_t calls(DiskCall call) const;

  /// The store behind the handles; public only so that they can name it.
  struct State;

 private:
  std::shared_ptr<State> state_;
};

}  // namespace dohle::testing
