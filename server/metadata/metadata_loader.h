// Batches in, images out: the part of Kafka's MetadataLoader that keeps metadata transactions (KIP-868) apart. Records
// between BeginTransaction and EndTransaction are held back and dropped when the transaction is aborted, so that no
// image shows half of one. One thread. Source: org.apache.kafka.image.loader.MetadataBatchLoader, OffsetControlManager.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "server/metadata/metadata_batch.h"
#include "server/metadata/metadata_delta.h"
#include "server/metadata/metadata_image.h"
#include "server/metadata/snapshot_file.h"
#include "server/runtime/result.h"

namespace dohle::metadata {

class MetadataLoader {
 public:
  MetadataLoader();

  /// Begins with this state instead of nothing. corrupt as MetadataDelta::replay.
  runtime::Status load_snapshot(const Snapshot& snapshot);
  /// The next batch of the log. corrupt as MetadataDelta::replay, and for a transaction inside another or an end of
  /// none.
  runtime::Status load_batch(const MetadataBatch& batch);
  /// Everything loaded so far, without what an open transaction has done. Never null.
  ImagePointer publish();

  /// Where the transaction that is open began.
  const std::optional<std::int64_t>& transaction_start() const { return transaction_start_; }

 private:
  runtime::Status load_record(const MetadataRecord& record, std::int64_t offset);

  ImagePointer image_;
  std::unique_ptr<MetadataDelta> delta_;  // null: nothing since image_
  MetadataProvenance provenance_;
  std::optional<std::int64_t> transaction_start_;
  std::vector<MetadataRecord> transaction_;
};

}  // namespace dohle::metadata
