#include "server/runtime/lock_file.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>

namespace dohle::runtime {

Result<LockFile> LockFile::acquire(const std::string& directory) {
  std::string path = directory + "/.lock";
  Descriptor descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (descriptor.get() < 0) return system_failure(errno, "open", path);
  // A lock of the open file rather than of the process: it excludes Java's just the same, and in addition is not lost
  // when somebody in this process opens and closes the file.
  struct flock whole{};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (::fcntl(descriptor.get(), F_OFD_SETLK, &whole) == 0) return LockFile(std::move(descriptor));
  if (errno != EAGAIN && errno != EACCES) return system_failure(errno, "lock", path);
  return failure(
      ErrorKind::busy,
      fmt::format("Failed to acquire lock on file .lock in {}. A Kafka instance in another process or thread "
                  "is using this directory.",
                  directory));
}

}  // namespace dohle::runtime
