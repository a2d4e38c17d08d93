// The part of a fetch that does not wait: which partitions, what they have now, and the answer made of it.
// Source: kafka.server.ReplicaManager.readFromLog, KafkaApis.handleFetchRequest.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "protocol/messages/fetch.h"
#include "server/api/fetch_session.h"
#include "server/api/handler.h"
#include "server/metadata/metadata_image.h"
#include "server/replica/partition.h"

namespace dohle::api {

/// One fetch: made from the request, read as often as it takes, answered once. On the connection's reactor.
class FetchReader {
 public:
  FetchReader(Services& services, RequestContext& context, const protocol::FetchRequest& request);

  /// Reads every partition within the request's limits. Replaces what an earlier call read.
  void read();
  /// Nothing is won by waiting: enough bytes, an error, a divergence, or nothing to wait for.
  bool is_complete() const;
  /// Some partition is there to be read, well or not.
  bool can_read() const;
  /// Registers with, or takes back from, every partition that may get data.
  void watch(const std::shared_ptr<runtime::Waiter>& waiter);
  void unwatch(const std::shared_ptr<runtime::Waiter>& waiter);

  /// Makes the answer; call once. Records that lie in files become slices of the context.
  protocol::FetchResponse answer();

 private:
  struct Target {
    FetchPartitionRequest request;
    std::shared_ptr<replica::Partition> partition;
    /// Not none: the partition cannot be read at all, whatever it has.
    protocol::ErrorCode error = protocol::ErrorCode::none;
    replica::FetchReadResult result;
  };

  /// A negative limit is an error where there is something to read.
  static void check_size_limit(Target& target, std::int32_t room, replica::Isolation isolation);
  void resolve(const metadata::MetadataImage& image, Target& target) const;
  void add_hint(const metadata::MetadataImage& image, const Target& target,
                protocol::FetchResponse::PartitionData& data, protocol::FetchResponse& response) const;
  protocol::FetchResponse::PartitionData answer_of(Target& target);
  protocol::Records records_of(const log::Slice& slice);

  Services& services_;
  RequestContext& context_;
  const protocol::FetchRequest& request_;
  FetchContext session_;
  std::int32_t replica_id_ = -1;
  std::int32_t max_bytes_ = 0;
  std::int32_t min_bytes_ = 0;
  std::vector<Target> targets_;  // readable ones first, then those with an error, as Kafka answers them
  std::int64_t bytes_read_ = 0;
  bool has_error_or_divergence_ = false;
};

}  // namespace dohle::api
