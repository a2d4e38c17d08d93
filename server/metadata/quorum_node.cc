#include "server/metadata/quorum_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "server/metadata/image_writer.h"
#include "server/metadata/metadata_batch.h"
#include "server/metadata/metadata_loader.h"
#include "server/metadata/metadata_log.h"
#include "server/metadata/quorum_state.h"
#include "server/metadata/snapshot_file.h"
#include "server/metadata/storage_format.h"
#include "server/metadata/supported_features.h"
#include "server/runtime/check.h"

namespace dohle::metadata {

using runtime::ErrorKind;
using runtime::Status;

namespace {

constexpr const char* legacy_bootstrap_name = "bootstrap.checkpoint";
/// Of a batch that need not be atomic (QuorumController's maxRecordsPerBatch).
constexpr std::size_t records_per_batch_max = 10'000;
constexpr std::int16_t metadata_transaction_version = 13;
constexpr std::int16_t controller_registration_version = 15;

/// The last thing that log and snapshots say of kraft.version and the voters, and where.
struct KRaftState {
  std::int16_t version = 0;
  std::optional<protocol::VotersRecord> voters;
  std::int64_t voters_offset = -1;  // -1: only the bootstrap snapshot says it
};

void take_control_messages(const MetadataBatch& batch, KRaftState& state) {
  std::int64_t offset = batch.base_offset;
  for (const ControlMessage& message : batch.control_messages) {
    if (const auto* version = std::get_if<protocol::KRaftVersionRecord>(&message)) {
      state.version = version->kraft_version;
    } else if (const auto* voters = std::get_if<protocol::VotersRecord>(&message)) {
      state.voters = *voters;
      state.voters_offset = offset;
    }
    ++offset;
  }
}

std::int16_t bootstrap_level(const std::vector<MetadataRecord>& records, std::string_view feature) {
  for (const MetadataRecord& record : records) {
    const auto* level = std::get_if<protocol::FeatureLevelRecord>(&record.message);
    if (level != nullptr && level->name == feature) return level->feature_level;
  }
  return 0;
}

}  // namespace

struct QuorumNode::State {
  std::shared_ptr<runtime::Directory> directory;      // the metadata log directory
  std::shared_ptr<runtime::Directory> log_directory;  // __cluster_metadata-0 in it
  QuorumNodeOptions options;
  runtime::Clock* clock = nullptr;
  MetadataLoader loader;
  std::unique_ptr<MetadataLog> log;
  ImagePointer image;
  KRaftState kraft;
  std::vector<MetadataRecord> bootstrap;
  SnapshotId last_snapshot;
  std::int64_t last_snapshot_ms = 0;
  std::uint64_t bytes_since_snapshot = 0;
  std::int32_t epoch = 0;
  bool leader = false;

