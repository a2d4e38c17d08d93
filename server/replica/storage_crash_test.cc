// The whole storage of a broker (metadata log, log directories, partitions, compaction, upkeep) on a disk that loses
// power, fails, fills up, or whose process is killed, at random moments of random work; also in the middle of the
// recovery from the moment before. After each: what was acknowledged as durable is there, nothing is invented, nothing
// that was compacted away comes back (behaviours 178, 180, 189, 190, 193).
//
// DOHLE_SEED repeats a run, DOHLE_LONG makes it ten times as long (`make test-long`).
#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <random>

#include "protocol/record.h"
#include "server/log/batch_scanner.h"
#include "server/metadata/quorum_node.h"
#include "server/metadata/storage_format.h"
#include "server/replica/log_compaction.h"
#include "server/replica/replica_fixture.h"
#include "server/replica/replica_upkeep.h"

namespace dohle::replica {
namespace {

using dohle::testing::CrashMode;
using metadata::MetadataRecord;

/// The short form is the same each time: a rare finding of chance is for the long one, whose runs differ.
std::uint64_t seed_of_run() {
  static const char* given = std::getenv("DOHLE_SEED");
  static const bool is_long = std::getenv("DOHLE_LONG") != nullptr;
  static const std::uint64_t chosen = is_long ? std::random_device{}() : 1;
  return given != nullptr ? std::strtoull(given, nullptr, 10) : chosen;
}

/// What must be on the disk of one topic of one partition, as far as it was acknowledged.
struct Model {
  struct Written {
    std::string key;
    std::optional<std::string> value;
    bool operator==(const Written&) const = default;
  };
  std::string name;
  bool is_compacted = false;
  /// Everything that was ever sent, by offset; also what was not acknowledged, and what may be gone.
  std::map<std::int64_t, std::vector<Written>> sent;
  /// What was acknowledged, by offset.
  std::map<std::int64_t, Written> acknowledged;
  std::int64_t durable_end = 0;
  /// Nobody asked for the removal of anything from here on.
  std::int64_t removed_below = 0;
  /// The log start that a checkpoint on the disk has promised.
  std::int64_t durable_start = 0;
};

class Storage {
 public:
  Storage(dohle::testing::FakeDisk& disk, dohle::testing::FakeClock& clock) : disk_(disk), clock_(clock) {}

  void format() {
    metadata::FormatOptions options;
    options.cluster_id = "4L6g3nShT-eMCtK--X86sw";
    options.controller_endpoint = {.name = "CONTROLLER", .host = "localhost", .port = 9093, .security_protocol = 0};
    ASSERT_TRUE(metadata::format_directory(*disk_.directory("/meta"), true, options, clock_.wall_ms()));
    directory_id_ = *(*metadata::read_meta_properties(*disk_.directory("/meta")))->directory_id;
  }

  /// As a new process opens it: metadata first, then the logs.
  runtime::Status open() {
    close();
    metadata::QuorumNodeOptions options;
    options.cluster_id = "4L6g3nShT-eMCtK--X86sw";
    options.directory_id = directory_id_;
    options.segment_size_bytes_max = 4096;
    options.controller_endpoints = {{.name = "CONTROLLER", .host = "localhost", .port = 9093, .security_protocol = 0}};
    auto node = metadata::QuorumNode::open(disk_.directory("/meta"), options, clock_);
    if (!node) return std::unexpected(node.error());
    node_ = std::move(*node);
    directories_ =
        std::make_unique<log::LogDirectories>(std::vector{disk_.directory("/a"), disk_.directory("/b")}, clock_);
    for (std::uint8_t i = 0; i < 2; ++i) directories_->all()[i]->id = codec::Uuid::reserved(101 + i);
    DOHLE_RETURN_IF_ERROR(directories_->start());
    DOHLE_RETURN_IF_ERROR(node_->activate());
    log::LogDirectoriesOptions log_options;
    log_options.recovery_threads_per_directory = 1;
    log_options.config_of = [this](const std::string& topic) { return log_config_of(topic); };
    auto logs = directories_->load(std::move(log_options));
    if (!logs) return std::unexpected(logs.error());
    replicas_ = std::make_unique<ReplicaSet>(1, *directories_, config_);
    replicas_->start(*node_->image(), std::move(*logs));
    upkeep_ = std::make_unique<ReplicaUpkeep>(*replicas_, *directories_, config_, clock_);
    compaction_ = std::make_unique<LogCompaction>(*replicas_, *directories_, config_, clock_);
    // A log that could not be made or given its epoch now is one that the disk refused.
    runtime::Status found;
    node_->image()->topics->for_each([&](const metadata::TopicImage& topic) {
      const auto partition = replicas_->find(topic.id, 0);
      if (!partition || !partition->is_leader()) found = runtime::failure(runtime::ErrorKind::io, topic.name);
    });
    return found;
  }
  void close() {
    compaction_.reset();
    upkeep_.reset();
    replicas_.reset();
    directories_.reset();
    node_.reset();
  }

