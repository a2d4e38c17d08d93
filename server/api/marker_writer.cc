#include "server/api/marker_writer.h"

#include "server/groups/group_coordinator.h"
#include "server/transactions/transaction_coordinator.h"

namespace dohle::api {

using protocol::ErrorCode;
using transactions::TopicPartition;

void MarkerWriter::send(std::int32_t coordinator_partition, transactions::MarkerOrder order) {
  transactions::MarkerReport report{order.transactional_id, order.marker.producer_id, order.marker.producer_epoch, {}};
  // A partition that is deleted needs no marker.
  const auto image = image_.current();
  std::erase_if(order.partitions, [&](const TopicPartition& target) {
    const auto* topic = image->topics->find(target.topic);
    if (topic != nullptr && topic->partition(target.partition) != nullptr) return false;
    report.results.emplace_back(target, ErrorCode::none);
    return true;
  });
  write(order.marker, order.transaction_version, order.partitions,
        [this, coordinator_partition, report = std::move(report)](MarkerResults results) mutable {
          for (auto& result : results) report.results.push_back(std::move(result));
          coordinator_->markers_written(coordinator_partition, std::move(report));
        });
}

void MarkerWriter::write(const protocol::EndTransactionMarker& marker, std::int16_t transaction_version,
                         const std::set<TopicPartition>& partitions, Done done) {
  auto run = std::make_shared<Run>();
  run->marker = marker;
  run->marker.timestamp_ms = clock_.wall_ms();
  run->transaction_version = transaction_version;
  run->done = std::move(done);
  const auto image = image_.current();
  for (const auto& target : partitions) {
    if (target.topic == groups::offsets_topic && replicas_.find(*image, target.topic, target.partition).partition) {
      run->group_partitions.push_back(target.partition);
    } else {
      run->results.emplace_back(target, append(*image, target, *run));
    }
  }
  end_in_groups(run);
}

ErrorCode MarkerWriter::append(const metadata::MetadataImage& image, const TopicPartition& target, Run& run) {
  const auto hosted = replicas_.find(image, target.topic, target.partition);
  if (hosted.partition == nullptr) return ErrorCode::unknown_topic_or_partition;
  auto batch = protocol::end_transaction_batch(0, hosted.partition->leader_epoch(), run.marker);
  const auto result = hosted.partition->append(
      {.batches = batch, .origin = log::AppendOrigin::coordinator, .transaction_version = run.transaction_version}, -1);
  if (result.disk_failed) replicas_.report_disk_failure(*hosted.partition, result.message);
  if (result.error == ErrorCode::none && result.flush_due) run.unflushed.push_back(hosted.partition);
  return result.error;
}

void MarkerWriter::end_in_groups(const RunPointer& run) {
  if (run->next_group == run->group_partitions.size()) {
    flush(run);
    return;
  }
  const auto partition = run->group_partitions[run->next_group++];
  groups_.runtime().complete_transaction(
      partition, run->marker, run->transaction_version, [this, run, partition](ErrorCode error) {
        switch (error) {
          case ErrorCode::coordinator_not_available:
          case ErrorCode::coordinator_load_in_progress:
          case ErrorCode::not_coordinator:
            // What a transaction coordinator understands, and tries again.
            error = ErrorCode::not_leader_or_follower;
            break;
          default:
            break;
        }
        run->results.emplace_back(TopicPartition{groups::offsets_topic, partition}, error);
        end_in_groups(run);
      });
}

void MarkerWriter::flush(const RunPointer& run) {
  if (run->unflushed.empty()) {
    run->done(std::move(run->results));
    return;
  }
  const bool submitted = disk_pool_.submit(runtime::Lane::fsync, [run] {
    for (const auto& partition : run->unflushed) {
      const auto error = partition->flush();
      if (error == ErrorCode::none) continue;
      for (auto& [target, result] : run->results) {
        if (target.topic == partition->topic() && target.partition == partition->index()) result = error;
      }
    }
    run->done(std::move(run->results));
  });
  if (submitted) return;
  for (auto& [target, result] : run->results) result = ErrorCode::kafka_storage_error;
  run->done(std::move(run->results));
}

}  // namespace dohle::api
