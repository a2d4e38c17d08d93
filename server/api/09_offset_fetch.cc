// OffsetFetch, key 9, v1 to v10. v2 error of the group and null topics, v5 leader epoch, v7 require_stable (KIP-447),
// v8 many groups (KIP-709), v9 member epochs (KIP-848), v10 topic ids. Source:
// kafka.server.KafkaApis.handleOffsetFetchRequest.

#include <utility>
#include <vector>

#include "protocol/messages/offset_fetch.h"
#include "server/api/async_handlers.h"
#include "server/api/promise.h"
#include "server/api/services.h"
#include "server/groups/group_coordinator.h"

namespace dohle::api {

namespace {

using protocol::ErrorCode;
using protocol::OffsetFetchRequest;
using protocol::OffsetFetchResponse;
using Group = OffsetFetchRequest::OffsetFetchRequestGroup;
using FetchedGroup = OffsetFetchResponse::OffsetFetchResponseGroup;
using FetchedTopics = std::vector<OffsetFetchResponse::OffsetFetchResponseTopics>;

constexpr std::int16_t first_version_with_group_error = 2;
constexpr std::int16_t first_version_with_groups = 8;
constexpr std::int16_t first_version_with_topic_ids = 10;

std::vector<Group> groups_of(OffsetFetchRequest& request, std::int16_t version) {
  if (version >= first_version_with_groups) return std::move(request.groups);
  Group group;
  group.group_id = std::move(request.group_id);
  group.topics = std::nullopt;
  if (request.topics) {
    group.topics.emplace();
    for (auto& topic : *request.topics) {
      auto& entry = group.topics->emplace_back();
      entry.name = std::move(topic.name);
      entry.partition_indexes = std::move(topic.partition_indexes);
    }
  }
  std::vector<Group> groups;
  groups.push_back(std::move(group));
  return groups;
}

/// Gives topics their names; takes the unknown ones out and answers them.
FetchedTopics resolve_topics(const metadata::MetadataImage& image, Group& group) {
  FetchedTopics unknown;
  std::vector<OffsetFetchRequest::OffsetFetchRequestTopics> known;
  for (auto& topic : *group.topics) {
    if (const auto* found = image.topics->find(topic.topic_id)) {
      topic.name = found->name;
      known.push_back(std::move(topic));
      continue;
    }
    auto& answer = unknown.emplace_back();
    answer.topic_id = topic.topic_id;
    for (const auto index : topic.partition_indexes) {
      auto& partition = answer.partitions.emplace_back();
      partition.partition_index = index;
      partition.committed_offset = -1;
      partition.error_code = static_cast<std::int16_t>(ErrorCode::unknown_topic_id);
    }
  }
  group.topics = std::move(known);
  return unknown;
}

/// The answer to null topics has names; topics that are gone have no id, and are left out.
void add_topic_ids(const metadata::MetadataImage& image, FetchedGroup& group) {
  FetchedTopics known;
  for (auto& topic : group.topics) {
    const auto* found = image.topics->find(topic.name);
    if (found == nullptr) continue;
    topic.topic_id = found->id;
    known.push_back(std::move(topic));
  }
  group.topics = std::move(known);
}

/// v1 has no place for a group's error: each partition says it.
void spread_error(const Group& request, FetchedGroup& group) {
  for (const auto& topic : request.topics.value_or(std::vector<OffsetFetchRequest::OffsetFetchRequestTopics>{})) {
    auto& answer = group.topics.emplace_back();
    answer.name = topic.name;
    for (const auto index : topic.partition_indexes) {
      auto& partition = answer.partitions.emplace_back();
      partition.partition_index = index;
      partition.committed_offset = -1;
      partition.error_code = group.error_code;
    }
  }
}

OffsetFetchResponse single_group(FetchedGroup group) {
  OffsetFetchResponse response;
  response.error_code = group.error_code;
  for (auto& topic : group.topics) {
    auto& answer = response.topics.emplace_back();
    answer.name = std::move(topic.name);
    for (auto& partition : topic.partitions) {
      auto& entry = answer.partitions.emplace_back();
      entry.partition_index = partition.partition_index;
      entry.committed_offset = partition.committed_offset;
      entry.committed_leader_epoch = partition.committed_leader_epoch;
      entry.metadata = std::move(partition.metadata);
      entry.error_code = partition.error_code;
    }
  }
  return response;
}

struct Fetching {
  Group request;
  FetchedTopics unknown;
  Promise<FetchedGroup> promise;
};

FetchedGroup finished(const metadata::MetadataImage& image, Fetching& fetching, FetchedGroup group,
                      std::int16_t version) {
  if (group.error_code != 0) {
    if (version < first_version_with_group_error) spread_error(fetching.request, group);
    return group;
  }
  for (auto& topic : fetching.unknown) group.topics.push_back(std::move(topic));
  if (!fetching.request.topics && version >= first_version_with_topic_ids) add_topic_ids(image, group);
  return group;
}

}  // namespace

boost::asio::awaitable<OffsetFetchResponse> offset_fetch(Services& services, RequestContext& context,
                                                         OffsetFetchRequest& request) {
  const auto version = context.version();
  const auto image = services.image.current();
  std::vector<Fetching> fetches;
  for (auto& group : groups_of(request, version)) {
    auto& fetching = fetches.emplace_back();
    if (group.topics && version >= first_version_with_topic_ids) fetching.unknown = resolve_topics(*image, group);
    fetching.request = std::move(group);
    services.groups.fetch(fetching.request, request.require_stable, fetching.promise.reply());
  }
  OffsetFetchResponse response;
  for (auto& fetching : fetches) {
    auto group = co_await fetching.promise.wait(context.session.closing);
    if (!group) co_return response;
    response.groups.push_back(finished(*image, fetching, std::move(*group), version));
  }
  if (version >= first_version_with_groups) co_return response;
  co_return single_group(std::move(response.groups.front()));
}

}  // namespace dohle::api
