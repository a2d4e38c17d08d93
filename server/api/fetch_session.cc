#include "server/api/fetch_session.h"

#include <atomic>
#include <limits>
#include <random>
#include <set>
#include <tuple>

#include "server/runtime/check.h"

namespace dohle::api {

namespace {

constexpr std::int32_t initial_epoch = 0;
constexpr std::int32_t final_epoch = -1;

std::int32_t next_epoch(std::int32_t epoch) {
  if (epoch < 0) return final_epoch;
  return epoch == std::numeric_limits<std::int32_t>::max() ? 1 : epoch + 1;
}

struct CachedPartition {
  FetchPartitionRequest request;
  std::int64_t high_watermark = -1;
  std::int64_t log_start_offset = -1;

  /// Whether the answer must go out, remembering what it says (FetchSession.CachedPartition.maybeUpdateResponseData).
  bool update(const FetchPartitionAnswer& answer) {
    bool must_answer = answer.has_records || answer.has_preferred_replica || answer.is_diverging;
    if (high_watermark != answer.high_watermark) {
      must_answer = true;
      high_watermark = answer.high_watermark;
    }
    if (log_start_offset != answer.log_start_offset) {
      must_answer = true;
      log_start_offset = answer.log_start_offset;
    }
    if (answer.error != protocol::ErrorCode::none) {
      must_answer = true;
      high_watermark = -1;  // so that the partition is sent again when it has recovered
    }
    return must_answer;
  }
};

}  // namespace

bool FetchPartitionName::operator==(const FetchPartitionName& other) const {
  if (partition != other.partition || topic_id != other.topic_id) return false;
  return !topic_id.is_zero() || topic == other.topic;
}

std::size_t FetchPartitionNameHash::operator()(const FetchPartitionName& name) const noexcept {
  const auto topic =
      name.topic_id.is_zero() ? std::hash<std::string>{}(name.topic) : std::hash<codec::Uuid>{}(name.topic_id);
  return topic * 31 + static_cast<std::size_t>(name.partition);
}

struct FetchSession {
  std::int32_t id = 0;
  std::int32_t epoch = 0;
  bool privileged = false;  // a follower's
  bool uses_topic_ids = false;
  std::int64_t created_ms = 0;
  std::int64_t last_used_ms = 0;
  std::size_t cached_size = 0;
  bool is_cached = false;
  std::list<CachedPartition> partitions;
  std::unordered_map<FetchPartitionName, std::list<CachedPartition>::iterator, FetchPartitionNameHash> by_name;

  void add(CachedPartition partition) {
    partitions.push_back(std::move(partition));
    by_name.emplace(partitions.back().request.name, std::prev(partitions.end()));
  }

  void change(std::vector<FetchPartitionRequest> requested, const std::vector<FetchPartitionName>& forgotten) {
    for (auto& request : requested) {
      const auto found = by_name.find(request.name);
      if (found == by_name.end()) {
        add({std::move(request)});
      } else {
        found->second->request = std::move(request);
      }
    }
    for (const auto& name : forgotten) {
      const auto found = by_name.find(name);
      if (found == by_name.end()) continue;
      partitions.erase(found->second);
      by_name.erase(found);
    }
  }

  std::vector<bool> answer(const std::vector<FetchPartitionAnswer>& answers) {
    std::vector<bool> included;
    included.reserve(answers.size());
    for (const auto& answer : answers) {
      const auto found = by_name.find(answer.name);
      const bool include = found != by_name.end() && found->second->update(answer);
      // What had data moves to the back, so that max_bytes does not starve the tail.
      if (include && answer.has_records) partitions.splice(partitions.end(), partitions, found->second);
      included.push_back(include);
    }
    return included;
  }
};

struct FetchSessionCache::Shard {
  using EvictionKey = std::tuple<bool, std::size_t, std::int32_t>;  // privileged, partitions, id

