#include "server/metadata/metadata_loader.h"

#include <fmt/format.h>

#include <utility>

namespace dohle::metadata {

using runtime::ErrorKind;
using runtime::Status;

MetadataLoader::MetadataLoader() : image_(std::make_shared<MetadataImage>()) {}

Status MetadataLoader::load_snapshot(const Snapshot& snapshot) {
  delta_ = std::make_unique<MetadataDelta>(std::make_shared<MetadataImage>());
  for (const MetadataRecord& record : snapshot.records) DOHLE_RETURN_IF_ERROR(delta_->replay(record));
  provenance_ = {snapshot.id.offset - 1, snapshot.id.epoch, snapshot.last_contained_log_timestamp_ms};
  return {};
}

Status MetadataLoader::load_record(const MetadataRecord& record, std::int64_t offset) {
  const auto misplaced = [&] {
    return runtime::failure(ErrorKind::corrupt,
                            fmt::format("offset {}: a misplaced {}", offset, record_name(record.message)));
  };
  if (std::holds_alternative<protocol::BeginTransactionRecord>(record.message)) {
    if (transaction_start_) return misplaced();
    transaction_start_ = offset;
    return {};
  }
  const bool ends = std::holds_alternative<protocol::EndTransactionRecord>(record.message);
  const bool aborts = std::holds_alternative<protocol::AbortTransactionRecord>(record.message);
  if (!ends && !aborts) {
    if (transaction_start_) {
      transaction_.push_back(record);
      return {};
    }
    if (!delta_) delta_ = std::make_unique<MetadataDelta>(image_);
    const Status replayed = delta_->replay(record);
    if (replayed) return {};
    return runtime::failure(ErrorKind::corrupt, fmt::format("offset {}: {}", offset, replayed.error().message));
  }
  if (!transaction_start_) return misplaced();
  transaction_start_.reset();
  const std::vector<MetadataRecord> records = std::exchange(transaction_, {});
  if (aborts) return {};
  for (const MetadataRecord& held : records) DOHLE_RETURN_IF_ERROR(load_record(held, offset));
  return {};
}

Status MetadataLoader::load_batch(const MetadataBatch& batch) {
  std::int64_t offset = batch.base_offset;
  for (const MetadataRecord& record : batch.records) DOHLE_RETURN_IF_ERROR(load_record(record, offset++));
  provenance_ = {batch.last_offset, batch.epoch, batch.max_timestamp_ms};
  return {};
}

ImagePointer MetadataLoader::publish() {
  if (!delta_) delta_ = std::make_unique<MetadataDelta>(image_);
  image_ = delta_->apply(provenance_);
  delta_.reset();
  return image_;
}

}  // namespace dohle::metadata
