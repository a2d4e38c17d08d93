// Gives out producer ids from blocks of a thousand that the controller hands out, so that no id is ever given twice,
// also after a crash. Source: org.apache.kafka.coordinator.transaction.RPCProducerIdManager.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>

#include "server/metadata/controller.h"
#include "server/metadata/metadata_image.h"
#include "server/runtime/snapshot.h"

namespace dohle::api {

class ControllerHome;

/// Any thread. A block that is lost with the process leaves a hole in the ids, as in Kafka.
class ProducerIdAllocator {
 public:
  ProducerIdAllocator(std::int32_t node_id, ControllerHome& controller,
                      const runtime::Snapshot<metadata::MetadataImage>& image)
      : node_id_(node_id), controller_(controller), image_(image) {}

  /// The next id; nullopt when the controller refused (the client tries again).
  boost::asio::awaitable<std::optional<std::int64_t>> next();
  /// Sees to it that there is one for next_at_hand(), if the controller allows.
  boost::asio::awaitable<void> fill();
  /// The next id; nullopt when the block is used up, and another one is asked for. From any thread.
  std::optional<std::int64_t> next_at_hand();

 private:
  bool is_empty();
  void take_block(std::int64_t first_id, std::int32_t size);
  std::function<metadata::ControllerResult<metadata::ProducerIdsBlock>(const metadata::Controller&,
                                                                       const metadata::MetadataImage&)>
  allocation() const;
  std::optional<std::int64_t> take();

  const std::int32_t node_id_;
  ControllerHome& controller_;
  const runtime::Snapshot<metadata::MetadataImage>& image_;
  std::mutex mutex_;
  std::int64_t next_id_ = 0;
  std::int64_t end_id_ = 0;  // exclusive
  bool is_asking_ = false;   // for next_at_hand()
};

}  // namespace dohle::api
