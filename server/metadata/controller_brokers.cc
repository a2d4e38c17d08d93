// Controller: brokers that register, are fenced and unfenced, stop, and lose directories; producer id blocks.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "server/metadata/controller.h"
#include "server/metadata/partition_changes.h"

namespace dohle::metadata {

using protocol::ErrorCode;

namespace {

using Nothing = ControllerResult<std::monostate>;

constexpr std::int16_t directory_assignment_version = 17;
constexpr std::int16_t cordoned_directories_version = 30;
constexpr std::int8_t fence = 1;
constexpr std::int8_t unfence = -1;

bool contains(const std::vector<std::int32_t>& ids, std::int32_t id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

/// Picks the partitions whose ISR has the broker.
auto in_isr(std::int32_t broker_id) {
  return [broker_id](const PartitionRegistration& partition) { return contains(partition.isr, broker_id); };
}

auto in_elr(std::int32_t broker_id) {
  return [broker_id](const PartitionRegistration& partition) { return contains(partition.elr, broker_id); };
}

ApiError not_registered(std::int32_t broker_id) {
  return {ErrorCode::broker_id_not_registered, fmt::format("Broker ID {} is not currently registered", broker_id)};
}

MetadataRecord registration_change(const BrokerRegistration& broker, std::int8_t fenced) {
  protocol::BrokerRegistrationChangeRecord record;
  record.broker_id = broker.id;
  record.broker_epoch = broker.epoch;
  record.fenced = fenced;
  return {std::move(record), 0};
}

ApiError check_directories(const MetadataImage& image, const BrokerRegistrationRequest& request) {
  const auto invalid = [](std::string message) {
    return ApiError{ErrorCode::invalid_registration, std::move(message)};
  };
  const auto& directories = request.log_directories;
  if (directories.empty()) return invalid("No directories specified in request");
  if (std::any_of(directories.begin(), directories.end(), is_reserved_directory)) {
    return invalid("Reserved directory ID in request");
  }
  if (std::set<codec::Uuid>(directories.begin(), directories.end()).size() != directories.size()) {
    return invalid("Duplicate directory ID in request");
  }
  for (const auto& [id, broker] : image.cluster->brokers) {
    if (id == request.broker_id) continue;
    for (const codec::Uuid& directory : directories) {
      if (std::find(broker.directories.begin(), broker.directories.end(), directory) == broker.directories.end())
        continue;
      return invalid(fmt::format("Broker {} is already registered with directory {}", id, directory.to_string()));
    }
  }
  return {};
}

/// Every finalized level must lie in what the broker supports; a feature that it does not name counts as level 0 only.
ApiError check_features(const MetadataImage& image, const BrokerRegistrationRequest& request) {
  const auto unsupported = [](const std::string& name, std::int16_t level, const VersionRange& range) {
    return ApiError{
        ErrorCode::unsupported_version,
        fmt::format("Unable to register because the broker does not support finalized version {} of {}. The "
                    "broker wants a version between {} and {}, inclusive.",
                    level, name, range.min, range.max)};
  };
  for (const auto& [name, range] : request.features) {
    const std::int16_t level = image.features->level(name);
    // kraft.version has no level here; whoever runs this controller supports the one that is in use.
    if (name != "kraft.version" && !range.contains(level)) return unsupported(name, level, range);
  }
  if (!request.features.contains("metadata.version")) {
    return {ErrorCode::invalid_registration, "Request features do not contain 'metadata.version'"};
  }
  for (const auto& [name, level] : image.features->levels) {
    if (!request.features.contains(name)) return unsupported(name, level, {});
  }
  return {};
}

/// What a broker's former life leaves behind. A stop that was not clean takes it from ISRs and ELRs alike (KIP-966).
void add_shutdown_records(const MetadataImage& image, const ControllerSettings& settings, std::int32_t broker_id,
                          bool clean, std::vector<MetadataRecord>& records) {
  if (clean || !image.features->elr_enabled()) {
    update_leaders_and_isrs(image, settings, {.remove = broker_id}, in_isr(broker_id), records);
    return;
  }
  update_leaders_and_isrs(image, settings, {.unclean_shutdown = broker_id}, in_isr(broker_id), records);
  update_leaders_and_isrs(image, settings, {.unclean_shutdown = broker_id}, in_elr(broker_id), records);
}

protocol::RegisterBrokerRecord registration_record(const MetadataImage& image,
                                                   const BrokerRegistrationRequest& request) {
  protocol::RegisterBrokerRecord record;
  record.broker_id = request.broker_id;
  record.incarnation_id = request.incarnation_id;
  record.rack = request.rack;
  for (const Endpoint& endpoint : request.endpoints) {
    protocol::RegisterBrokerRecord::BrokerEndpoint wire;
    wire.name = endpoint.name;
    wire.host = endpoint.host;
    wire.port = endpoint.port;
    wire.security_protocol = endpoint.security_protocol;
    record.end_points.push_back(std::move(wire));
  }
  for (const auto& [name, range] : request.features) {
    protocol::RegisterBrokerRecord::BrokerFeature wire;
    wire.name = name;
    wire.min_supported_version = range.min;
    wire.max_supported_version = range.max;
    record.features.push_back(std::move(wire));
  }
  if (image.features->metadata_version.value_or(0) >= directory_assignment_version) {
    record.log_dirs = request.log_directories;
  }
  return record;
}

}  // namespace

ControllerResult<std::int64_t> Controller::register_broker(const MetadataImage& image,
                                                           const BrokerRegistrationRequest& request,
                                                           std::int64_t next_offset,
                                                           const std::string& cluster_id) const {
  ControllerResult<std::int64_t> result;
  if (request.cluster_id != cluster_id) {
    result.error = {ErrorCode::inconsistent_cluster_id,
                    fmt::format("Expected cluster ID {}, but got cluster ID {}", cluster_id, request.cluster_id)};
    return result;
  }
  const std::int16_t metadata_version = image.features->metadata_version.value_or(0);
  if (metadata_version >= directory_assignment_version) result.error = check_directories(image, request);
  if (!result.error.failed()) result.error = check_features(image, request);
  if (result.error.failed()) return result;

  const BrokerRegistration* existing = image.cluster->broker(request.broker_id);
  auto record = registration_record(image, request);
  if (existing != nullptr && existing->incarnation_id == request.incarnation_id) {
    // The same process amends its registration.
    record.fenced = existing->fenced;
    record.in_controlled_shutdown = existing->in_controlled_shutdown;
    record.broker_epoch = existing->epoch;
  } else {
    const std::int64_t stored_epoch = existing == nullptr ? -2 : existing->epoch;
    add_shutdown_records(image, settings_, request.broker_id, stored_epoch == request.previous_broker_epoch,
                         result.records);
    record.broker_epoch = next_offset;
  }
  result.response = record.broker_epoch;
  // The registration comes last: if only a part of the records were kept, the broker would register again.
  result.records.push_back({std::move(record), register_broker_record_version(metadata_version)});
  return result;
}

Nothing Controller::set_cordoned_directories(const MetadataImage& image, std::int32_t broker_id,
                                             const std::vector<codec::Uuid>& cordoned) const {
  Nothing result;
  const BrokerRegistration* broker = image.cluster->broker(broker_id);
  if (broker == nullptr) {
    result.error = not_registered(broker_id);
    return result;
  }
  if (image.features->metadata_version.value_or(0) < cordoned_directories_version) return result;
  const auto& known = broker->cordoned_directories;
  if (known &&
      std::set<codec::Uuid>(known->begin(), known->end()) == std::set<codec::Uuid>(cordoned.begin(), cordoned.end())) {
    return result;
  }
  protocol::BrokerRegistrationChangeRecord record;
  record.broker_id = broker_id;
  record.broker_epoch = broker->epoch;
  record.cordoned_log_dirs = cordoned;
  result.records.push_back({std::move(record), 3});
  return result;
}

Nothing Controller::unfence_broker(const MetadataImage& image, std::int32_t broker_id) const {
  Nothing result;
  const BrokerRegistration* broker = image.cluster->broker(broker_id);
  if (broker == nullptr) {
    result.error = not_registered(broker_id);
    return result;
  }
  result.records.push_back(registration_change(*broker, unfence));
  update_leaders_and_isrs(
      image, settings_, {.add = broker_id}, [](const PartitionRegistration& p) { return !p.has_leader(); },
      result.records);
  return result;
}

Nothing Controller::fence_broker(const MetadataImage& image, std::int32_t broker_id) const {
  Nothing result;
  const BrokerRegistration* broker = image.cluster->broker(broker_id);
  if (broker == nullptr) {
    result.error = not_registered(broker_id);
    return result;
  }
  update_leaders_and_isrs(image, settings_, {.remove = broker_id}, in_isr(broker_id), result.records);
  result.records.push_back(registration_change(*broker, fence));
  return result;
}

Nothing Controller::begin_controlled_shutdown(const MetadataImage& image, std::int32_t broker_id) const {
  Nothing result;
  const BrokerRegistration* broker = image.cluster->broker(broker_id);
  if (broker == nullptr) {
    result.error = not_registered(broker_id);
    return result;
  }
  if (!broker->in_controlled_shutdown) {
    protocol::BrokerRegistrationChangeRecord record;
    record.broker_id = broker_id;
    record.broker_epoch = broker->epoch;
    record.in_controlled_shutdown = 1;
    result.records.push_back({std::move(record), 1});
  }
  update_leaders_and_isrs(image, settings_, {.remove = broker_id}, in_isr(broker_id), result.records);
  return result;
}

Nothing Controller::directories_offline(const MetadataImage& image, std::int32_t broker_id,
                                        const std::vector<codec::Uuid>& offline) const {
  Nothing result;
  const BrokerRegistration* broker = image.cluster->broker(broker_id);
  if (broker == nullptr) {
    result.error = not_registered(broker_id);
    return result;
  }
  const std::set<codec::Uuid> gone(offline.begin(), offline.end());
  std::vector<codec::Uuid> online;
  for (const codec::Uuid& directory : broker->directories) {
    if (!gone.contains(directory)) {
      online.push_back(directory);
      continue;
    }
    update_leaders_and_isrs(
        image, settings_, {.remove = broker_id},
        [&](const PartitionRegistration& partition) {
          return contains(partition.replicas, broker_id) && partition.directory_of(broker_id) == directory;
        },
        result.records);
  }
  if (online.size() == broker->directories.size()) return result;
  protocol::BrokerRegistrationChangeRecord record;
  record.broker_id = broker_id;
  record.broker_epoch = broker->epoch;
  record.log_dirs = std::move(online);
  result.records.push_back({std::move(record), 2});
  return result;
}

Nothing Controller::unregister_broker(const MetadataImage& image, std::int32_t broker_id) const {
  Nothing result;
  const BrokerRegistration* broker = image.cluster->broker(broker_id);
  if (broker == nullptr) {
    result.error = not_registered(broker_id);
    return result;
  }
  update_leaders_and_isrs(image, settings_, {.remove = broker_id}, in_isr(broker_id), result.records);
  update_leaders_and_isrs(image, settings_, {.remove = broker_id}, in_elr(broker_id), result.records);
  protocol::UnregisterBrokerRecord record;
  record.broker_id = broker_id;
  record.broker_epoch = broker->epoch;
  result.records.push_back({std::move(record), 0});
  return result;
}

ControllerResult<ProducerIdsBlock> Controller::allocate_producer_ids(const MetadataImage& image, std::int32_t broker_id,
                                                                     std::int64_t broker_epoch) const {
  ControllerResult<ProducerIdsBlock> result;
  const BrokerRegistration* broker = image.cluster->broker(broker_id);
  if (broker == nullptr) {
    result.error = {ErrorCode::stale_broker_epoch,
                    fmt::format("No broker registration found for broker id {}", broker_id)};
    return result;
  }
  if (broker->epoch != broker_epoch) {
    result.error = {ErrorCode::stale_broker_epoch,
                    fmt::format("Expected broker epoch {}, but got broker epoch {}", broker->epoch, broker_epoch)};
    return result;
  }
  const std::int64_t first = std::max<std::int64_t>(image.producer_ids->next_producer_id, 0);
  if (first > std::numeric_limits<std::int64_t>::max() - result.response.size) {
    result.error = {ErrorCode::unknown_server_error, std::nullopt};
    return result;
  }
  result.response.first_producer_id = first;
  protocol::ProducerIdsRecord record;
  record.broker_id = broker_id;
  record.broker_epoch = broker_epoch;
  record.next_producer_id = first + result.response.size;
  result.records.push_back({std::move(record), 0});
  return result;
}

}  // namespace dohle::metadata
