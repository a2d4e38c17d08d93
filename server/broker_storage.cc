#include "server/broker_storage.h"

#include <unistd.h>

#include <algorithm>

#include "server/metadata/meta_properties.h"
#include "server/metadata/storage_format.h"
#include "server/runtime/log_line.h"

namespace dohle::server {

namespace {

constexpr const char* logger = "kafka.server.KafkaRaftServer";

struct Candidate {
  std::string path;
  std::shared_ptr<runtime::Directory> directory;
  std::optional<metadata::MetaProperties> properties;
};

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "localhost";
}

std::vector<metadata::Endpoint> endpoints_of(const std::vector<config::Listener>& listeners) {
  std::vector<metadata::Endpoint> endpoints;
  endpoints.reserve(listeners.size());
  for (const auto& listener : listeners) {
    endpoints.push_back({.name = listener.name,
                         .host = listener.host.empty() ? host_name() : listener.host,
                         .port = static_cast<std::uint16_t>(listener.port),
                         .security_protocol = static_cast<std::int16_t>(listener.security_protocol)});
  }
  return endpoints;
}

/// Our own key `cluster.id`, which stands for StorageTool's --cluster-id.
std::optional<std::string> configured_cluster_id(const config::BrokerConfig& config) {
  const auto& originals = config.values.originals();
  const auto found = originals.find("cluster.id");
  if (found == originals.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

metadata::FormatOptions format_options(const config::BrokerConfig& config, const std::string& cluster_id) {
  metadata::FormatOptions options;
  options.node_id = config.node_id;
  options.cluster_id = cluster_id;
  options.dynamic_quorum = config.quorum_voters.empty();
  const auto endpoints = controller_endpoints(config);
  if (!endpoints.empty()) options.controller_endpoint = endpoints.front();
  return options;
}

runtime::Status format_all(std::vector<Candidate>& candidates, const config::BrokerConfig& config,
                           const std::string& metadata_path, std::int64_t now_ms) {
  for (const auto& candidate : candidates) {
    auto empty = metadata::is_empty_directory(*candidate.directory);
    if (!empty) return std::unexpected(std::move(empty.error()));
    if (!*empty) {
      return runtime::failure(runtime::ErrorKind::invalid,
                              "No `meta.properties` found in " + candidate.path +
                                  ", which is not empty: only an empty directory is formatted");
    }
  }
  const auto options = format_options(config, configured_cluster_id(config).value_or(metadata::random_cluster_id()));
  for (auto& candidate : candidates) {
    runtime::log_info(logger, "Formatting {} with the cluster id {}", candidate.path, options.cluster_id);
    DOHLE_RETURN_IF_ERROR(
        metadata::format_directory(*candidate.directory, candidate.path == metadata_path, options, now_ms));
    auto read = metadata::read_meta_properties(*candidate.directory);
    if (!read) return std::unexpected(std::move(read.error()));
    candidate.properties = std::move(*read);
  }
  return {};
}

/// A directory that was added to log.dirs, or that an old Kafka left without an id, gets what it lacks.
runtime::Status complete(std::vector<Candidate>& candidates, const config::BrokerConfig& config,
                         const std::string& metadata_path, std::int64_t now_ms) {
  const auto known = std::ranges::find_if(candidates, [](const auto& c) { return c.properties.has_value(); });
  const auto cluster_id = known->properties->cluster_id;
  for (auto& candidate : candidates) {
    if (!candidate.properties) {
      auto empty = metadata::is_empty_directory(*candidate.directory);
      if (!empty) return std::unexpected(std::move(empty.error()));
      if (!*empty || candidate.path == metadata_path) {
        return runtime::failure(runtime::ErrorKind::invalid,
                                "No `meta.properties` found in " + candidate.path +
                                    " (have you run `kafka-storage.sh` to format the directory?)");
      }
      candidate.properties = metadata::MetaProperties{
          .version = 1, .cluster_id = cluster_id, .node_id = config.node_id, .directory_id = std::nullopt};
    }
    if (candidate.properties->directory_id) continue;
    candidate.properties->directory_id = codec::Uuid::random();
    DOHLE_RETURN_IF_ERROR(metadata::write_meta_properties(*candidate.directory, *candidate.properties, now_ms));
  }
  return {};
}

runtime::Status check(const std::vector<Candidate>& candidates, const config::BrokerConfig& config, Storage& storage) {
  std::vector<metadata::LogDirectoryProperties> properties;
  properties.reserve(candidates.size());
  for (const auto& candidate : candidates) properties.push_back({candidate.path, *candidate.properties});
  auto cluster_id = metadata::check_meta_properties(properties, config.node_id, configured_cluster_id(config));
  if (!cluster_id) return std::unexpected(std::move(cluster_id.error()));
  storage.cluster_id = std::move(*cluster_id);
  return {};
}

}  // namespace

std::vector<metadata::Endpoint> controller_endpoints(const config::BrokerConfig& config) {
  return endpoints_of(config.advertised_controller_listeners);
}

std::vector<metadata::Endpoint> broker_endpoints(const config::BrokerConfig& config) {
  return endpoints_of(config.advertised_broker_listeners);
}

runtime::Result<Storage> open_storage(const config::BrokerConfig& config, runtime::Clock& clock) {
  Storage storage;
  auto directories = log::LogDirectories::open(config.log_dirs, clock);
  if (!directories) return std::unexpected(std::move(directories.error()));
  storage.directories = std::move(*directories);

  std::vector<Candidate> candidates;
  for (const auto& entry : storage.directories->all()) candidates.push_back({entry->path, entry->directory, {}});
  const auto& metadata_path = config.metadata_log_dir;
  if (std::ranges::find(config.log_dirs, metadata_path) == config.log_dirs.end()) {
    auto directory = runtime::open_directory(metadata_path, true);
    if (!directory) return std::unexpected(std::move(directory.error()));
    auto lock = runtime::LockFile::acquire(metadata_path);
    if (!lock) return std::unexpected(std::move(lock.error()));
    storage.metadata_lock = std::move(*lock);
    candidates.push_back({metadata_path, std::move(*directory), {}});
  }

  for (auto& candidate : candidates) {
    auto properties = metadata::read_meta_properties(*candidate.directory);
    if (!properties) return std::unexpected(std::move(properties.error()));
    candidate.properties = std::move(*properties);
  }
  const bool is_new = std::ranges::none_of(candidates, [](const auto& c) { return c.properties.has_value(); });
  const auto now_ms = clock.wall_ms();
  DOHLE_RETURN_IF_ERROR(is_new ? format_all(candidates, config, metadata_path, now_ms)
                               : complete(candidates, config, metadata_path, now_ms));
  DOHLE_RETURN_IF_ERROR(check(candidates, config, storage));

  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto id = candidates[i].properties->directory_id.value_or(codec::Uuid{});
    if (i < storage.directories->all().size()) storage.directories->all()[i]->id = id;
    if (candidates[i].path != metadata_path) continue;
    storage.metadata_directory = candidates[i].directory;
    storage.metadata_directory_id = id;
  }
  return storage;
}

}  // namespace dohle::server
