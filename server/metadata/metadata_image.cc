#include "server/metadata/metadata_image.h"

#include <algorithm>
#include <cstring>

namespace dohle::metadata {

namespace {

std::size_t bucket_of(const codec::Uuid& id) {
  return std::hash<codec::Uuid>{}(id);
}
std::size_t bucket_of(std::string_view name) {
  return std::hash<std::string_view>{}(name);
}

/// A copy of the bucket to change; an empty one where there is none yet.
template <typename Map>
std::shared_ptr<Map> copy_of(const std::shared_ptr<const Map>& bucket) {
  return bucket ? std::make_shared<Map>(*bucket) : std::make_shared<Map>();
}

template <typename Vector, typename Value>
bool contains(const Vector& values, const Value& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace

bool is_reserved_directory(const codec::Uuid& id) {
  static constexpr std::array<std::uint8_t, 15> zeros{};
  return std::memcmp(id.bytes.data(), zeros.data(), zeros.size()) == 0 && id.bytes[15] < 100;
}

codec::Uuid PartitionRegistration::directory_of(std::int32_t broker_id) const {
  for (std::size_t i = 0; i < replicas.size() && i < directories.size(); ++i) {
    if (replicas[i] == broker_id) return directories[i];
  }
  return directory_migrating;
}

bool PartitionRegistration::has_replica(std::int32_t broker_id) const {
  return contains(replicas, broker_id);
}

const PartitionRegistration* TopicImage::partition(std::int32_t index) const {
  const auto found = partitions.find(index);
  return found == partitions.end() ? nullptr : &found->second;
}

const TopicImage* TopicsImage::find(std::string_view name) const {
  const auto& bucket = by_name_[bucket_of(name) % bucket_count];
  if (!bucket) return nullptr;
  const auto found = bucket->find(name);
  return found == bucket->end() ? nullptr : found->second.get();
}

const TopicImage* TopicsImage::find(const codec::Uuid& id) const {
  const auto& bucket = by_id_[bucket_of(id) % bucket_count];
  if (!bucket) return nullptr;
  const auto found = bucket->find(id);
  return found == bucket->end() ? nullptr : found->second.get();
}

void TopicsImage::for_each(const std::function<void(const TopicImage&)>& visit) const {
  for (const auto& bucket : by_id_) {
    if (!bucket) continue;
    for (const auto& [id, topic] : *bucket) visit(*topic);
  }
}

std::vector<TopicPointer> TopicsImage::sorted_by_name() const {
  std::vector<TopicPointer> topics;
  topics.reserve(size_);
  for (const auto& bucket : by_id_) {
    if (!bucket) continue;
    for (const auto& [id, topic] : *bucket) topics.push_back(topic);
  }
  std::sort(topics.begin(), topics.end(), [](const auto& a, const auto& b) { return a->name < b->name; });
  return topics;
}

void TopicsImage::put(TopicPointer topic) {
  auto& id_bucket = by_id_[bucket_of(topic->id) % bucket_count];
  auto& name_bucket = by_name_[bucket_of(topic->name) % bucket_count];
  auto ids = copy_of(id_bucket);
  auto names = copy_of(name_bucket);
  (*names)[topic->name] = topic;
  if (ids->insert_or_assign(topic->id, topic).second) ++size_;
  id_bucket = std::move(ids);
  name_bucket = std::move(names);
}

void TopicsImage::remove(const codec::Uuid& id) {
  auto& id_bucket = by_id_[bucket_of(id) % bucket_count];
  if (!id_bucket) return;
  const auto found = id_bucket->find(id);
  if (found == id_bucket->end()) return;
  const std::string name = found->second->name;

  auto& name_bucket = by_name_[bucket_of(name) % bucket_count];
  auto names = copy_of(name_bucket);
  // A topic of the same name may have been created since, with an id of its own.
  if (const auto named = names->find(name); named != names->end() && named->second->id == id) names->erase(named);
  name_bucket = std::move(names);
  auto ids = copy_of(id_bucket);
  ids->erase(id);
  id_bucket = std::move(ids);
  --size_;
}

const Endpoint* BrokerRegistration::endpoint(std::string_view listener_name) const {
  for (const Endpoint& endpoint : endpoints) {
    if (endpoint.name == listener_name) return &endpoint;
  }
  return nullptr;
}

bool BrokerRegistration::has_online_directory(const codec::Uuid& directory) const {
  if (directory == directory_unassigned || directory == directory_migrating) return true;
  if (directory == directory_lost) return false;
  // A broker that registered before directories were known (metadata.version below 17) has none.
  return directories.empty() || contains(directories, directory);
}

bool BrokerRegistration::has_uncordoned_directory() const {
  if (directories.empty() || !cordoned_directories) return true;
  return std::any_of(directories.begin(), directories.end(),
                     [&](const codec::Uuid& id) { return !contains(*cordoned_directories, id); });
}

codec::Uuid BrokerRegistration::default_directory() const {
  if (directories.empty()) return directory_migrating;
  return directories.size() == 1 ? directories.front() : directory_unassigned;
}

const BrokerRegistration* ClusterImage::broker(std::int32_t id) const {
  const auto found = brokers.find(id);
  return found == brokers.end() ? nullptr : &found->second;
}

bool ClusterImage::active(std::int32_t broker_id) const {
  const BrokerRegistration* registration = broker(broker_id);
  return registration != nullptr && registration->active();
}

std::int16_t FeaturesImage::level(std::string_view feature) const {
  if (feature == "metadata.version") return metadata_version.value_or(0);
  const auto found = levels.find(feature);
  return found == levels.end() ? std::int16_t{0} : found->second;
}

const ConfigMap& ConfigurationsImage::configs(const ConfigResource& resource) const {
  static const ConfigMap nothing;
  const auto found = resources.find(resource);
  return found == resources.end() ? nothing : found->second;
}

}  // namespace dohle::metadata
