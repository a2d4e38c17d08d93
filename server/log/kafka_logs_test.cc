// Directories that Apache Kafka 4.4.0 left (testdata/kafka_logs.tar.xz, made by make_kafka_logs.py), after a clean stop
// and after kill -9: what we read there is what DumpLogSegments says.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <tuple>

#include "server/log/batch_scanner.h"
#include "server/log/checkpoint_file.h"
#include "server/log/clean_shutdown_file.h"
#include "server/log/log.h"
#include "server/log/partition_metadata_file.h"
#include "server/testing/fake_clock.h"
#include "server/testing/scratch_directory.h"

namespace dohle::log {
namespace {

namespace fs = std::filesystem;

fs::path archive() {
  for (fs::path top = fs::current_path();; top = top.parent_path()) {
    const fs::path found = top / "server/log/testdata/kafka_logs.tar.xz";
    if (fs::exists(found)) return found;
    if (top == top.parent_path()) return {};
  }
}

struct DumpedBatch {
  std::int64_t base_offset, last_offset;
  int count;
  std::int64_t base_sequence, last_sequence, producer_id;
  int producer_epoch, leader_epoch;
  bool transactional, control;
  std::int64_t position, max_timestamp;
  std::int64_t size;
  std::uint32_t crc;
  auto operator<=>(const DumpedBatch&) const = default;
};

/// What the dump says of one file: the lines after "Dumping <file>".
std::map<std::string, std::vector<std::string>> read_dump(const fs::path& path) {
  std::map<std::string, std::vector<std::string>> files;
  std::ifstream in(path);
  std::vector<std::string>* lines = nullptr;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("Dumping ")) {
      lines = &files[line.substr(line.rfind('/') + 1)];
    } else if (lines != nullptr) {
      lines->push_back(line);
    }
  }
  return files;
}

std::vector<DumpedBatch> dumped_batches(const std::map<std::string, std::vector<std::string>>& dump) {
  static const std::regex line_format(
      R"(baseOffset: (\d+) lastOffset: (\d+) count: (\d+) baseSequence: (-?\d+) lastSequence: (-?\d+) producerId: (-?\d+) producerEpoch: (-?\d+) partitionLeaderEpoch: (-?\d+) isTransactional: (\w+) isControl: (\w+) .*position: (\d+) \w+: (-?\d+) size: (\d+) .*crc: (\d+) isvalid: true)");
  std::vector<DumpedBatch> batches;
  for (const auto& [name, lines] : dump) {
    if (!name.ends_with(".log")) continue;
    for (const std::string& line : lines) {
      std::smatch m;
      if (!std::regex_match(line, m, line_format)) continue;
      const auto number = [&](int i) { return std::stoll(m[i].str()); };
      batches.push_back({number(1), number(2), static_cast<int>(number(3)), number(4), number(5), number(6),
                         static_cast<int>(number(7)), static_cast<int>(number(8)), m[9] == "true", m[10] == "true",
                         number(11), number(12), number(13), static_cast<std::uint32_t>(number(14))});
    }
  }
  return batches;
}

