#include "server/log/file_cache.h"

#include <utility>

namespace dohle::log {

runtime::Result<std::shared_ptr<runtime::File>> FileCache::open(runtime::Directory& directory,
                                                                const std::string& name) {
  const std::string path = directory.path() + '/' + name;
  std::uint64_t forgets_before = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(path);
    if (found != files_.end()) {
      order_.splice(order_.begin(), order_, found->second.position);
      return found->second.file;
    }
    forgets_before = forgets_;
  }
  auto file = directory.open(name, {.read_only = true});
  if (!file) return file;
  // Closed outside the lock.
  std::shared_ptr<runtime::File> evicted;
  const std::lock_guard lock(mutex_);
  // The name may mean another file by now: this one is for its caller alone.
  if (forgets_ != forgets_before) return file;
  const auto [position, is_new] = files_.try_emplace(path);
  if (!is_new) return position->second.file;
  order_.push_front(path);
  position->second = {*file, order_.begin()};
  if (files_.size() > files_max_) {
    const auto oldest = files_.find(order_.back());
    evicted = std::move(oldest->second.file);
    files_.erase(oldest);
    order_.pop_back();
  }
  return file;
}

void FileCache::forget(const runtime::Directory& directory, const std::string& name) {
  std::shared_ptr<runtime::File> forgotten;
  const std::lock_guard lock(mutex_);
  ++forgets_;
  const auto found = files_.find(directory.path() + '/' + name);
  if (found == files_.end()) return;
  forgotten = std::move(found->second.file);
  order_.erase(found->second.position);
  files_.erase(found);
}

std::size_t FileCache::size() const {
  const std::lock_guard lock(mutex_);
  return files_.size();
}

}  // namespace dohle::log
