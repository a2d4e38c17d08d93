#include "server/api/fetch_reader.h"

#include <algorithm>

#include "server/api/leader_hint.h"
#include "server/api/services.h"
#include "server/replica/replica_set.h"

namespace dohle::api {

using protocol::ErrorCode;

namespace {

/// Below this a copy and one writev are cheaper than sendfile (docs/performance: measured crossover 2 to 4 KiB).
constexpr std::uint64_t inline_bytes_max = 3 << 10;

FetchSessionRequest session_request(const protocol::FetchRequest& request, std::int16_t version,
                                    const metadata::MetadataImage& image, bool is_from_follower) {
  FetchSessionRequest result;
  result.session_id = request.session_id;
  result.epoch = request.session_epoch;
  result.uses_topic_ids = version >= 13;
  result.is_from_follower = is_from_follower;
  const auto name_of = [&](const codec::Uuid& id, const std::string& name) {
    if (version < 13) return name;
    const auto* topic = image.topics->find(id);
    return topic == nullptr ? std::string() : topic->name;
  };
  // A partition that is named twice counts once, with what was said last.
  std::unordered_map<FetchPartitionName, std::size_t, FetchPartitionNameHash> positions;
  for (const auto& topic : request.topics) {
    const auto name = name_of(topic.topic_id, topic.topic);
    for (const auto& partition : topic.partitions) {
      FetchPartitionRequest asked{.name = {topic.topic_id, name, partition.partition},
                                  .max_bytes = partition.partition_max_bytes,
                                  .fetch_offset = partition.fetch_offset,
                                  .current_leader_epoch = partition.current_leader_epoch,
                                  .log_start_offset = partition.log_start_offset,
                                  .last_fetched_epoch = partition.last_fetched_epoch};
      const auto [position, is_new] = positions.emplace(asked.name, result.partitions.size());
      if (is_new) {
        result.partitions.push_back(std::move(asked));
      } else {
        result.partitions[position->second] = std::move(asked);
      }
    }
  }
  for (const auto& topic : request.forgotten_topics_data) {
    const auto name = name_of(topic.topic_id, topic.topic);
    for (const auto partition : topic.partitions) result.forgotten.push_back({topic.topic_id, name, partition});
  }
  return result;
}

ErrorCode for_version(ErrorCode error, std::int16_t version) {
  return error == ErrorCode::kafka_storage_error && version <= 5 ? ErrorCode::not_leader_or_follower : error;
}

}  // namespace

FetchReader::FetchReader(Services& services, RequestContext& context, const protocol::FetchRequest& request)
    : services_(services), context_(context), request_(request) {
  const auto image = services.image.current();
  const auto version = context.version();
  replica_id_ = version >= 15 ? request.replica_state.replica_id : request.replica_id;
  max_bytes_ = std::min(request.max_bytes, services.config.current()->fetch_max_bytes);
  min_bytes_ = std::min(request.min_bytes, max_bytes_);
  session_ = services.fetch_sessions.begin(session_request(request, version, *image, replica_id_ >= 0),
                                           services.clock.monotonic_ms());

  std::vector<Target> failed;
  for (const auto& asked : session_.partitions()) {
    Target target{.request = asked, .partition = nullptr, .error = ErrorCode::none, .result = {}};
    resolve(*image, target);
    (target.error == ErrorCode::none ? targets_ : failed).push_back(std::move(target));
  }
  // Kafka looks for unknown ids before it looks for unknown partitions, but for followers.
  if (replica_id_ < 0) {
    std::ranges::stable_partition(failed,
                                  [](const Target& target) { return target.error == ErrorCode::unknown_topic_id; });
  }
  targets_.insert(targets_.end(), std::make_move_iterator(failed.begin()), std::make_move_iterator(failed.end()));
}

void FetchReader::resolve(const metadata::MetadataImage& image, Target& target) const {
  const auto& name = target.request.name;
  const bool by_id = context_.version() >= 13;
  const auto* topic = by_id ? image.topics->find(name.topic_id) : image.topics->find(name.topic);
  if (topic == nullptr && by_id) {
    // The session may know an id by the name of a topic that was deleted and made again.
    const auto* namesake = name.topic.empty() ? nullptr : image.topics->find(name.topic);
    if (namesake != nullptr && namesake->partition(name.partition) != nullptr) {
      target.result.error = ErrorCode::inconsistent_topic_id;
    } else {
      target.error = name.topic.empty() ? ErrorCode::unknown_topic_id : ErrorCode::unknown_topic_or_partition;
    }
    return;
  }
  if (topic == nullptr || topic->partition(name.partition) == nullptr) {
    target.error = ErrorCode::unknown_topic_or_partition;
    return;
  }
  auto hosted = services_.replicas.find(image, topic->name, name.partition);
  target.partition = std::move(hosted.partition);
  target.result.error = hosted.error;
  if (target.partition && replica_id_ >= 0 && !target.partition->has_follower(replica_id_)) {
    target.partition = nullptr;
    target.result.error =
        target.request.current_leader_epoch == -1 ? ErrorCode::not_leader_or_follower : ErrorCode::unknown_leader_epoch;
  }
}

void FetchReader::read() {
  bytes_read_ = 0;
  has_error_or_divergence_ = false;
  auto room = std::max(max_bytes_, 0);
  const bool is_consumer = replica_id_ < 0;
  const auto isolation = !is_consumer                    ? replica::Isolation::log_end
                         : request_.isolation_level == 1 ? replica::Isolation::read_committed
                                                         : replica::Isolation::read_uncommitted;
  for (auto& target : targets_) {
    if (target.error != ErrorCode::none) continue;
    if (target.partition) {
      target.result = target.partition->read({.offset = target.request.fetch_offset,
                                              .max_bytes = std::min(target.request.max_bytes, room),
                                              .current_leader_epoch = target.request.current_leader_epoch,
                                              .last_fetched_epoch = target.request.last_fetched_epoch,
                                              .isolation = isolation,
                                              .at_least_one_batch = bytes_read_ == 0,
                                              .leader_only = replica_id_ != -2});
      check_size_limit(target, room, isolation);
    }
    const auto size = target.result.slice.size_bytes;
    bytes_read_ += static_cast<std::int64_t>(size);
    room = size >= static_cast<std::uint64_t>(room) ? 0 : room - static_cast<std::int32_t>(size);
    if (target.result.error != ErrorCode::none || target.result.has_diverged) has_error_or_divergence_ = true;
  }
}

void FetchReader::check_size_limit(Target& target, std::int32_t room, replica::Isolation isolation) {
  const auto limit = std::min(target.request.max_bytes, room);
  const bool has_data = target.request.fetch_offset < target.partition->bound(isolation);
  if (limit >= 0 || !has_data || target.result.error != ErrorCode::none || target.result.has_diverged) return;
  // LogSegment.read throws IllegalArgumentException.
  target.result = replica::FetchReadResult{.error = ErrorCode::unknown_server_error};
}

bool FetchReader::can_read() const {
  return std::ranges::any_of(targets_, [](const Target& target) { return target.error == ErrorCode::none; });
}

bool FetchReader::is_complete() const {
  return !can_read() || request_.max_wait_ms <= 0 || bytes_read_ >= min_bytes_ || has_error_or_divergence_;
}

void FetchReader::watch(const std::shared_ptr<runtime::Waiter>& waiter) {
  for (auto& target : targets_) {
    if (target.partition) target.partition->watch(waiter);
  }
}

void FetchReader::unwatch(const std::shared_ptr<runtime::Waiter>& waiter) {
  for (auto& target : targets_) {
    if (target.partition) target.partition->unwatch(waiter);
  }
}

protocol::Records FetchReader::records_of(const log::Slice& slice) {
  if (slice.size_bytes == 0) return {};
  if (slice.size_bytes <= inline_bytes_max) {
    auto& bytes = context_.kept.emplace_back(slice.size_bytes);
    const auto read = slice.file->read_at(bytes, slice.position_bytes);
    if (!read || *read != bytes.size()) context_.action = net::Response::Action::close;
    return protocol::Records::of(bytes);
  }
  context_.slices.push_back({slice.file, slice.position_bytes, slice.size_bytes});
  return protocol::Records::external(slice.size_bytes);
}

protocol::FetchResponse::PartitionData FetchReader::answer_of(Target& target) {
  protocol::FetchResponse::PartitionData data;
  data.partition_index = target.request.name.partition;
  data.high_watermark = -1;
  if (target.error != ErrorCode::none) {
    data.error_code = static_cast<std::int16_t>(target.error);
    data.records = protocol::Records{};
    return data;
  }
  const auto& result = target.result;
  data.error_code = static_cast<std::int16_t>(for_version(result.error, context_.version()));
  data.high_watermark = result.high_watermark;
  data.last_stable_offset = result.last_stable_offset;
  data.log_start_offset = result.log_start_offset;
  data.aborted_transactions.reset();
  if (request_.isolation_level == 1 && result.error == ErrorCode::none && !result.has_diverged && replica_id_ < 0) {
    auto& aborted = data.aborted_transactions.emplace();
    for (const auto& transaction : result.aborted) {
      auto& answer = aborted.emplace_back();
      answer.producer_id = transaction.producer_id;
      answer.first_offset = transaction.first_offset;
    }
  }
  if (result.has_diverged) {
    data.diverging_epoch.epoch = static_cast<std::int32_t>(result.diverging_epoch);
    data.diverging_epoch.end_offset = result.diverging_end_offset;
  }
  return data;
}

void FetchReader::add_hint(const metadata::MetadataImage& image, const Target& target,
                           protocol::FetchResponse::PartitionData& data, protocol::FetchResponse& response) const {
  const auto error = target.result.error;
  if (context_.version() < 16 || target.error != ErrorCode::none) return;
  if (error != ErrorCode::not_leader_or_follower && error != ErrorCode::fenced_leader_epoch) return;
  const auto hint =
      current_leader(image, target.request.name.topic, target.request.name.partition, context_.session.listener);
  data.current_leader.leader_id = hint.leader_id;
  data.current_leader.leader_epoch = hint.leader_epoch;
  // Followers are not told where: they know.
  if (replica_id_ < 0) add_node_endpoint(image, hint, context_.session.listener, response.node_endpoints);
}

protocol::FetchResponse FetchReader::answer() {
  std::vector<FetchPartitionAnswer> answers;
  answers.reserve(targets_.size());
  for (const auto& target : targets_) {
    const auto error = target.error != ErrorCode::none ? target.error : target.result.error;
    answers.push_back({.name = target.request.name,
                       .error = error,
                       .high_watermark = target.result.high_watermark,
                       .log_start_offset = target.result.log_start_offset,
                       .has_records = target.result.slice.size_bytes > 0,
                       .has_preferred_replica = false,
                       .is_diverging = target.result.has_diverged});
  }
  const auto outcome = session_.finish(answers, services_.clock.monotonic_ms());

  protocol::FetchResponse response;
  response.error_code = static_cast<std::int16_t>(outcome.error);
  response.session_id = outcome.session_id;
  const auto image = services_.image.current();
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    if (!outcome.included[i]) continue;
    auto& target = targets_[i];
    const auto& name = target.request.name;
    const bool same_topic =
        !response.responses.empty() && (context_.version() >= 13 ? response.responses.back().topic_id == name.topic_id
                                                                 : response.responses.back().topic == name.topic);
    if (!same_topic) {
      auto& topic = response.responses.emplace_back();
      topic.topic = name.topic;
      topic.topic_id = name.topic_id;
    }
    auto data = answer_of(target);
    add_hint(*image, target, data, response);
    if (target.error == ErrorCode::none) data.records = records_of(target.result.slice);
    response.responses.back().partitions.push_back(std::move(data));
  }
  return response;
}

}  // namespace dohle::api