class KafkaLogs : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  static void SetUpTestSuite() {
    scratch_ = std::make_unique<dohle::testing::ScratchDirectory>();
    ASSERT_FALSE(archive().empty()) << "run the test from inside the source tree";
    const std::string command = "tar -C " + scratch_->path() + " -xJf " + archive().string();
    ASSERT_EQ(std::system(command.c_str()), 0);
  }
  static void TearDownTestSuite() { scratch_.reset(); }

  static fs::path root() { return scratch_->path(); }
  fs::path top() const { return root() / std::get<0>(GetParam()); }
  std::string topic() const { return std::get<1>(GetParam()); }
  bool clean() const { return std::get<0>(GetParam()) == "clean"; }

  /// A copy, since loading changes what is there.
  std::unique_ptr<Log> open_log(const fs::path& log_dir, const std::string& topic, bool clean) {
    const fs::path copy = root() / "copy";
    fs::remove_all(copy);
    fs::copy(log_dir / (topic + "-0"), copy, fs::copy_options::recursive);
    auto top = runtime::open_directory(log_dir.string(), false);
    const auto starts = read_offset_checkpoint(**top, log_start_checkpoint);
    const auto points = read_offset_checkpoint(**top, recovery_point_checkpoint);
    EXPECT_TRUE(starts && points);
    LogOptions options;
    options.directory = *runtime::open_directory(copy.string(), false);
    options.topic = topic;
    options.clean_shutdown = clean;
    options.clock = &clock_;
    if (starts->contains({topic, 0})) options.log_start_offset = starts->at({topic, 0});
    if (points->contains({topic, 0})) options.recovery_point = points->at({topic, 0});
    options.config.index_interval_bytes = 200;
    auto log = Log::open(options);
    EXPECT_TRUE(log) << (log ? "" : log.error().message);
    return log ? std::move(*log) : nullptr;
  }

  std::vector<DumpedBatch> read_batches(const Log& log) {
    std::vector<DumpedBatch> batches;
    std::int64_t offset = log.log_start_offset();
    while (offset < log.log_end_offset()) {
      auto read = log.read(
          {.offset = offset, .size_bytes_max = 700, .bound_offset = log.log_end_offset(), .at_least_one_batch = true});
      EXPECT_TRUE(read && read->slice.file != nullptr && !read->out_of_range);
      if (!read || read->slice.file == nullptr) return batches;
      const std::uint64_t end = read->slice.position_bytes + read->slice.size_bytes;
      BatchScanner scanner(*read->slice.file, read->slice.position_bytes, end);
      for (;;) {
        auto header = scanner.next();
        EXPECT_TRUE(header);
        if (!header || !*header) break;
        const BatchHeader& h = **header;
        EXPECT_TRUE(*scanner.crc_is_right());
        ProducerAppend append;
        append.base_sequence = h.base_sequence;
        append.base_offset = h.base_offset;
        append.last_offset = h.last_offset();
        batches.push_back({h.base_offset, h.last_offset(), h.record_count, h.base_sequence, append.last_sequence(),
                           h.producer_id, h.producer_epoch, h.leader_epoch, h.transactional(), h.control(),
                           static_cast<std::int64_t>(scanner.position_bytes()), h.max_timestamp_ms,
                           static_cast<std::int64_t>(h.size_bytes), h.crc});
        offset = h.next_offset();
      }
    }
    return batches;
  }

  dohle::testing::FakeClock clock_{1'700'000'400'000};
  static std::unique_ptr<dohle::testing::ScratchDirectory> scratch_;
};

std::unique_ptr<dohle::testing::ScratchDirectory> KafkaLogs::scratch_;

TEST_P(KafkaLogs, every_batch_is_what_the_dump_tool_says) {
  auto log = open_log(top(), topic(), clean());
  ASSERT_NE(log, nullptr);
  auto expected = dumped_batches(read_dump(root() / "dump" / std::get<0>(GetParam()) / (topic() + "-0.txt")));
  if (topic() == "empty") {
    EXPECT_TRUE(expected.empty());
    EXPECT_EQ(log->log_end_offset(), 0);
    return;
  }
  ASSERT_FALSE(expected.empty());
  EXPECT_EQ(log->log_end_offset(), expected.back().last_offset + 1);
  std::erase_if(expected, [&](const DumpedBatch& batch) { return batch.last_offset < log->log_start_offset(); });
  const auto found = read_batches(*log);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(found[i] == expected[i]) << i;
}

