// The few things that handlers may use. Made once by the broker; everything outlives the last request.
#pragma once

#include <cstdint>
#include <string>

#include "server/config/broker_config.h"
#include "server/metadata/metadata_image.h"
#include "server/runtime/clock.h"
#include "server/runtime/snapshot.h"

namespace dohle::runtime {
class DiskPool;
}
namespace dohle::replica {
class ReplicaSet;
}
namespace dohle::groups {
class GroupCoordinator;
}

namespace dohle::transactions {
class TransactionCoordinator;
}

namespace dohle::api {

class AutoTopicCreator;
class ControllerHome;
class FetchSessionCache;
class MarkerWriter;
class ProducerIdAllocator;

struct Services {
  std::int32_t node_id = -1;
  std::string cluster_id;
  /// The static configuration with the dynamic one laid over it: read it once per request.
  runtime::Snapshot<config::BrokerConfig>& config;
  runtime::Snapshot<metadata::MetadataImage>& image;
  runtime::Clock& clock;
  runtime::DiskPool& disk_pool;
  replica::ReplicaSet& replicas;
  ControllerHome& controller;
  AutoTopicCreator& auto_topics;
  ProducerIdAllocator& producer_ids;
  FetchSessionCache& fetch_sessions;
  groups::GroupCoordinator& groups;
  transactions::TransactionCoordinator& transactions;
  MarkerWriter& markers;
};

}  // namespace dohle::api