  log::LogConfig log_config_of(const std::string& topic) const {
    const auto& overrides = node_->image()->configs->configs({metadata::ConfigResourceType::topic, topic});
    auto made = config::make_log_config(*config_.current(), config::ConfigMap(overrides.begin(), overrides.end()));
    return made ? *made : log::LogConfig{};
  }

  metadata::QuorumNode& node() { return *node_; }
  ReplicaSet& replicas() { return *replicas_; }
  ReplicaUpkeep& upkeep() { return *upkeep_; }
  LogCompaction& compaction() { return *compaction_; }

 private:
  dohle::testing::FakeDisk& disk_;
  dohle::testing::FakeClock& clock_;
  runtime::Snapshot<config::BrokerConfig> config_{
      std::make_shared<config::BrokerConfig>(config::load_broker_config(config::sample_properties())->config)};
  codec::Uuid directory_id_;
  std::unique_ptr<metadata::QuorumNode> node_;
  std::unique_ptr<log::LogDirectories> directories_;
  std::unique_ptr<ReplicaSet> replicas_;
  std::unique_ptr<ReplicaUpkeep> upkeep_;
  std::unique_ptr<LogCompaction> compaction_;
};

class StorageCrash : public ::testing::TestWithParam<int> {
 protected:
  static constexpr std::size_t topics_max = 6;
  static constexpr int keys = 5;

  std::uint64_t pick(std::uint64_t below) { return random_() % below; }

  // --- The work ----------------------------------------------------------------------------------------------------
  void step() {
    const auto kind = pick(100);
    if (models_.empty() || (kind < 4 && models_.size() < topics_max)) return create_topic();
    if (kind < 6) return delete_topic();
    if (kind < 7) return snapshot();
    if (kind < 14) return upkeep();
    auto model = std::next(models_.begin(), static_cast<std::ptrdiff_t>(pick(models_.size())));
    const auto partition = storage_.replicas().find(model->first, 0);
    ASSERT_NE(partition, nullptr);
    if (kind < 66) return append(model->second, *partition);
    if (kind < 76) return flush(model->second, *partition);
    if (kind < 86) return roll(*partition);
    if (kind < 94) return clean();
    delete_records(model->second, *partition);
  }

