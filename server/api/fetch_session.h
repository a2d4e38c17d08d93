// Fetch sessions (KIP-227): a client names its partitions once, and then only what changed; the answer leaves out what
// did not change. Source: org.apache.kafka.server.{FetchManager, FetchContext, FetchSession, FetchSessionCacheShard}.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "codec/uuid.h"
#include "protocol/error_code.h"

namespace dohle::api {

/// A partition as a fetch names it: by id (v13 on; the name is empty when the id is unknown) or by name (the id is
/// zero).
struct FetchPartitionName {
  codec::Uuid topic_id;
  std::string topic;
  std::int32_t partition = 0;

  /// With ids the name does not count: an id whose topic is not known yet stays the same partition.
  bool operator==(const FetchPartitionName& other) const;
};

struct FetchPartitionNameHash {
  std::size_t operator()(const FetchPartitionName& name) const noexcept;
};

/// What the client asked of one partition.
struct FetchPartitionRequest {
  FetchPartitionName name;
  std::int32_t max_bytes = 0;
  std::int64_t fetch_offset = 0;
  std::int32_t current_leader_epoch = -1;
  std::int64_t log_start_offset = -1;
  std::int32_t last_fetched_epoch = -1;
};

/// What an answer says of one partition, as far as the session must know it.
struct FetchPartitionAnswer {
  FetchPartitionName name;
  protocol::ErrorCode error = protocol::ErrorCode::none;
  std::int64_t high_watermark = -1;
  std::int64_t log_start_offset = -1;
  bool has_records = false;
  bool has_preferred_replica = false;
  bool is_diverging = false;
};

struct FetchSessionRequest {
  std::int32_t session_id = 0;
  std::int32_t epoch = -1;
  bool uses_topic_ids = false;
  bool is_from_follower = false;
  std::vector<FetchPartitionRequest> partitions;
  std::vector<FetchPartitionName> forgotten;
};

class FetchSessionCache;
struct FetchSession;

/// One fetch's view of its session. Lives for one request, on one thread.
class FetchContext {
 public:
  /// Not none: the whole answer is this code, without partitions.
  protocol::ErrorCode error() const { return error_; }
  /// The partitions to read, in the session's order.
  const std::vector<FetchPartitionRequest>& partitions() const { return partitions_; }

  struct Outcome {
    protocol::ErrorCode error = protocol::ErrorCode::none;
    std::int32_t session_id = 0;
    /// For each answer given in, whether it goes out.
    std::vector<bool> included;
  };
  /// Call once, with the answers in the order in which they would go out.
  Outcome finish(const std::vector<FetchPartitionAnswer>& answers, std::int64_t now_ms);

 private:
  friend class FetchSessionCache;
  enum class Kind : std::uint8_t { error, sessionless, full, incremental };

  Kind kind_ = Kind::sessionless;
  protocol::ErrorCode error_ = protocol::ErrorCode::none;
  std::vector<FetchPartitionRequest> partitions_;
  bool uses_topic_ids_ = false;
  bool is_from_follower_ = false;
  FetchSessionCache* cache_ = nullptr;
  std::int32_t session_id_ = 0;
  std::int32_t request_epoch_ = 0;
};

/// At most `slots` sessions in all, in eight shards with a lock each. Any thread.
class FetchSessionCache {
 public:
  static constexpr std::int64_t eviction_ms = 120'000;

  explicit FetchSessionCache(std::size_t slots);
  ~FetchSessionCache();

  FetchContext begin(FetchSessionRequest request, std::int64_t now_ms);
  std::size_t size() const;

 private:
  friend class FetchContext;
  static constexpr std::int32_t shard_count = 8;
  struct Shard;

  Shard& shard_of(std::int32_t session_id);
  std::int32_t create(const FetchContext& context, const std::vector<FetchPartitionAnswer>& answers,
                      std::int64_t now_ms);

  std::array<std::unique_ptr<Shard>, shard_count> shards_;
};

}  // namespace dohle::api
