// OffsetCommit, OffsetFetch, OffsetDelete, and what makes offsets go: expiry, deleted topics, deleted groups. Makes
// records and answers; OffsetStore changes by replaying them. Source: OffsetMetadataManager.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/messages/offset_commit.h"
#include "protocol/messages/offset_delete.h"
#include "protocol/messages/offset_fetch.h"
#include "protocol/messages/txn_offset_commit.h"
#include "server/coordinator/outcome.h"
#include "server/groups/group_registry.h"
#include "server/groups/group_settings.h"
#include "server/groups/offset_store.h"
#include "server/metadata/metadata_image.h"

namespace dohle::groups {

/// Response and records, or an error for the whole request.
template <typename Response>
struct OffsetResult {
  protocol::ErrorCode error = protocol::ErrorCode::none;
  Response response;
  std::vector<coordinator::Record> records;
};

class OffsetOperations {
 public:
  /// All outlive it.
  OffsetOperations(const GroupRegistry& groups, const OffsetStore& offsets, const GroupSettings& settings)
      : groups_(groups), offsets_(offsets), settings_(settings) {}

  /// Topics have their name and their id. The caller resets the member's session (keeps_session()).
  OffsetResult<protocol::OffsetCommitResponse> commit(const protocol::OffsetCommitRequest& request,
                                                      std::int16_t version, std::int64_t now_ms) const;
  OffsetResult<protocol::TxnOffsetCommitResponse> commit_in_transaction(const protocol::TxnOffsetCommitRequest& request,
                                                                        std::int16_t version,
                                                                        std::int64_t now_ms) const;

  using FetchGroup = protocol::OffsetFetchRequest::OffsetFetchRequestGroup;
  using FetchedGroup = protocol::OffsetFetchResponse::OffsetFetchResponseGroup;
  /// Without topics: all offsets of the group. Topics have names, and ids from v10 on. `require_stable`:
  /// UNSTABLE_OFFSET_COMMIT where a transaction is open. An error is in `error_code`.
  FetchedGroup fetch(const FetchGroup& request, bool require_stable) const;

  OffsetResult<protocol::OffsetDeleteResponse> remove(const protocol::OffsetDeleteRequest& request) const;

  /// Tombstones of all offsets of a group that is deleted.
  void delete_all(const std::string& group, std::vector<coordinator::Record>& records) const;
  /// Tombstones of what has expired. True: nothing of the group is left.
  bool expire(const Group& group, std::int64_t now_ms, std::vector<coordinator::Record>& records) const;
  std::vector<coordinator::Record> delete_topics(const std::vector<metadata::TopicPointer>& topics) const;

 private:
  template <typename Response, typename Request>
  void add_commits(const Request& request, const Group* group, std::optional<std::int64_t> expire_timestamp_ms,
                   std::int64_t now_ms, OffsetResult<Response>& result) const;
  FetchedGroup fetch_all(const FetchGroup& request, bool require_stable) const;

  const GroupRegistry& groups_;
  const OffsetStore& offsets_;
  const GroupSettings& settings_;
};

}  // namespace dohle::groups