  void commit(std::vector<MetadataRecord> records, const codec::Uuid& topic) {
    if (!storage_.node().commit(std::move(records))) return fail();
    storage_.replicas().apply(*storage_.node().image(), {topic});
  }
  void create_topic() {
    Model model;
    model.name = "t" + std::to_string(pick(3));  // names come again, with other ids
    for (const auto& [id, other] : models_) {
      if (other.name == model.name) return;
    }
    model.is_compacted = pick(2) == 0;
    codec::Uuid id;  // of the seed, so that a run repeats itself
    for (auto& byte : id.bytes) byte = static_cast<std::uint8_t>(pick(256));
    protocol::TopicRecord topic;
    topic.name = model.name;
    topic.topic_id = id;
    protocol::PartitionRecord partition;
    partition.topic_id = id;
    partition.partition_id = 0;
    partition.leader_epoch = partition.partition_epoch = 0;
    partition.replicas = partition.isr = {1};
    partition.directories = {codec::Uuid::reserved(static_cast<std::uint8_t>(101 + pick(2)))};
    partition.leader = 1;
    std::vector<MetadataRecord> records{{topic, 0}, {partition, 1}};
    const std::pair<const char*, const char*> configs[] = {
        {"cleanup.policy", model.is_compacted ? "compact" : "delete"},
        {"min.cleanable.dirty.ratio", "0"},
        {"delete.retention.ms", "200"},
        {"retention.bytes", model.is_compacted ? "-1" : "4000"},
        {"file.delete.delay.ms", "100"},
        {"segment.bytes", "1048576"},
        {"index.interval.bytes", "100"}};
    for (const auto& [key, value] : configs) {
      protocol::ConfigRecord config;
      config.resource_type = static_cast<std::int8_t>(metadata::ConfigResourceType::topic);
      config.resource_name = model.name;
      config.name = key;
      config.value = value;
      records.push_back({config, 0});
    }
    uncertain_ = {id, model};
    commit(std::move(records), id);
    if (failed_) return;
    uncertain_.reset();
    models_[id] = std::move(model);
    // The log itself could not be made: the broker says so for this topic, and goes on.
    if (!storage_.replicas().find(id, 0)) fail();
  }
  void delete_topic() {
    const auto model = std::next(models_.begin(), static_cast<std::ptrdiff_t>(pick(models_.size())));
    const auto id = model->first;
    protocol::RemoveTopicRecord removal;
    removal.topic_id = id;
    uncertain_ = *model;
    models_.erase(model);
    commit({{removal, 0}}, id);
    if (failed_) return;
    uncertain_.reset();
    if (disk_failures() > 0) fail();
  }
  void snapshot() {
    if (!storage_.node().write_snapshot()) fail();
  }
  /// Checkpoints, retention, files and directories whose time has come.
  void upkeep() {
    // Retention may take everything there is; how far it went is known when it comes back.
    const auto untouched = models_;
    for (auto& [id, model] : models_) {
      const auto partition = storage_.replicas().find(id, 0);
      if (!model.is_compacted) model.removed_below = std::max(model.removed_below, partition->log_end_offset());
    }
    const std::int64_t before = disk_failures();
    clock_.advance_ms(pick(2) == 0 ? 60'000 : 301'000);
    storage_.upkeep().run_due(clock_.monotonic_ms());
    note("upkeep");
    if (disk_failures() != before) return fail();
    for (auto& [id, model] : models_) {
      model.removed_below =
          std::max(untouched.at(id).removed_below, storage_.replicas().find(id, 0)->log_start_offset());
    }
  }
  std::int64_t disk_failures() {
    std::int64_t count = 0;
    storage_.replicas().for_each([&](const auto& partition) { count += partition->is_leader() ? 0 : 1; });
    for (const auto& directory : storage_.replicas().directories().all()) count += directory->online ? 0 : 1;
    return count;
  }

