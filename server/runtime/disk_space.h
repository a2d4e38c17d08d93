// How much room the file system of a path has.
#pragma once

#include <cstdint>
#include <string>

#include "server/runtime/result.h"

namespace dohle::runtime {

struct DiskSpace {
  std::uint64_t total_bytes = 0;
  /// What a process without privileges may still write.
  std::uint64_t free_bytes = 0;
};

/// statvfs. Any thread; may block as long as the disk does.
Result<DiskSpace> disk_space(const std::string& path);

}  // namespace dohle::runtime
