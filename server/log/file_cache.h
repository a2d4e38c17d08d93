// Keeps a bounded number of files open for reading: closed segments and their indexes, which are many and seldom read.
// Shared by all logs of a directory; any thread.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "server/runtime/file.h"
#include "server/runtime/result.h"

namespace dohle::log {

class FileCache {
 public:
  explicit FileCache(std::size_t files_max = 512) : files_max_(files_max) {}

  /// The file, opened read-only now or before. Who holds the pointer keeps it open whatever the cache does.
  runtime::Result<std::shared_ptr<runtime::File>> open(runtime::Directory& directory, const std::string& name);
  /// Its name no longer means the same file: renamed, removed or replaced.
  void forget(const runtime::Directory& directory, const std::string& name);
  std::size_t size() const;

 private:
  using Order = std::list<std::string>;
  struct Entry {
    std::shared_ptr<runtime::File> file;
    Order::iterator position;
  };

  const std::size_t files_max_;
  mutable std::mutex mutex_;
  Order order_;  // most recently used first
  std::unordered_map<std::string, Entry> files_;
  std::uint64_t forgets_ = 0;
};

}  // namespace dohle::log