  void append(Model& model, Partition& partition) {
    std::vector<Model::Written> records(1 + pick(3));
    protocol::RecordBatchBuilder builder({});
    for (auto& record : records) {
      record.key = "k" + std::to_string(pick(keys));
      if (!model.is_compacted || pick(4) != 0) record.value = std::to_string(++values_) + std::string(pick(200), 'x');
      builder.append(clock_.wall_ms(), codec::as_bytes(record.key),
                     record.value ? std::optional(codec::as_bytes(*record.value)) : std::nullopt);
    }
    const auto end = partition.log_end_offset();
    for (std::size_t i = 0; i < records.size(); ++i)
      model.sent[end + static_cast<std::int64_t>(i)].push_back(records[i]);
    auto bytes = builder.build();
    log::LeaderAppend request;
    request.batches = bytes;
    const auto result = partition.append(request, -1);
    note(model.name + " append " + std::to_string(end) + "+" + std::to_string(records.size()));
    if (result.error == protocol::ErrorCode::kafka_storage_error) return result.disk_failed ? fail() : void();
    ASSERT_EQ(result.error, protocol::ErrorCode::none) << result.message;
    ASSERT_EQ(result.base_offset, end);
    for (std::size_t i = 0; i < records.size(); ++i) {
      model.acknowledged[end + static_cast<std::int64_t>(i)] = std::move(records[i]);
    }
  }
  void flush(Model& model, Partition& partition) {
    if (partition.flush() != protocol::ErrorCode::none) return fail();
    model.durable_end = partition.log_end_offset();
    note(model.name + " flushed to " + std::to_string(model.durable_end));
  }
  void roll(Partition& partition) {
    note(partition.topic() + " roll");
    const auto rolled = partition.with_log([](log::Log& log) { return log.roll(); });
    if (!rolled && rolled.error().kind != runtime::ErrorKind::no_space) fail();
  }
  void clean() {
    const std::int64_t before = disk_failures();
    clock_.advance_ms(150);
    storage_.compaction().clean_dirtiest();
    note("clean");
    if (disk_failures() != before) fail();
    // A failed read may look like damage; without one there is none.
    ASSERT_TRUE(may_fail_reads_ || storage_.compaction().uncleanable_count() == 0);
  }
  void delete_records(Model& model, Partition& partition) {
    if (model.is_compacted) return;
    const auto start = partition.log_start_offset();
    const auto target =
        start + static_cast<std::int64_t>(pick(static_cast<std::uint64_t>(partition.high_watermark() - start) + 1));
    model.removed_below = std::max(model.removed_below, target);
    note(model.name + " delete below " + std::to_string(target));
    if (partition.delete_records_before(target).error != protocol::ErrorCode::none) fail();
  }
  void fail() {
    failed_ = true;
    note("failed");
  }
  /// What was done since the last crash, for who reads a failure.
  void note(const std::string& what) { history_ += what + "; "; }

  // --- The checks --------------------------------------------------------------------------------------------------
  void check() {
    const auto image = storage_.node().image();
    std::map<codec::Uuid, std::string> found;
    image->topics->for_each([&](const metadata::TopicImage& topic) { found[topic.id] = topic.name; });
    // The change that was under way may have happened or not; everything else is as it was acknowledged.
    if (uncertain_ && found.contains(uncertain_->first)) models_.insert(*uncertain_);
    uncertain_.reset();
    ASSERT_EQ(found.size(), models_.size()) << "a topic is gone, or came back";
    for (auto& [id, model] : models_) {
      SCOPED_TRACE((model.is_compacted ? "compacted topic " : "topic ") + model.name);
      ASSERT_TRUE(found.contains(id) && found[id] == model.name) << "a topic is gone";
      ASSERT_EQ(image->configs->configs({metadata::ConfigResourceType::topic, model.name}).size(), 7U);
      const auto partition = storage_.replicas().find(id, 0);
      ASSERT_NE(partition, nullptr);
      check_records(model, *partition);
      if (HasFatalFailure()) return;
    }
  }

