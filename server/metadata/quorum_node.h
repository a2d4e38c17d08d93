// The one voter of a combined-mode node: it owns `__cluster_metadata-0` and `quorum-state`, becomes leader of a new
// epoch at each start, appends what the Controller decides, and replays it into new images. With kraft.md 1.5's order:
//
//   open -> activate -> (BrokerLifecycle: register, then unfence once the broker's logs are recovered) -> commit ... ->
//   (BrokerLifecycle: stop)
//
// Driven from one thread (the controller's home); every call may block on the disk. A failure of the metadata directory
// ends the process: after an error from here nothing may be called but the destructor.
// Source: org.apache.kafka.raft.KafkaRaftClient and QuorumController, as far as a single voter goes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/metadata/controller.h"
#include "server/metadata/metadata_image.h"
#include "server/metadata/metadata_record.h"
#include "server/runtime/clock.h"
#include "server/runtime/file.h"
#include "server/runtime/result.h"

namespace dohle::metadata {

struct QuorumNodeOptions {
  std::int32_t node_id = 1;
  std::string cluster_id;
  codec::Uuid directory_id;                                     // of the metadata directory, from its meta.properties
  std::vector<Endpoint> controller_endpoints;                   // advertised, controller.listener.names in order
  std::int32_t default_min_insync_replicas = 1;                 // min.insync.replicas of server.properties
  std::uint64_t segment_size_bytes_max = 1 << 30;               // metadata.log.segment.bytes
  std::uint64_t record_bytes_between_snapshots_max = 20 << 20;  // metadata.log.max.record.bytes.between.snapshots
  std::int64_t snapshot_interval_ms_max = 3'600'000;            // metadata.log.max.snapshot.interval.ms; 0: never
  std::map<std::int32_t, Endpoint> static_voters;               // controller.quorum.voters; empty: dynamic quorum
};

class QuorumNode {
 public:
  /// `directory` is the metadata log directory (metadata.log.dir or the first of log.dirs), formatted. Reads the newest
  /// snapshot and the log, cuts a torn tail and replays. Errors: corrupt for a record or a metadata.version that we do
  /// not understand: nothing has been written then (a torn tail is only cut after everything before it was understood);
  /// invalid for a voter set that is not this node alone.
  static runtime::Result<std::unique_ptr<QuorumNode>> open(std::shared_ptr<runtime::Directory> directory,
                                                           QuorumNodeOptions options, runtime::Clock& clock);
  ~QuorumNode();

  /// Becomes leader: epoch + 1 into quorum-state (synced), LeaderChange and, where KIP-853 wants them, KRaftVersion and
  /// Voters; an open transaction is aborted; the bootstrap records are written if there is no metadata.version yet;
  /// RegisterController.
  runtime::Status activate();

  /// Everything committed so far. Never null.
  ImagePointer image() const;

  /// Appends the records as one batch, syncs, replays. Answers with the offset of the last. No records: nothing
  /// happens, and the answer is last_applied_offset().
  runtime::Result<std::int64_t> commit(std::vector<MetadataRecord> records);

  /// Where the next record will lie: register_broker's `next_offset`.
  std::int64_t next_offset() const;
  /// finalized_features_epoch of ApiVersions.
  std::int64_t last_applied_offset() const;
  std::int32_t leader_epoch() const;
  /// The finalized level of kraft.version: 0 with static voters, 1 with a dynamic quorum.
  std::int16_t kraft_version() const;
  std::int32_t node_id() const;
  const std::string& cluster_id() const;
  const QuorumNodeOptions& options() const;

  /// Writes a snapshot now if one is due; commit() does it by itself when the log has grown enough.
  runtime::Status snapshot_if_due();
  /// Writes one in any case, unless nothing was appended since the last.
  runtime::Status write_snapshot();

  /// At a clean stop, after the last commit: completes the log's indexes.
  runtime::Status close();

 private:
  struct State;
  explicit QuorumNode(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace dohle::metadata
