#include "server/coordinator/runtime.h"

#include "codec/java_string.h"
#include "server/runtime/log_line.h"

namespace dohle::coordinator {

using protocol::ErrorCode;

ShardRuntime::ShardRuntime(RuntimeOptions options, runtime::ReactorPool& reactors, runtime::DiskPool& disk_pool,
                           PartitionLogs logs, const runtime::Snapshot<metadata::MetadataImage>& image,
                           const runtime::Clock& clock, ShardFactory factory)
    : options_(std::move(options)),
      reactors_(reactors),
      disk_pool_(disk_pool),
      logs_(std::move(logs)),
      image_(image),
      clock_(clock),
      factory_(std::move(factory)),
      last_image_(std::make_shared<metadata::MetadataImage>()) {
  for (int i = 0; i < reactors_.size(); ++i) homes_.push_back(std::make_unique<Home>());
}

runtime::Reactor& ShardRuntime::reactor_of(std::int32_t partition) {
  return reactors_.at(partition % reactors_.size());
}

ShardRuntime::Home& ShardRuntime::home_of(std::int32_t partition) {
  return *homes_[static_cast<std::size_t>(partition % reactors_.size())];
}

void ShardRuntime::on_home(std::int32_t partition, runtime::Reactor::Work work) {
  auto& reactor = reactor_of(partition);
  if (runtime::Reactor::current() == &reactor) {
    work();
  } else {
    reactor.post(std::move(work));
  }
}

std::int32_t ShardRuntime::partition_for(std::string_view id) const {
  const auto image = image_.current();
  const auto* topic = image->topics->find(options_.topic);
  const auto partitions =
      topic == nullptr ? options_.default_partitions : static_cast<std::int32_t>(topic->partitions.size());
  return codec::java_abs(codec::java_hash(id)) % partitions;
}

std::vector<std::int32_t> ShardRuntime::led_partitions() const {
  std::vector<std::int32_t> led;
  const auto image = image_.current();
  const auto* topic = image->topics->find(options_.topic);
  if (topic == nullptr) return led;
  for (const auto& [index, registration] : topic->partitions) {
    if (registration.leader == options_.node_id) led.push_back(index);
  }
  return led;
}

std::vector<metadata::TopicPointer> ShardRuntime::deleted_topics(const metadata::MetadataImage& image,
                                                                 const std::vector<codec::Uuid>& changed) const {
  std::vector<metadata::TopicPointer> deleted;
  for (const auto& id : changed) {
    const auto* former = last_image_->topics->find(id);
    if (former == nullptr || image.topics->find(id) != nullptr) continue;
    deleted.push_back(metadata::TopicPointer(last_image_, former));
  }
  return deleted;
}

void ShardRuntime::image_changed(const metadata::ImagePointer& image, const std::vector<codec::Uuid>& changed) {
  std::map<std::int32_t, std::int32_t> led;
  if (const auto* topic = image->topics->find(options_.topic); topic != nullptr) {
    for (const auto& [index, registration] : topic->partitions) {
      if (registration.leader == options_.node_id) led.emplace(index, registration.leader_epoch);
    }
  }
  for (const auto& [partition, epoch] : led_) {
    if (!led.contains(partition)) resigned(partition);
  }
  for (const auto& [partition, epoch] : led) {
    const auto known = led_.find(partition);
    if (known == led_.end() || known->second != epoch) elected(partition, epoch);
  }
  led_ = std::move(led);

  auto deleted = deleted_topics(*image, changed);
  last_image_ = image;
  if (deleted.empty()) return;
  for (const auto& [partition, epoch] : led_) {
    reactor_of(partition).post([this, partition = partition, deleted] {
      auto& hosts = home_of(partition).hosts;
      const auto found = hosts.find(partition);
      if (found != hosts.end()) found->second->topics_deleted(deleted);
    });
  }
}

void ShardRuntime::elected(std::int32_t partition, std::int32_t leader_epoch) {
  reactor_of(partition).post([this, partition, leader_epoch] { load(partition, leader_epoch); });
}

void ShardRuntime::resigned(std::int32_t partition) {
  reactor_of(partition).post([this, partition] { unload(partition); });
}

void ShardRuntime::load(std::int32_t partition, std::int32_t leader_epoch) {
  auto& home = home_of(partition);
  if (home.stopped) return;
  unload(partition);
  auto log = logs_(partition);
  if (log == nullptr) {
    runtime::log_warn(options_.logger, "Cannot load {}-{} with epoch {}: its log is not here.", options_.topic,
                      partition, leader_epoch);
    return;
  }
  ShardHost::Options options{options_.topic + "-" + std::to_string(partition), options_.logger, options_.compression,
                             options_.base_sequence, leader_epoch};
  const auto make = [this, partition](Timers& timers) { return factory_(partition, timers); };
  auto host =
      std::make_shared<ShardHost>(std::move(options), reactor_of(partition), std::move(log), image_, clock_, make);
  home.hosts[partition] = host;
  const auto buffer_bytes = options_.load_buffer_bytes;
  if (!disk_pool_.submit(runtime::Lane::read, [host, buffer_bytes] { host->load(buffer_bytes); })) host->fail();
}

void ShardRuntime::unload(std::int32_t partition) {
  auto& hosts = home_of(partition).hosts;
  const auto found = hosts.find(partition);
  if (found == hosts.end()) return;
  const auto host = found->second;
  hosts.erase(found);
  host->unload();
}

void ShardRuntime::stop() {
  for (int i = 0; i < reactors_.size(); ++i) {
    reactors_.at(i).post([home = homes_[static_cast<std::size_t>(i)].get()] {
      home->stopped = true;
      for (const auto& [partition, host] : std::exchange(home->hosts, {})) host->unload();
    });
  }
}

void ShardRuntime::run(std::int32_t partition, std::unique_ptr<Operation> operation) {
  on_home(partition, [this, partition, operation = std::move(operation)] {
    const auto& hosts = home_of(partition).hosts;
    const auto found = hosts.find(partition);
    if (found == hosts.end()) {
      operation->refuse(ErrorCode::not_coordinator);
    } else {
      const auto host = found->second;
      host->run(*operation);
    }
  });
}

void ShardRuntime::complete_transaction(std::int32_t partition, const protocol::EndTransactionMarker& marker,
                                        std::int16_t transaction_version, Completion done) {
  on_home(partition, [this, partition, marker, transaction_version, done = std::move(done)]() mutable {
    const auto& hosts = home_of(partition).hosts;
    const auto found = hosts.find(partition);
    if (found == hosts.end()) {
      done(ErrorCode::not_coordinator);
    } else {
      const auto host = found->second;
      host->complete_transaction(marker, transaction_version, std::move(done));
    }
  });
}

}  // namespace dohle::coordinator
