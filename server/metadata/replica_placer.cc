#include "server/metadata/replica_placer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace dohle::metadata {

namespace {

std::size_t below(std::mt19937_64& random, std::size_t bound) {
  return static_cast<std::size_t>(random() % bound);
}

/// Brokers that take turns: each partition (epoch) begins one further.
class BrokerList {
 public:
  void add(std::int32_t broker) { brokers_.push_back(broker); }

  void start(std::mt19937_64& random) {
    if (!brokers_.empty()) offset_ = below(random, brokers_.size());
  }

  void shuffle(std::mt19937_64& random) { std::shuffle(brokers_.begin(), brokers_.end(), random); }

  /// nullopt when all have had their turn in this epoch.
  std::optional<std::int32_t> next(std::int32_t epoch) {
    if (brokers_.empty()) return std::nullopt;
    if (epoch_ != epoch) {
      epoch_ = epoch;
      index_ = 0;
      offset_ = (offset_ + 1) % brokers_.size();
    }
    if (index_ >= brokers_.size()) return std::nullopt;
    return brokers_[(index_++ + offset_) % brokers_.size()];
  }

 private:
  std::vector<std::int32_t> brokers_;  // in order of id until shuffled
  std::size_t index_ = 0;
  std::size_t offset_ = 0;
  std::int32_t epoch_ = 0;
};

struct Rack {
  BrokerList fenced;
  BrokerList unfenced;

  std::optional<std::int32_t> next(std::int32_t epoch) {
    if (const auto broker = unfenced.next(epoch)) return broker;
    return fenced.next(epoch);
  }
};

class RackList {
 public:
  RackList(const ClusterImage& cluster, std::mt19937_64& random) : random_(random) {
    std::map<std::optional<std::string>, Rack> racks;
    for (const auto& [id, broker] : cluster.brokers) {
      // One that is on its way out takes nothing new; a fenced one may come back.
      const bool stopping = broker.in_controlled_shutdown && !broker.fenced;
      if (stopping || !broker.has_uncordoned_directory()) continue;
      Rack& rack = racks[broker.rack];
      (broker.fenced ? rack.fenced : rack.unfenced).add(id);
      ++total_;
      if (!broker.fenced) ++unfenced_;
    }
    for (auto& [name, rack] : racks) racks_.push_back(std::move(rack));
    for (Rack& rack : racks_) {
      rack.fenced.start(random_);
      rack.unfenced.start(random_);
    }
    if (!racks_.empty()) offset_ = below(random_, racks_.size());
  }

  std::int32_t total() const { return total_; }
  std::int32_t unfenced() const { return unfenced_; }

  /// There are at least so many brokers, and one that is not fenced.
  std::vector<std::int32_t> place(std::int32_t replication_factor) {
    // After as many partitions as there are brokers the assignments would repeat.
    if (epoch_ == unfenced_ && unfenced_ > 1) shuffle();
    if (offset_ == racks_.size()) offset_ = 0;
    std::vector<std::int32_t> replicas;
    std::optional<std::size_t> leader_rack = offset_;
    while (replicas.empty()) {
      if (const auto broker = racks_[*leader_rack].unfenced.next(epoch_)) {
        replicas.push_back(*broker);
      } else {
        leader_rack = (*leader_rack + 1) % racks_.size();
      }
    }
    std::size_t rack = offset_;
    while (static_cast<std::int32_t>(replicas.size()) < replication_factor) {
      // The leader's rack has given one already: it sits out its first turn.
      if (leader_rack == rack) {
        leader_rack.reset();
      } else if (const auto broker = racks_[rack].next(epoch_)) {
        replicas.push_back(*broker);
      }
      rack = (rack + 1) % racks_.size();
    }
    ++epoch_;
    ++offset_;
    return replicas;
  }

 private:
  void shuffle() {
    std::shuffle(racks_.begin(), racks_.end(), random_);
    for (Rack& rack : racks_) {
      rack.fenced.shuffle(random_);
      rack.unfenced.shuffle(random_);
    }
    epoch_ = 0;
  }

  std::mt19937_64& random_;
  std::vector<Rack> racks_;  // by name until shuffled; brokers without a rack first
  std::int32_t total_ = 0;
  std::int32_t unfenced_ = 0;
  std::int32_t epoch_ = 0;
  std::size_t offset_ = 0;
};

}  // namespace

Placement place_replicas(const ClusterImage& cluster, std::int32_t count, std::int32_t replication_factor,
                         std::mt19937_64& random) {
  Placement placement;
  const auto refuse = [&](std::string message) {
    placement.error = {protocol::ErrorCode::invalid_replication_factor, std::move(message)};
    return placement;
  };
  RackList racks(cluster, random);
  if (replication_factor <= 0) {
    return refuse(
        fmt::format("Invalid replication factor {}: the replication factor must be positive.", replication_factor));
  }
  if (racks.unfenced() == 0) {
    return refuse("All brokers are currently fenced, or have all their log directories cordoned.");
  }
  if (replication_factor > racks.total()) {
    return refuse(
        fmt::format("The target replication factor of {} cannot be reached because only {} broker(s) are "
                    "registered or some brokers have all their log directories cordoned.",
                    replication_factor, racks.total()));
  }
  placement.partitions.reserve(static_cast<std::size_t>(count));
  for (std::int32_t i = 0; i < count; ++i) placement.partitions.push_back(racks.place(replication_factor));
  return placement;
}

}  // namespace dohle::metadata