  std::mutex mutex;
  std::size_t slots = 0;
  std::int32_t first_id = 1;
  std::int32_t last_id = 1;  // inclusive
  std::mt19937 random{std::random_device{}()};
  std::unordered_map<std::int32_t, FetchSession> sessions;
  std::set<std::pair<std::int64_t, std::int32_t>> by_last_use;
  std::set<EvictionKey> evictable_by_all;
  std::set<EvictionKey> evictable_by_privileged;

  FetchSession* find(std::int32_t id) {
    const auto found = sessions.find(id);
    return found == sessions.end() ? nullptr : &found->second;
  }

  void forget_position(const FetchSession& session) {
    by_last_use.erase({session.last_used_ms, session.id});
    const EvictionKey key{session.privileged, session.cached_size, session.id};
    evictable_by_all.erase(key);
    evictable_by_privileged.erase(key);
  }

  void remove(std::int32_t id) {
    const auto found = sessions.find(id);
    if (found == sessions.end()) return;
    forget_position(found->second);
    sessions.erase(found);
  }

  void touch(FetchSession& session, std::int64_t now_ms) {
    if (session.is_cached) forget_position(session);
    session.is_cached = true;
    session.last_used_ms = now_ms;
    session.cached_size = session.partitions.size();
    by_last_use.insert({now_ms, session.id});
    const EvictionKey key{session.privileged, session.cached_size, session.id};
    const bool is_old = now_ms - session.created_ms > eviction_ms;
    if (!session.privileged || is_old) evictable_by_privileged.insert(key);
    if (is_old) evictable_by_all.insert(key);
  }

  bool evict_for(bool privileged, std::size_t partitions, std::int64_t now_ms) {
    if (by_last_use.empty()) return false;
    const auto [last_used_ms, id] = *by_last_use.begin();
    if (now_ms - last_used_ms > eviction_ms) {
      remove(id);
      return true;
    }
    const auto& evictable = privileged ? evictable_by_privileged : evictable_by_all;
    if (evictable.empty() || EvictionKey{privileged, partitions, 0} < *evictable.begin()) return false;
    remove(std::get<2>(*evictable.begin()));
    return true;
  }

