// Writes transaction markers to the partitions that this broker leads: for its own transaction coordinator, and for
// WriteTxnMarkers. Source: kafka.server.KafkaApis.handleWriteTxnMarkersRequest,
// kafka.coordinator.transaction.TransactionMarkerChannelManager.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "server/metadata/metadata_image.h"
#include "server/replica/replica_set.h"
#include "server/runtime/clock.h"
#include "server/runtime/disk_pool.h"
#include "server/runtime/snapshot.h"
#include "server/transactions/marker_sender.h"

namespace dohle::groups {
class GroupCoordinator;
}
namespace dohle::transactions {
class TransactionCoordinator;
}

namespace dohle::api {

using MarkerResults = std::vector<std::pair<transactions::TopicPartition, protocol::ErrorCode>>;

class MarkerWriter final : public transactions::MarkerSender {
 public:
  using Done = std::move_only_function<void(MarkerResults)>;

  /// All outlive it.
  MarkerWriter(replica::ReplicaSet& replicas, runtime::DiskPool& disk_pool,
               const runtime::Snapshot<metadata::MetadataImage>& image, const runtime::Clock& clock,
               groups::GroupCoordinator& groups)
      : replicas_(replicas), disk_pool_(disk_pool), image_(image), clock_(clock), groups_(groups) {}

  /// Who hears of send(). Before the first of them.
  void set_coordinator(transactions::TransactionCoordinator& coordinator) { coordinator_ = &coordinator; }
  void send(std::int32_t coordinator_partition, transactions::MarkerOrder order) override;

  /// From a reactor. `done` gets one result for each partition, here and now or on another thread: none when the marker
  /// is committed. UNKNOWN_TOPIC_OR_PARTITION: not hosted here. Else the log's errors.
  void write(const protocol::EndTransactionMarker& marker, std::int16_t transaction_version,
             const std::set<transactions::TopicPartition>& partitions, Done done);

 private:
  /// One write() under way. Its steps follow one another, whichever thread they are on.
  struct Run {
    protocol::EndTransactionMarker marker;
    std::int16_t transaction_version = 0;
    std::vector<std::int32_t> group_partitions;
    std::size_t next_group = 0;
    std::vector<std::shared_ptr<replica::Partition>> unflushed;
    MarkerResults results;
    Done done;
  };
  using RunPointer = std::shared_ptr<Run>;

  protocol::ErrorCode append(const metadata::MetadataImage& image, const transactions::TopicPartition& target,
                             Run& run);
  void end_in_groups(const RunPointer& run);
  void flush(const RunPointer& run);

  replica::ReplicaSet& replicas_;
  runtime::DiskPool& disk_pool_;
  const runtime::Snapshot<metadata::MetadataImage>& image_;
  const runtime::Clock& clock_;
  groups::GroupCoordinator& groups_;
  transactions::TransactionCoordinator* coordinator_ = nullptr;
};

}  // namespace dohle::api
