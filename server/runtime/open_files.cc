#include "server/runtime/open_files.h"

#include <sys/resource.h>

#include <cerrno>

namespace dohle::runtime {

Result<std::uint64_t> raise_open_file_limit() {
  rlimit limit;
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return system_failure(errno, "read", "the limit of open files");
  if (limit.rlim_cur < limit.rlim_max) {
    rlimit raised{limit.rlim_max, limit.rlim_max};
    if (::setrlimit(RLIMIT_NOFILE, &raised) != 0) return system_failure(errno, "raise", "the limit of open files");
    limit = raised;
  }
  return static_cast<std::uint64_t>(limit.rlim_cur);
}

}  // namespace dohle::runtime
