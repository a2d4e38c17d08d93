// The log directories at start: locked, formatted if they are empty, and checked to belong to this node.
// Source: kafka.server.KafkaRaftServer.initializeLogDirs, kafka.tools.StorageTool.
#pragma once

#include <memory>
#include <string>

#include "server/config/broker_config.h"
#include "server/log/log_directories.h"
#include "server/metadata/controller.h"
#include "server/runtime/clock.h"
#include "server/runtime/result.h"

namespace dohle::server {

struct Storage {
  std::unique_ptr<log::LogDirectories> directories;
  /// Where `__cluster_metadata-0` is; one of `directories`, or metadata.log.dir with a lock of its own.
  std::shared_ptr<runtime::Directory> metadata_directory;
  std::optional<runtime::LockFile> metadata_lock;
  codec::Uuid metadata_directory_id;
  std::string cluster_id;
};

/// An empty set of directories is formatted as StorageTool would; one that has anything in it never. Errors are one
/// line for the user.
runtime::Result<Storage> open_storage(const config::BrokerConfig& config, runtime::Clock& clock);

/// What this node registers as a controller and as a broker: advertised addresses, with this machine's name where there
/// is none.
std::vector<metadata::Endpoint> controller_endpoints(const config::BrokerConfig& config);
std::vector<metadata::Endpoint> broker_endpoints(const config::BrokerConfig& config);

}  // namespace dohle::server
