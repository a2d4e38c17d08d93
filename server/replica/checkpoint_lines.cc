#include "server/replica/checkpoint_lines.h"

#include "server/runtime/log_line.h"

namespace dohle::replica {

namespace {

constexpr const char* logger = "org.apache.kafka.storage.internals.log.LogManager";

}  // namespace

std::mutex& checkpoint_lock() {
  static std::mutex lock;
  return lock;
}

void forget_lines(log::LogDirectories& directories, const std::set<log::TopicPartition>& partitions) {
  const std::lock_guard lock(checkpoint_lock());
  for (const auto& directory : directories.all()) {
    if (!directory->online) continue;
    for (const auto* name :
         {log::recovery_point_checkpoint, log::log_start_checkpoint, log::high_watermark_checkpoint}) {
      auto offsets = log::read_offset_checkpoint(*directory->directory, name);
      const auto is_theirs = [&](const auto& line) { return partitions.contains(line.first); };
      if (offsets && std::erase_if(*offsets, is_theirs) == 0) continue;
      if (offsets && directories.write_checkpoint(*directory, name, *offsets)) continue;
      // On a full disk, or if it can't be read, the file goes: without it more is recovered than need be, and the next
      // one is written soon.
      runtime::log_warn(logger, "{}/{} could not be written, and is removed", directory->path, name);
      auto removed = directory->directory->remove(name);
      if (removed) removed = directory->directory->sync();
      if (!removed) runtime::log_error(logger, "{}", removed.error().message);
    }
  }
}

}  // namespace dohle::replica