  Status load_snapshots();
  Status load_log();
  Status check_voters() const;
  Status persist_election();
  Status remove_leftovers();
  protocol::VotersRecord::Voter local_voter() const;
  std::vector<ControlMessage> start_of_epoch() const;
  std::vector<MetadataRecord> activation_records() const;
  Status append(codec::Bytes batches, std::int64_t next_offset, std::int64_t timestamp_ms);
  Status append_control(const std::vector<ControlMessage>& messages);
};

// --- Open ----------------------------------------------------------------------------------------------------------

Status QuorumNode::State::load_snapshots() {
  const auto ids = list_snapshots(*log_directory);
  if (!ids) return std::unexpected(ids.error());
  for (const SnapshotId& id : *ids) {
    const bool newest = id == ids->back();
    if (id != bootstrap_snapshot_id && !newest) continue;
    auto snapshot = read_snapshot(*log_directory, id);
    if (!snapshot) return std::unexpected(snapshot.error());
    if (snapshot->voters || snapshot->kraft_version > 0) {
      kraft = {snapshot->kraft_version, snapshot->voters, id == bootstrap_snapshot_id ? -1 : id.offset - 1};
    }
    if (id == bootstrap_snapshot_id) {
      // What a new cluster begins with: no state until the first leader has written it to the log.
      bootstrap = std::move(snapshot->records);
      continue;
    }
    DOHLE_RETURN_IF_ERROR(loader.load_snapshot(*snapshot));
    last_snapshot = id;
  }
  // Releases before 4.4 kept the bootstrap records in a file of their own; it wins where it is.
  const auto legacy = directory->exists(legacy_bootstrap_name);
  if (!legacy) return std::unexpected(legacy.error());
  if (!*legacy) return {};
  const auto content = directory->read_file(legacy_bootstrap_name);
  if (!content) return std::unexpected(content.error());
  auto parsed =
      parse_snapshot(codec::as_bytes(*content), bootstrap_snapshot_id, directory->path() + "/" + legacy_bootstrap_name);
  if (!parsed) return std::unexpected(parsed.error());
  bootstrap = std::move(parsed->records);
  return {};
}

Status QuorumNode::State::load_log() {
  auto opened = MetadataLog::open(log_directory, 0, [this](const MetadataBatch& batch) -> Status {
    take_control_messages(batch, kraft);
    if (batch.last_offset < last_snapshot.offset) return {};
    bytes_since_snapshot += batch.size_bytes;
    return loader.load_batch(batch);
  });
  if (!opened) return std::unexpected(opened.error());
  log = std::move(*opened);
  if (log->start_offset() > last_snapshot.offset) {
    return runtime::failure(ErrorKind::corrupt,
                            fmt::format("{}: the log begins at offset {}, and there is no snapshot at or after it",
                                        log_directory->path(), log->start_offset()));
  }
  image = loader.publish();
  const auto level = image->features->metadata_version;
  if (level && (*level < metadata_version_min || *level > metadata_version_latest)) {
    return runtime::failure(ErrorKind::corrupt, fmt::format("metadata.version {} is not supported", *level));
  }
  return {};
}

Status QuorumNode::State::check_voters() const {
  const auto refuse = [](std::string why) { return runtime::failure(ErrorKind::invalid, std::move(why)); };
  if (kraft.version == 0) {
    if (options.static_voters.empty()) {
      return refuse(
          "There is no voter set: controller.quorum.voters is empty and the directory was formatted without "
          "--standalone.");
    }
    if (options.static_voters.size() != 1 || !options.static_voters.contains(options.node_id)) {
      return refuse("controller.quorum.voters must name this node alone.");
    }
    return {};
  }
  if (!kraft.voters) return refuse("kraft.version is 1, but neither log nor checkpoint has a voter set.");
  const auto& voters = kraft.voters->voters;
  if (voters.size() != 1 || voters.front().voter_id != options.node_id ||
      voters.front().voter_directory_id != options.directory_id) {
    return refuse(fmt::format("The voter set of {} is not this node with directory {} alone.", log_directory->path(),
                              options.directory_id.to_string()));
  }
  return {};
}

QuorumNode::QuorumNode(std::unique_ptr<State> state) : state_(std::move(state)) {}
QuorumNode::~QuorumNode() = default;

runtime::Status QuorumNode::close() {
  return state_->log->close();
}

runtime::Result<std::unique_ptr<QuorumNode>> QuorumNode::open(std::shared_ptr<runtime::Directory> directory,
                                                              QuorumNodeOptions options, runtime::Clock& clock) {
  auto state = std::make_unique<State>();
  auto log_directory = directory->subdirectory(cluster_metadata_directory, true);
  if (!log_directory) return std::unexpected(log_directory.error());
  state->directory = std::move(directory);
  state->log_directory = std::move(*log_directory);
  state->options = std::move(options);
  state->clock = &clock;
  state->last_snapshot_ms = clock.wall_ms();
  DOHLE_RETURN_IF_ERROR(state->load_snapshots());
  DOHLE_RETURN_IF_ERROR(state->load_log());
  DOHLE_RETURN_IF_ERROR(state->check_voters());
  return std::unique_ptr<QuorumNode>(new QuorumNode(std::move(state)));
}

// --- Activation ----------------------------------------------------------------------------------------------------

Status QuorumNode::State::remove_leftovers() {
  const auto entries = log_directory->list();
  if (!entries) return std::unexpected(entries.error());
  for (const runtime::DirectoryEntry& entry : *entries) {
    const std::string_view name = entry.name;
    if (name.ends_with(".checkpoint.part") || name.ends_with(".checkpoint.deleted")) {
      DOHLE_RETURN_IF_ERROR(log_directory->remove(entry.name));
    }
  }
  return {};
}

/// Votes for itself in the next epoch, then is its leader: the sole voter needs nobody else. Both are on the disk
/// before anything is appended in that epoch, so that no epoch is ever used twice.
Status QuorumNode::State::persist_election() {
  const auto former = read_quorum_state(*log_directory);
  if (!former) return std::unexpected(former.error());
  epoch = std::max(*former ? (*former)->leader_epoch : 0, log->last_epoch());
  epoch = std::max({epoch, last_snapshot.epoch, 0}) + 1;
  QuorumState state;
  state.data_version = kraft.version > 0 ? 1 : 0;
  if (state.data_version == 0) state.current_voters = {options.node_id};
  state.leader_epoch = epoch;
  state.voted_id = options.node_id;
  if (state.data_version == 1) state.voted_directory_id = options.directory_id;
  DOHLE_RETURN_IF_ERROR(write_quorum_state(*log_directory, state));
  state.leader_id = options.node_id;
  state.voted_id = -1;
  state.voted_directory_id = {};
  return write_quorum_state(*log_directory, state);
}

protocol::VotersRecord::Voter QuorumNode::State::local_voter() const {
  protocol::VotersRecord::Voter voter;
  voter.voter_id = options.node_id;
  voter.voter_directory_id = options.directory_id;
  for (const Endpoint& listener : options.controller_endpoints) {
    protocol::VotersRecord::Endpoint endpoint;
    endpoint.name = listener.name;
    endpoint.host = listener.host;
    endpoint.port = listener.port;
    voter.endpoints.push_back(std::move(endpoint));
  }
  voter.kraft_version_feature.min_supported_version = supported_features().at("kraft.version").min;
  voter.kraft_version_feature.max_supported_version = supported_features().at("kraft.version").max;
  return voter;
}

std::vector<ControlMessage> QuorumNode::State::start_of_epoch() const {
  protocol::LeaderChangeMessage leader_change;
  leader_change.leader_id = options.node_id;
  protocol::LeaderChangeMessage::Voter self;
  self.voter_id = options.node_id;
  leader_change.voters.push_back(self);
  leader_change.granting_voters.push_back(self);
  std::vector<ControlMessage> messages{std::move(leader_change)};
  if (kraft.version == 0) return messages;
  // The voters are written where the log has never had them, or they say something else of us (KIP-853).
  protocol::VotersRecord voters;
  voters.voters.push_back(local_voter());
  if (kraft.voters_offset >= 0 && kraft.voters == voters) return messages;
  protocol::KRaftVersionRecord version;
  version.kraft_version = kraft.version;
  messages.emplace_back(std::move(version));
  messages.emplace_back(std::move(voters));
  return messages;
}

std::vector<MetadataRecord> QuorumNode::State::activation_records() const {
  std::vector<MetadataRecord> records;
  if (loader.transaction_start()) {
    protocol::AbortTransactionRecord abort;
    abort.reason = "Controller failover";
    records.push_back({std::move(abort), 0});
  }
  if (image->features->metadata_version) return records;
  const bool transaction = bootstrap_level(bootstrap, "metadata.version") >= metadata_transaction_version;
  if (transaction) {
    protocol::BeginTransactionRecord begin;
    begin.name = "Bootstrap records";
    records.push_back({std::move(begin), 0});
  }
  records.insert(records.end(), bootstrap.begin(), bootstrap.end());
  if (bootstrap_level(bootstrap, "eligible.leader.replicas.version") > 0) {
    protocol::ConfigRecord config;
    config.resource_type = static_cast<std::int8_t>(ConfigResourceType::broker);
    config.name = "min.insync.replicas";
    config.value = std::to_string(options.default_min_insync_replicas);
    records.push_back({std::move(config), 0});
  }
  if (transaction) records.push_back({protocol::EndTransactionRecord{}, 0});
  return records;
}

Status QuorumNode::State::append(codec::Bytes batches, std::int64_t next_offset, std::int64_t timestamp_ms) {
  DOHLE_RETURN_IF_ERROR(log->append(batches, next_offset, epoch, timestamp_ms));
  bytes_since_snapshot += batches.size();
  return {};
}

Status QuorumNode::State::append_control(const std::vector<ControlMessage>& messages) {
  const std::int64_t base_offset = log->end_offset();
  const auto now_ms = clock->wall_ms();
  const auto bytes = build_control_batch(messages, base_offset, epoch, now_ms);
  DOHLE_RETURN_IF_ERROR(append(bytes, base_offset + static_cast<std::int64_t>(messages.size()), now_ms));
  const auto batch = read_batch(bytes);
  CHECK(batch.has_value());
  take_control_messages(*batch, kraft);
  DOHLE_RETURN_IF_ERROR(loader.load_batch(*batch));
  image = loader.publish();
  return {};
}

runtime::Status QuorumNode::activate() {
  State& state = *state_;
  CHECK(!state.leader);
  if (!state.image->features->metadata_version && bootstrap_level(state.bootstrap, "metadata.version") == 0) {
    return runtime::failure(ErrorKind::corrupt,
                            fmt::format("{}: neither the log nor a bootstrap snapshot says the metadata.version",
                                        state.log_directory->path()));
  }
  DOHLE_RETURN_IF_ERROR(state.remove_leftovers());
  DOHLE_RETURN_IF_ERROR(state.log->begin(state.last_snapshot.offset, state.options.segment_size_bytes_max));
  DOHLE_RETURN_IF_ERROR(state.persist_election());
  state.leader = true;
  DOHLE_RETURN_IF_ERROR(state.append_control(state.start_of_epoch()));
  if (auto committed = commit(state.activation_records()); !committed) return std::unexpected(committed.error());
  if (state.image->features->metadata_version.value_or(0) < controller_registration_version) return {};

  protocol::RegisterControllerRecord record;
  record.controller_id = state.options.node_id;
  record.incarnation_id = codec::Uuid::random();
  for (const Endpoint& endpoint : state.options.controller_endpoints) {
    protocol::RegisterControllerRecord::ControllerEndpoint wire;
    wire.name = endpoint.name;
    wire.host = endpoint.host;
    wire.port = endpoint.port;
    wire.security_protocol = endpoint.security_protocol;
    record.end_points.push_back(std::move(wire));
  }
  for (const auto& [name, range] : supported_features()) {
    protocol::RegisterControllerRecord::ControllerFeature wire;
    wire.name = name;
    wire.min_supported_version = range.min;
    wire.max_supported_version = range.max;
    record.features.push_back(std::move(wire));
  }
  auto committed = commit({{std::move(record), 0}});
  return committed ? Status{} : std::unexpected(committed.error());
}

// --- Running -------------------------------------------------------------------------------------------------------

runtime::Result<std::int64_t> QuorumNode::commit(std::vector<MetadataRecord> records) {
  State& state = *state_;
  CHECK(state.leader);
  if (records.empty()) return last_applied_offset();
  std::vector<std::uint8_t> bytes;
  std::vector<MetadataBatch> batches;
  std::int64_t offset = state.log->end_offset();
  const std::int64_t now_ms = state.clock->wall_ms();
  for (std::size_t begin = 0; begin < records.size(); begin += records_per_batch_max) {
    const std::size_t end = std::min(begin + records_per_batch_max, records.size());
    MetadataBatch batch;
    batch.base_offset = offset;
    batch.epoch = state.epoch;
    batch.max_timestamp_ms = now_ms;
    batch.records.assign(std::make_move_iterator(records.begin() + static_cast<std::ptrdiff_t>(begin)),
                         std::make_move_iterator(records.begin() + static_cast<std::ptrdiff_t>(end)));
    const auto encoded = build_data_batch(batch.records, offset, state.epoch, now_ms);
    bytes.insert(bytes.end(), encoded.begin(), encoded.end());
    offset += static_cast<std::int64_t>(batch.records.size());
    batch.last_offset = offset - 1;
    batches.push_back(std::move(batch));
  }
  DOHLE_RETURN_IF_ERROR(state.append(bytes, offset, now_ms));
  for (const MetadataBatch& batch : batches) DOHLE_RETURN_IF_ERROR(state.loader.load_batch(batch));
  state.image = state.loader.publish();
  DOHLE_RETURN_IF_ERROR(snapshot_if_due());
  return last_applied_offset();
}

runtime::Status QuorumNode::snapshot_if_due() {
  State& state = *state_;
  const std::int64_t age_ms = state.clock->wall_ms() - state.last_snapshot_ms;
  const std::int64_t interval_ms = state.options.snapshot_interval_ms_max;
  const bool grown = state.bytes_since_snapshot >= state.options.record_bytes_between_snapshots_max;
  const bool old = interval_ms > 0 && age_ms >= interval_ms;
  return grown || old ? write_snapshot() : Status{};
}

runtime::Status QuorumNode::write_snapshot() {
  State& state = *state_;
  const MetadataProvenance& provenance = state.image->provenance;
  const SnapshotId id{provenance.last_contained_offset + 1, provenance.last_contained_epoch};
  if (id.offset <= state.last_snapshot.offset || state.loader.transaction_start() ||
      !state.image->features->metadata_version) {
    return {};
  }
  Snapshot snapshot;
  snapshot.id = id;
  snapshot.last_contained_log_timestamp_ms = provenance.last_contained_timestamp_ms;
  snapshot.kraft_version = state.kraft.version;
  if (state.kraft.version > 0) snapshot.voters = state.kraft.voters;
  snapshot.records = image_to_records(*state.image);
  DOHLE_RETURN_IF_ERROR(metadata::write_snapshot(*state.log_directory, snapshot, state.clock->wall_ms()));
  state.last_snapshot = id;
  state.last_snapshot_ms = state.clock->wall_ms();
  state.bytes_since_snapshot = 0;
  return {};
}

ImagePointer QuorumNode::image() const {
  return state_->image;
}
std::int64_t QuorumNode::next_offset() const {
  return state_->log->end_offset();
}
std::int64_t QuorumNode::last_applied_offset() const {
  return state_->image->provenance.last_contained_offset;
}
std::int32_t QuorumNode::leader_epoch() const {
  return state_->epoch;
}
std::int16_t QuorumNode::kraft_version() const {
  return state_->kraft.version;
}
std::int32_t QuorumNode::node_id() const {
  return state_->options.node_id;
}
const std::string& QuorumNode::cluster_id() const {
  return state_->options.cluster_id;
}
const QuorumNodeOptions& QuorumNode::options() const {
  return state_->options;
}

}  // namespace dohle::metadata