  void check_records(Model& model, Partition& partition) {
    std::map<std::int64_t, Model::Written> found;
    read_all(partition, found);
    if (HasFatalFailure()) return;
    const auto durable_end = mode_ == CrashMode::kill_process && !failed_ ? end_of(model) : model.durable_end;
    // A log start that can't be read in a recovery counts as none, in Kafka too: a log whose records were all removed
    // by request may then begin anew.
    if (!is_recovery_disturbed_ || model.removed_below < durable_end) {
      ASSERT_GE(partition.log_end_offset(), durable_end) << "the end of the log went back";
    }
    ASSERT_LE(partition.log_start_offset(), std::max(model.removed_below, std::int64_t{0}))
        << "more was removed than asked";
    for (const auto& [offset, record] : found) {
      const auto sent = model.sent.find(offset);
      ASSERT_TRUE(sent != model.sent.end() && std::ranges::find(sent->second, record) != sent->second.end())
          << "invented: the record at " << offset;
    }
    for (const auto& [offset, record] : model.acknowledged) {
      if (model.is_compacted || offset >= durable_end || offset < model.removed_below) continue;
      ASSERT_TRUE(found.contains(offset))
          << "the record at " << offset << " is gone; start " << partition.log_start_offset() << ", end "
          << partition.log_end_offset() << ", removed below " << model.removed_below << ", durable to " << durable_end
          << ", first found " << (found.empty() ? -1 : found.begin()->first);
      ASSERT_EQ(found[offset], record);
    }
    if (model.is_compacted) check_keys(model, found, durable_end);
    // What is there now is what is known from here on, and reached the disk or the page cache.
    model.acknowledged.clear();
    // A log start may go back to what the checkpoint says, and show again what lies below it now.
    std::erase_if(model.sent, [&](const auto& entry) { return entry.first >= partition.log_start_offset(); });
    for (const auto& [offset, record] : found) {
      model.acknowledged[offset] = record;
      model.sent[offset].push_back(record);
    }
    model.durable_end = std::min(model.durable_end, partition.log_end_offset());
  }
  static std::int64_t end_of(const Model& model) {
    return model.acknowledged.empty() ? model.durable_end
                                      : std::max(model.durable_end, model.acknowledged.rbegin()->first + 1);
  }
  /// Who reads all of a compacted log learns the last value of each key that was durable, or a newer one.
  void check_keys(const Model& model, const std::map<std::int64_t, Model::Written>& found, std::int64_t durable_end) {
    std::map<std::string, std::pair<std::int64_t, std::optional<std::string>>> last;
    for (const auto& [offset, record] : model.acknowledged) {
      if (offset < durable_end) last[record.key] = {offset, record.value};
    }
    std::map<std::string, std::pair<std::int64_t, std::optional<std::string>>> view;
    for (const auto& [offset, record] : found) view[record.key] = {offset, record.value};
    for (const auto& [key, expected] : last) {
      const auto seen = view.find(key);
      if (seen == view.end()) {
        // A tombstone may be gone; one that was never flushed here was, before it was compacted.
        const bool was_removed = std::ranges::any_of(model.acknowledged, [&](const auto& entry) {
          return entry.first >= expected.first && entry.second.key == key && !entry.second.value;
        });
        ASSERT_TRUE(was_removed) << key << " is gone, last written at " << expected.first;
        continue;
      }
      ASSERT_GE(seen->second.first, expected.first) << key << ": an old value came back";
    }
  }

  void read_all(const Partition& partition, std::map<std::int64_t, Model::Written>& found) {
    const auto& log = partition.log();
    std::int64_t offset = log.log_start_offset();
    const auto end = log.log_end_offset();
    while (offset < end) {
      const auto read =
          log.read({.offset = offset, .size_bytes_max = 2000, .bound_offset = end, .at_least_one_batch = true});
      ASSERT_TRUE(read && !read->out_of_range);
      if (read->slice.file == nullptr) break;
      log::BatchScanner scanner(*read->slice.file, read->slice.position_bytes,
                                read->slice.position_bytes + read->slice.size_bytes);
      for (auto header = scanner.next(); header && *header; header = scanner.next()) {
        ASSERT_TRUE(*scanner.crc_is_right());
        const protocol::RecordBatch batch(*scanner.batch());
        protocol::RecordReader reader(batch, 1 << 20);
        protocol::Record record;
        const auto text = [](codec::Bytes b) { return std::string(b.begin(), b.end()); };
        while (reader.next(record)) {
          if (record.offset < log.log_start_offset()) continue;
          found[record.offset] = {text(*record.key), record.value ? std::optional(text(*record.value)) : std::nullopt};
        }
        ASSERT_GT((*header)->next_offset(), offset - 1);
        offset = (*header)->next_offset();
      }
    }
  }

