#include "server/runtime/disk_space.h"

#include <sys/statvfs.h>

#include <cerrno>

namespace dohle::runtime {

Result<DiskSpace> disk_space(const std::string& path) {
  struct statvfs found{};
  if (::statvfs(path.c_str(), &found) != 0) return system_failure(errno, "ask for the free space of", path);
  return DiskSpace{.total_bytes = std::uint64_t{found.f_blocks} * found.f_frsize,
                   .free_bytes = std::uint64_t{found.f_bavail} * found.f_frsize};
}

}  // namespace dohle::runtime