  std::int32_t new_id() {
    std::uniform_int_distribution<std::int32_t> ids(first_id, last_id);
    std::int32_t id = ids(random);
    while (sessions.contains(id)) id = ids(random);
    return id;
  }
};

FetchSessionCache::FetchSessionCache(std::size_t slots) {
  const std::int32_t range = std::numeric_limits<std::int32_t>::max() / shard_count;
  for (std::int32_t i = 0; i < shard_count; ++i) {
    auto shard = std::make_unique<Shard>();
    shard->slots = slots / shard_count;
    shard->first_id = std::max(1, i * range);
    shard->last_id = (i + 1) * range - 1;
    shards_[static_cast<std::size_t>(i)] = std::move(shard);
  }
}

FetchSessionCache::~FetchSessionCache() = default;

FetchSessionCache::Shard& FetchSessionCache::shard_of(std::int32_t session_id) {
  const std::int32_t range = std::numeric_limits<std::int32_t>::max() / shard_count;
  const auto index = session_id < 0 ? 0 : std::min(session_id / range, shard_count - 1);
  return *shards_[static_cast<std::size_t>(index)];
}

std::size_t FetchSessionCache::size() const {
  std::size_t size = 0;
  for (const auto& shard : shards_) {
    const std::lock_guard lock(shard->mutex);
    size += shard->sessions.size();
  }
  return size;
}

FetchContext FetchSessionCache::begin(FetchSessionRequest request, std::int64_t now_ms) {
  FetchContext context;
  context.cache_ = this;
  context.uses_topic_ids_ = request.uses_topic_ids;
  context.is_from_follower_ = request.is_from_follower;
  context.request_epoch_ = request.epoch;
  Shard& shard = shard_of(request.session_id);
  const std::lock_guard lock(shard.mutex);

  if (request.epoch == initial_epoch || request.epoch == final_epoch) {
    if (request.session_id != 0) shard.remove(request.session_id);
    context.kind_ = request.epoch == final_epoch ? FetchContext::Kind::sessionless : FetchContext::Kind::full;
    context.partitions_ = std::move(request.partitions);
    return context;
  }

  context.kind_ = FetchContext::Kind::error;
  FetchSession* session = shard.find(request.session_id);
  if (session == nullptr) {
    context.error_ = protocol::ErrorCode::fetch_session_id_not_found;
    return context;
  }
  if (session->epoch != request.epoch) {
    context.error_ = protocol::ErrorCode::invalid_fetch_session_epoch;
    return context;
  }
  if (session->uses_topic_ids != request.uses_topic_ids) {
    context.error_ = protocol::ErrorCode::fetch_session_topic_id_error;
    return context;
  }

  auto requested = request.partitions;
  session->change(std::move(request.partitions), request.forgotten);
  if (session->partitions.empty()) {
    shard.remove(session->id);
    context.kind_ = FetchContext::Kind::sessionless;
    context.partitions_ = std::move(requested);
    return context;
  }
  shard.touch(*session, now_ms);
  session->epoch = next_epoch(session->epoch);
  context.kind_ = FetchContext::Kind::incremental;
  context.session_id_ = session->id;
  context.partitions_.reserve(session->partitions.size());
  for (const auto& partition : session->partitions) context.partitions_.push_back(partition.request);
  return context;
}

std::int32_t FetchSessionCache::create(const FetchContext& context, const std::vector<FetchPartitionAnswer>& answers,
                                       std::int64_t now_ms) {
  static std::atomic<std::uint32_t> next_shard{0};
  Shard& shard = *shards_[next_shard.fetch_add(1, std::memory_order_relaxed) % shard_count];
  const std::lock_guard lock(shard.mutex);
  if (shard.sessions.size() >= shard.slots && !shard.evict_for(context.is_from_follower_, answers.size(), now_ms)) {
    return 0;
  }
  std::unordered_map<FetchPartitionName, const FetchPartitionRequest*, FetchPartitionNameHash> requests;
  for (const auto& request : context.partitions()) requests[request.name] = &request;

  FetchSession session;
  session.id = shard.new_id();
  session.epoch = next_epoch(initial_epoch);
  session.privileged = context.is_from_follower_;
  session.uses_topic_ids = context.uses_topic_ids_;
  session.created_ms = now_ms;
  for (const auto& answer : answers) {
    CHECK(requests.contains(answer.name));
    session.add({*requests[answer.name], answer.high_watermark, answer.log_start_offset});
  }
  const auto id = session.id;
  auto& stored = shard.sessions.emplace(id, std::move(session)).first->second;
  shard.touch(stored, now_ms);
  return id;
}

FetchContext::Outcome FetchContext::finish(const std::vector<FetchPartitionAnswer>& answers, std::int64_t now_ms) {
  switch (kind_) {
    case Kind::error:
      return {error_, 0, std::vector<bool>(answers.size(), false)};
    case Kind::sessionless:
      return {protocol::ErrorCode::none, 0, std::vector<bool>(answers.size(), true)};
    case Kind::full:
      return {protocol::ErrorCode::none, cache_->create(*this, answers, now_ms),
              std::vector<bool>(answers.size(), true)};
    case Kind::incremental:
      break;
  }
  auto& shard = cache_->shard_of(session_id_);
  const std::lock_guard lock(shard.mutex);
  FetchSession* session = shard.find(session_id_);
  // The session may have been evicted while the fetch was parked: Kafka's context still holds it, and answers; the next
  // request then learns that the id is gone.
  if (session == nullptr) return {protocol::ErrorCode::none, session_id_, std::vector<bool>(answers.size(), true)};
  if (session->epoch != next_epoch(request_epoch_)) {
    return {protocol::ErrorCode::invalid_fetch_session_epoch, session_id_, std::vector<bool>(answers.size(), false)};
  }
  return {protocol::ErrorCode::none, session_id_, session->answer(answers)};
}

}  // namespace dohle::api
