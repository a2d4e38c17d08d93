// The lock on a log directory: a file `.lock` that Kafka locks too (Java's FileLock, a POSIX record lock), so that a
// broker of either kind finds the other.
#pragma once

#include <string>

#include "server/runtime/descriptor.h"
#include "server/runtime/result.h"

namespace dohle::runtime {

/// Holds the lock until it is destroyed. The file stays, as Kafka leaves it.
class LockFile {
 public:
  /// Locks `<directory>/.lock`, making it if need be. `busy`, with Kafka's own sentence, if another process or another
  /// LockFile of this one holds it.
  static Result<LockFile> acquire(const std::string& directory);

 private:
  explicit LockFile(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}

  Descriptor descriptor_;
};

}  // namespace dohle::runtime