TEST_P(KafkaLogs, aborted_transactions_are_those_of_the_transaction_index) {
  auto log = open_log(top(), topic(), clean());
  ASSERT_NE(log, nullptr);
  const auto dump = read_dump(root() / "dump" / std::get<0>(GetParam()) / (topic() + "-0.txt"));
  std::vector<AbortedTransaction> expected;
  static const std::regex line_format(
      R"(version: 0 producerId: (\d+) firstOffset: (\d+) lastOffset: (\d+) lastStableOffset: (\d+))");
  for (const auto& [name, lines] : dump) {
    if (!name.ends_with(".txnindex")) continue;
    for (const std::string& line : lines) {
      std::smatch m;
      // The tool notes that markers make gaps; that is no entry.
      if (!line.starts_with("version")) continue;
      ASSERT_TRUE(std::regex_match(line, m, line_format)) << line;
      expected.push_back({std::stoll(m[1]), std::stoll(m[2]), std::stoll(m[3]), std::stoll(m[4])});
    }
  }
  EXPECT_EQ(expected.empty(), topic() != "transactions");
  EXPECT_EQ(*log->aborted_transactions(log->log_start_offset(), log->log_end_offset()), expected);
}

/// Dumps of indexes and snapshots exist for the clean directory only: an index with a zero tail is not dumped.
class CleanKafkaLogs : public KafkaLogs {};

TEST_P(CleanKafkaLogs, indexes_that_we_rebuild_have_the_entries_of_kafkas) {
  const auto dump = read_dump(root() / "dump/clean" / (topic() + "-0.txt"));
  // Without the clean marker and without any recovery point everything is rebuilt from the batches.
  const fs::path copy = root() / "rebuilt";
  fs::remove_all(copy);
  fs::copy(top() / (topic() + "-0"), copy, fs::copy_options::recursive);
  for (const auto& entry : fs::directory_iterator(copy)) {
    if (entry.path().extension() == ".index" || entry.path().extension() == ".txnindex") fs::remove(entry.path());
  }
  LogOptions options;
  options.directory = *runtime::open_directory(copy.string(), false);
  options.topic = topic();
  options.clock = &clock_;
  options.config.index_interval_bytes = 200;
  auto log = Log::open(options);
  ASSERT_TRUE(log) << log.error().message;
  ASSERT_TRUE((*log)->close());
  for (const auto& [name, lines] : dump) {
    std::ifstream ours(copy / name, std::ios::binary);
    std::ifstream kafkas(top() / (topic() + "-0") / name, std::ios::binary);
    if (!name.ends_with("index")) continue;
    const std::string our_bytes{std::istreambuf_iterator<char>(ours), {}};
    const std::string kafkas_bytes{std::istreambuf_iterator<char>(kafkas), {}};
    EXPECT_EQ(our_bytes, kafkas_bytes) << name;
  }
}

TEST_P(CleanKafkaLogs, producers_are_those_of_the_last_snapshot) {
  auto log = open_log(top(), topic(), true);
  ASSERT_NE(log, nullptr);
  const auto dump = read_dump(root() / "dump/clean" / (topic() + "-0.txt"));
  std::map<std::string, std::vector<std::string>> snapshots;
  for (const auto& [name, lines] : dump) {
    if (name.ends_with(".snapshot")) snapshots[name] = lines;
  }
  static const std::regex line_format(
      R"(producerId: (\d+) producerEpoch: (\d+) coordinatorEpoch: (-?\d+) currentTxnFirstOffset: (\S+) lastTimestamp: (-?\d+)(?: firstSequence: (-?\d+) lastSequence: (-?\d+) lastOffset: (-?\d+) offsetDelta: (\d+) timestamp: (-?\d+))?)");
  // Replayed from the batches, without any snapshot, they must be the same.
  const fs::path copy = root() / "replayed";
  fs::remove_all(copy);
  fs::copy(top() / (topic() + "-0"), copy, fs::copy_options::recursive);
  for (const auto& entry : fs::directory_iterator(copy)) {
    if (entry.path().extension() == ".snapshot") fs::remove(entry.path());
  }
  LogOptions options;
  options.directory = *runtime::open_directory(copy.string(), false);
  options.topic = topic();
  options.clock = &clock_;
  auto replayed = Log::open(options);
  ASSERT_TRUE(replayed);
  std::size_t producers = 0;
  if (!snapshots.empty()) {
    for (const std::string& line : snapshots.rbegin()->second) {
      std::smatch m;
      if (!std::regex_search(line, m, line_format)) continue;
      ++producers;
      for (const Log* one : {log.get(), replayed->get()}) {
        const auto entry = one->producers().producers().find(std::stoll(m[1]));
        ASSERT_NE(entry, one->producers().producers().end()) << line;
        EXPECT_EQ(entry->second.epoch, std::stoi(m[2]));
        EXPECT_EQ(entry->second.coordinator_epoch, std::stoi(m[3]));
        EXPECT_EQ(entry->second.last_timestamp_ms, std::stoll(m[5]));
        EXPECT_EQ(entry->second.batches.empty(), !m[7].matched);
        if (m[7].matched) {
          EXPECT_EQ(entry->second.last_sequence(), std::stoi(m[7]));
          EXPECT_EQ(entry->second.last_data_offset(), std::stoll(m[8]));
          EXPECT_EQ(entry->second.last_offset_delta(), std::stoi(m[9]));
        }
        const auto& first = entry->second.transaction_first_offset;
        EXPECT_EQ(first ? "OptionalLong[" + std::to_string(*first) + "]" : "OptionalLong.empty", m[4].str());
      }
    }
  }
  EXPECT_EQ(producers, log->producers().producers().size());
  EXPECT_EQ(producers, (*replayed)->producers().producers().size());
}

