// The part of a produce that does not wait: every partition's batch judged, stamped and written, and the answer for it.
// Source: kafka.server.KafkaApis.handleProduceRequest, ReplicaManager.appendToLocalLog.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "protocol/messages/produce.h"
#include "server/api/handler.h"
#include "server/api/transaction_verifier.h"
#include "server/log/batch_validator.h"
#include "server/metadata/metadata_image.h"
#include "server/replica/partition.h"

namespace dohle::api {

/// One produce request: append() once, then the flushes that are due, then answer() once. On the connection's reactor.
class ProduceAppender {
 public:
  ProduceAppender(Services& services, RequestContext& context, protocol::ProduceRequest& request);

  /// Of the transactional batches, before append(): what the transaction's coordinator said of their partitions.
  void set_verified(VerifiedPartitions verified) { verified_ = std::move(verified); }
  /// All but the batches that take long to judge.
  void append();
  /// Those are left: judge_put_off() on any thread while the reactor does other things, then append_put_off().
  bool has_put_off() const { return !put_off_.empty(); }
  void judge_put_off();
  void append_put_off();
  /// Partitions whose answer waits for the disk. Each is flushed by the caller, who reports a failure.
  std::vector<std::shared_ptr<replica::Partition>> due_flushes() const;
  void flush_failed(const replica::Partition& partition, protocol::ErrorCode error);

  bool has_error() const;
  protocol::ProduceResponse answer();

 private:
  struct Target {
    std::string topic;
    codec::Uuid topic_id;
    std::shared_ptr<replica::Partition> partition;
    log::VerificationGuard guard;
    bool flush_due = false;
    protocol::ProduceResponse::PartitionProduceResponse answer;
  };

  struct PutOff {
    std::size_t target = 0;
    codec::MutableBytes records;
    std::shared_ptr<const config::LogConfig> config;
    log::BatchVerdict verdict;
  };

  protocol::ErrorCode resolve(const metadata::MetadataImage& image,
                              const protocol::ProduceRequest::TopicProduceData& topic, Target& target) const;
  void flush_closed_segments(const std::shared_ptr<replica::Partition>& partition);
  bool check_verified(Target& target) const;
  void append_validated(Target& target, codec::MutableBytes records);
  log::BatchVerdict judge(const Target& target, codec::MutableBytes records, const config::LogConfig& config,
                          const log::ValidationBounds& bounds) const;
  void store(Target& target, codec::MutableBytes records, log::BatchVerdict verdict);
  codec::MutableBytes mutable_records(const protocol::Records& records) const;

  Services& services_;
  RequestContext& context_;
  protocol::ProduceRequest& request_;
  VerifiedPartitions verified_;
  std::vector<Target> targets_;
  std::vector<PutOff> put_off_;
};

}  // namespace dohle::api
