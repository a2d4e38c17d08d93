// `quorum-state` in the metadata log's directory: the raft epoch that this node has seen and whom it voted for. It is
// written, and synced, before anything is done in a new epoch. One JSON line, in the field order that Kafka writes.
// Source: org.apache.kafka.raft.FileQuorumStateStore, QuorumStateData v0 (kraft.version 0) and v1 (kraft.version 1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/uuid.h"
#include "server/runtime/file.h"
#include "server/runtime/result.h"

namespace dohle::metadata {

inline constexpr const char* quorum_state_name = "quorum-state";

struct QuorumState {
  std::int16_t data_version = 1;
  std::int32_t leader_id = -1;
  std::int32_t leader_epoch = -1;
  std::int32_t voted_id = -1;
  codec::Uuid voted_directory_id;            // v1
  std::string cluster_id;                    // v0; Kafka leaves it empty
  std::int64_t applied_offset = 0;           // v0; Kafka leaves it 0
  std::vector<std::int32_t> current_voters;  // v0
  bool operator==(const QuorumState&) const = default;
};

/// corrupt: not one JSON object with the fields of its data_version; `path` is for the message.
runtime::Result<QuorumState> parse_quorum_state(std::string_view text, const std::string& path);
/// Byte for byte what Kafka writes; no newline at the end.
std::string format_quorum_state(const QuorumState& state);

/// nullopt if there is none: a directory that was formatted and never started.
runtime::Result<std::optional<QuorumState>> read_quorum_state(runtime::Directory& directory);
/// On the disk when it returns.
runtime::Status write_quorum_state(runtime::Directory& directory, const QuorumState& state);

}  // namespace dohle::metadata