const auto topics = ::testing::Values("plain", "codecs", "appendtime", "transactions", "trimmed", "empty");
const auto test_name = [](const auto& info) { return std::get<0>(info.param) + "_" + std::get<1>(info.param); };

INSTANTIATE_TEST_SUITE_P(AllTopics, KafkaLogs, ::testing::Combine(::testing::Values("clean", "killed"), topics),
                         test_name);
INSTANTIATE_TEST_SUITE_P(AllTopics, CleanKafkaLogs, ::testing::Combine(::testing::Values("clean"), topics), test_name);

class KafkaLogDirectory : public KafkaLogs {};

TEST_P(KafkaLogDirectory, its_small_files_are_read) {
  const auto directory = *runtime::open_directory(top().string(), false);
  const auto starts = read_offset_checkpoint(*directory, log_start_checkpoint);
  ASSERT_TRUE(starts);
  EXPECT_EQ(*starts, (PartitionOffsets{{{"trimmed", 0}, 50}}));
  const auto marks = read_offset_checkpoint(*directory, high_watermark_checkpoint);
  ASSERT_TRUE(marks);
  EXPECT_EQ(marks->at({"plain", 0}), 120);
  EXPECT_EQ(marks->at({"codecs", 0}), 165);
  const auto shutdown = take_clean_shutdown(*directory);
  ASSERT_TRUE(shutdown);
  EXPECT_TRUE(shutdown->clean);
  ASSERT_TRUE(shutdown->broker_epoch);
  EXPECT_GT(*shutdown->broker_epoch, 0);
  EXPECT_FALSE(take_clean_shutdown(*directory)->clean);
  ASSERT_TRUE(write_clean_shutdown(*directory, *shutdown->broker_epoch));
  const auto partition = *directory->subdirectory("plain-0", false);
  const auto id = read_partition_metadata(*partition);
  ASSERT_TRUE(id && *id);
  EXPECT_EQ(format_partition_metadata(**id), *partition->read_file(partition_metadata_file_name));
  const auto epochs = LeaderEpochCache::parse(*partition->read_file(LeaderEpochCache::file_name));
  ASSERT_TRUE(epochs);
  EXPECT_EQ(epochs->format(), *partition->read_file(LeaderEpochCache::file_name));
  EXPECT_EQ(epochs->earliest(), (EpochStart{0, 0}));
}

INSTANTIATE_TEST_SUITE_P(Clean, KafkaLogDirectory, ::testing::Values(std::make_tuple("clean", "plain")));

}  // namespace
}  // namespace dohle::log
