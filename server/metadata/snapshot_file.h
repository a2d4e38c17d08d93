// `<end offset>-<epoch>.checkpoint` in the metadata log's directory: a SnapshotHeader control batch (with KRaftVersion
// and Voters where the quorum is dynamic), batches of records, a SnapshotFooter batch. Written beside under a `.part`
// name, synced, made read-only in effect by the rename. Snapshot 0-0 is the bootstrap: its records are what a new
// cluster begins with, not state (KIP-1170). Source: org.apache.kafka.snapshot.RecordsSnapshotWriter,
// FileRawSnapshotWriter, Snapshots.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/metadata/metadata_batch.h"
#include "server/metadata/metadata_record.h"
#include "server/runtime/file.h"
#include "server/runtime/result.h"

namespace dohle::metadata {

/// Where a snapshot ends: everything below `offset`, the last of it in `epoch`.
struct SnapshotId {
  std::int64_t offset = 0;
  std::int32_t epoch = 0;
  auto operator<=>(const SnapshotId&) const = default;
};

inline constexpr SnapshotId bootstrap_snapshot_id{0, 0};

struct Snapshot {
  SnapshotId id;
  std::int64_t last_contained_log_timestamp_ms = 0;
  /// kraft.version and the voters are there together, from kraft.version 1 on.
  std::int16_t kraft_version = 0;
  std::optional<protocol::VotersRecord> voters;
  std::vector<MetadataRecord> records;
};

std::string snapshot_file_name(const SnapshotId& id);
/// nullopt for a name that is not one of a finished snapshot.
std::optional<SnapshotId> parse_snapshot_file_name(std::string_view name);

/// The whole file. All batches carry `now_ms` and the snapshot's epoch.
std::vector<std::uint8_t> format_snapshot(const Snapshot& snapshot, std::int64_t now_ms);
/// corrupt: a batch that is not whole, a missing header or footer, a record that we do not understand. `path` is for
/// the message.
runtime::Result<Snapshot> parse_snapshot(codec::Bytes bytes, const SnapshotId& id, const std::string& path);

/// The ids of the finished snapshots in the directory, oldest first.
runtime::Result<std::vector<SnapshotId>> list_snapshots(const runtime::Directory& directory);
runtime::Result<Snapshot> read_snapshot(runtime::Directory& directory, const SnapshotId& id);
/// The file is there whole, and on the disk, or not at all.
runtime::Status write_snapshot(runtime::Directory& directory, const Snapshot& snapshot, std::int64_t now_ms);

}  // namespace dohle::metadata
