#include "server/coordinator/replica_partition_log.h"

#include <utility>

#include "server/replica/partition.h"

namespace dohle::coordinator {

namespace {

using protocol::ErrorCode;

/// Lives on its own: a flush that is under way in the pool keeps it.
class ReplicaPartitionLog final : public PartitionLog, public std::enable_shared_from_this<ReplicaPartitionLog> {
 public:
  ReplicaPartitionLog(std::shared_ptr<replica::Partition> partition, replica::ReplicaSet& replicas,
                      runtime::DiskPool& disk_pool)
      : partition_(std::move(partition)), replicas_(replicas), disk_pool_(disk_pool) {}

  AppendedBatch append(codec::MutableBytes batch, std::int32_t leader_epoch, log::VerificationGuard guard) override {
    log::LeaderAppend append;
    append.batches = batch;
    append.origin = log::AppendOrigin::coordinator;
    append.guard = guard;
    return append_any(append, leader_epoch);
  }

  AppendedBatch append_marker(const protocol::EndTransactionMarker& marker, std::int16_t transaction_version,
                              std::int32_t leader_epoch) override {
    auto batch = protocol::end_transaction_batch(0, leader_epoch, marker);
    log::LeaderAppend append;
    append.batches = batch;
    append.origin = log::AppendOrigin::coordinator;
    append.transaction_version = transaction_version;
    return append_any(append, leader_epoch);
  }

  std::int32_t batch_bytes_max() const override { return partition_->config()->max_message_bytes; }
  std::int64_t log_start_offset() const override { return partition_->log_start_offset(); }
  std::int64_t log_end_offset() const override { return partition_->log_end_offset(); }
  std::int64_t high_watermark() const override { return partition_->high_watermark(); }

  void set_listener(std::function<void()> moved) override { moved_ = std::move(moved); }

  runtime::Result<codec::Blob> read(std::int64_t offset, std::int32_t size_bytes_max) override {
    replica::FetchRead request;
    request.offset = offset;
    request.max_bytes = size_bytes_max;
    request.isolation = replica::Isolation::log_end;
    request.at_least_one_batch = true;
    const auto result = partition_->read(request);
    if (result.error != ErrorCode::none) {
      return runtime::failure(runtime::ErrorKind::io,
                              partition_->name() + " cannot be read: " + std::string(protocol::name(result.error)));
    }
    codec::Blob bytes(result.slice.size_bytes);
    if (bytes.empty()) return bytes;
    auto got = result.slice.file->read_at(bytes, result.slice.position_bytes);
    if (!got) return std::unexpected(std::move(got.error()));
    bytes.resize(*got);
    return bytes;
  }

 private:
  AppendedBatch append_any(const log::LeaderAppend& append, std::int32_t leader_epoch) {
    if (partition_->leader_epoch() != leader_epoch) return {ErrorCode::not_leader_or_follower, -1, -1};
    const auto result = partition_->append(append, -1);
    if (result.disk_failed) replicas_.report_disk_failure(*partition_, result.message);
    if (result.error != ErrorCode::none) return {result.error, -1, -1};
    if (result.rolled) flush_closed_segments();
    // The home thread alone appends, so `moved_` does not change under the copy.
    if (result.flush_due) {
      const bool submitted = disk_pool_.submit(runtime::Lane::fsync, [self = shared_from_this(), moved = moved_] {
        if (self->partition_->flush() == ErrorCode::kafka_storage_error) {
          self->replicas_.report_disk_failure(*self->partition_, self->partition_->name() + " could not be synced");
        }
        if (moved) moved();
      });
      if (!submitted) return {ErrorCode::kafka_storage_error, -1, -1};
    }
    return {ErrorCode::none, result.base_offset, result.last_offset};
  }

  /// As behind a Produce that rolled. With a full queue the next flush takes them along.
  void flush_closed_segments() {
    (void)disk_pool_.submit(runtime::Lane::fsync, [&replicas = replicas_, partition = partition_] {
      if (partition->flush_closed_segments() != ErrorCode::kafka_storage_error) return;
      replicas.report_disk_failure(*partition, "a closed segment of " + partition->name() + " could not be synced");
    });
  }

  const std::shared_ptr<replica::Partition> partition_;
  replica::ReplicaSet& replicas_;
  runtime::DiskPool& disk_pool_;
  std::function<void()> moved_;  // home thread only
};

}  // namespace

PartitionLogs replica_partition_logs(std::string topic, replica::ReplicaSet& replicas, runtime::DiskPool& disk_pool,
                                     const runtime::Snapshot<metadata::MetadataImage>& image) {
  return
      [topic = std::move(topic), &replicas, &disk_pool, &image](std::int32_t index) -> std::shared_ptr<PartitionLog> {
        const auto current = image.current();
        auto hosted = replicas.find(*current, topic, index);
        if (hosted.partition == nullptr) return nullptr;
        return std::make_shared<ReplicaPartitionLog>(std::move(hosted.partition), replicas, disk_pool);
      };
}

}  // namespace dohle::coordinator
