#include "server/replica/replica_mover.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include "server/runtime/log_line.h"
#include "server/runtime/thread.h"

namespace dohle::replica {

namespace {

constexpr const char* logger = "kafka.server.ReplicaAlterLogDirsManager";
constexpr std::int32_t copy_bytes_max = 1 << 20;
/// How often it looks whether something moves. Also the time between two looks at a replica that has caught up.
constexpr std::chrono::milliseconds tick{200};

}  // namespace

ReplicaMover::ReplicaMover(ReplicaSet& replicas, const runtime::Snapshot<config::BrokerConfig>& config, Ready ready)
    : replicas_(replicas), config_(config), ready_(std::move(ready)) {}

void ReplicaMover::start() {
  thread_ = std::thread([this] {
    runtime::name_thread("alter-log-dirs");
    run();
  });
}

void ReplicaMover::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ReplicaMover::done(const Partition& partition) {
  const std::lock_guard lock(mutex_);
  asked_.erase(&partition);
}

void ReplicaMover::run() {
  for (;;) {
    const bool busy = copy_some();
    std::unique_lock lock(mutex_);
    if (!busy) changed_.wait_for(lock, tick, [this] { return stopping_; });
    if (stopping_) return;
  }
}

bool ReplicaMover::copy_some() {
  std::vector<std::shared_ptr<Partition>> moving;
  replicas_.for_each([&](const auto& partition) {
    if (partition->is_moving()) moving.push_back(partition);
  });
  bool busy = false;
  for (const auto& partition : moving) {
    const auto future = partition->future();
    if (!future) continue;
    const auto before = future->log->size_bytes();
    switch (partition->copy_to_future(copy_bytes_max)) {
      case Partition::CopyProgress::some:
        busy = true;
        complained_.erase(partition.get());
        throttle(static_cast<std::int64_t>(future->log->size_bytes() - std::min(before, future->log->size_bytes())));
        break;
      case Partition::CopyProgress::caught_up: {
        {
          const std::lock_guard lock(mutex_);
          if (!asked_.insert(partition.get()).second) break;
        }
        ready_(partition, future->directory->id);
        break;
      }
      case Partition::CopyProgress::failed:
        // Said once; it is tried again with each look, and ends with AlterReplicaLogDirs or with the directory.
        if (complained_.insert(partition.get()).second) {
          runtime::log_warn(logger, "{} can't be copied to {}", partition->name(), future->directory->path);
        }
        break;
      case Partition::CopyProgress::none:
        break;
    }
  }
  return busy;
}

void ReplicaMover::throttle(std::int64_t bytes) {
  const auto& values = config_.current()->values.originals();
  const auto configured = values.find("replica.alter.log.dirs.io.max.bytes.per.second");
  if (configured == values.end() || bytes <= 0) return;
  const auto rate = std::strtod(configured->second.c_str(), nullptr);
  if (rate <= 0) return;
  const auto wait_ms = std::min(static_cast<double>(bytes) * 1000 / rate, 60'000.0);
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::milliseconds(static_cast<std::int64_t>(wait_ms)), [this] { return stopping_; });
}

}  // namespace dohle::replica