  // --- The run -----------------------------------------------------------------------------------------------------
  void crash() {
    // After a sync that failed the page cache may hold what the disk never will: a process that is killed then, and
    // not the machine, would believe it. Nobody can tell, so that is left out.
    const CrashMode modes[] = {CrashMode::lose_unsynced, CrashMode::lose_some, CrashMode::kill_process};
    mode_ = modes[pick(failed_ ? 2 : 3)];
    note("crash " + std::to_string(static_cast<int>(mode_)));
    disk_.clear_failures();
    disk_.set_capacity(UINT64_MAX);
    disk_.crash(mode_);
  }
  /// Crashes again in the middle of some recoveries.
  void recover() {
    is_recovery_disturbed_ = false;
    for (int attempt = 0; attempt < 3 && pick(4) == 0; ++attempt) {
      is_recovery_disturbed_ = true;
      disk_.fail_call(1 + pick(150), EIO);
      if (storage_.open()) return disk_.clear_failures();
      note("crash in recovery");
      disk_.clear_failures();
      disk_.crash(pick(2) == 0 ? CrashMode::lose_unsynced : CrashMode::lose_some);
      // Nothing new was written; but what was only in the page cache is not safe any more.
      if (mode_ == CrashMode::kill_process) mode_ = CrashMode::lose_some;
    }
    const auto opened = storage_.open();
    ASSERT_TRUE(opened) << opened.error().message;
  }
  void work() {
    failed_ = false;
    const auto kind = pick(4);
    may_fail_reads_ = kind == 0;
    switch (kind) {
      case 0:
        disk_.fail_call(1 + pick(200), EIO, std::nullopt, pick(60));
        break;
      case 1:
        disk_.fail_call(1 + pick(200), ENOSPC, dohle::testing::DiskCall::write, pick(60));
        break;
      case 2:
        if (pick(3) == 0) disk_.set_capacity(disk_.used_bytes() + pick(4000));
        break;
      default:
        break;
    }
    const auto steps = pick(60);
    for (std::uint64_t i = 0; i < steps && !failed_ && !HasFatalFailure(); ++i) step();
  }

  const std::uint64_t seed_ = seed_of_run() * 1000 + static_cast<std::uint64_t>(GetParam());
  std::mt19937_64 random_{seed_};
  dohle::testing::FakeDisk disk_{seed_};
  dohle::testing::FakeClock clock_;
  Storage storage_{disk_, clock_};
  std::map<codec::Uuid, Model> models_;
  /// The creation or deletion of a topic that was not acknowledged.
  std::optional<std::pair<codec::Uuid, Model>> uncertain_;
  CrashMode mode_ = CrashMode::kill_process;
  std::uint64_t values_ = 0;
  bool failed_ = false;
  bool may_fail_reads_ = false;
  bool is_recovery_disturbed_ = false;
  std::string history_;
  std::string before_;
};

/// A hundred crashes each, on a disk of its own: directories that only grow make each start slower.
int rounds() {
  return std::getenv("DOHLE_LONG") != nullptr ? 120 : 10;
}

TEST_P(StorageCrash, WhatWasAcknowledgedIsThereAfterEveryCrash) {
  std::cout << "storage crashes: DOHLE_SEED=" << seed_of_run() << ", round " << GetParam() << std::endl;
  SCOPED_TRACE("DOHLE_SEED=" + std::to_string(seed_of_run()) + ", round " + std::to_string(GetParam()));
  storage_.format();
  for (int crash_number = 0; crash_number < 100 && !HasFatalFailure(); ++crash_number) {
    SCOPED_TRACE("crash " + std::to_string(crash_number));
    recover();
    if (!HasFatalFailure()) check();
    if (HasFatalFailure()) std::cout << before_ << "\n" << history_ << std::endl;
    before_ = std::exchange(history_, {});
    if (!HasFatalFailure()) work();
    storage_.close();
    crash();
  }
}

INSTANTIATE_TEST_SUITE_P(Rounds, StorageCrash, ::testing::Range(0, rounds()));

}  // namespace
}  // namespace dohle::replica
