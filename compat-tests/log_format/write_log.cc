// write_log DIRECTORY clean|killed: makes DIRECTORY/<topic>-0 for a few topics with server/log: rolled segments, all
// codecs, idempotent producers, transactions that were committed, aborted and left open, truncation and retention.
// `killed` ends without closing the logs. Used by test_log_format.py.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "protocol/record_batch_builder.h"
#include "server/log/log.h"

namespace {

using namespace dohle;

constexpr std::int64_t start_ms = 1'700'000'000'000;

void must(bool good, const std::string& what) {
  if (good) return;
  std::fprintf(stderr, "write_log: %s\n", what.c_str());
  std::exit(1);
}

struct Producer {
  std::int64_t id = -1;
  std::int16_t epoch = -1;
  std::int32_t sequence = -1;
  bool transactional = false;
};

class Writer {
 public:
  Writer(const std::string& top, const std::string& topic) {
    auto directory = runtime::open_directory(top + "/" + topic + "-0", true);
    must(directory.has_value(), "can't make the directory of " + topic);
    log::LogOptions options;
    options.directory = *directory;
    options.topic = topic;
    options.clock = &runtime::system_clock();
    options.config.index_interval_bytes = 200;
    options.config.segment_bytes = 3000;
    options.config.retention_ms = -1;
    options.producers.transaction_verification = false;
    auto log = log::Log::open(options);
    must(log.has_value(), log ? "" : log.error().message);
    log_ = std::move(*log);
  }

  void append(int records, std::int64_t timestamp_ms, codec::Compression compression, Producer* producer = nullptr) {
    protocol::RecordBatchOptions options;
    options.compression = compression;
    if (producer != nullptr) {
      options.producer_id = producer->id;
      options.producer_epoch = producer->epoch;
      options.base_sequence = producer->sequence;
      options.is_transactional = producer->transactional;
      producer->sequence += records;
    }
    protocol::RecordBatchBuilder builder(options);
    for (int i = 0; i < records; ++i) {
      const std::string value = "value " + std::to_string(i) + std::string(40, '.');
      builder.append(timestamp_ms + i, codec::as_bytes("key"), codec::as_bytes(value));
    }
    store(builder.build(), log::AppendOrigin::client);
  }

  void mark(const Producer& producer, bool commit) {
    protocol::EndTransactionMarker marker;
    marker.type = commit ? protocol::ControlRecordType::commit : protocol::ControlRecordType::abort;
    marker.producer_id = producer.id;
    marker.producer_epoch = producer.epoch;
    marker.timestamp_ms = start_ms;
    store(protocol::end_transaction_batch(0, -1, marker), log::AppendOrigin::coordinator);
  }

  log::Log& log() { return *log_; }

 private:
  void store(codec::Blob bytes, log::AppendOrigin origin) {
    log::LeaderAppend append;
    append.batches = bytes;
    append.leader_epoch = epoch_++ / 40;
    append.origin = origin;
    const auto result = log_->append_as_leader(append);
    must(result && static_cast<int>(result->error) == 0, result ? result->message : result.error().message);
    log_->update_high_watermark(log_->log_end_offset());
  }

  std::unique_ptr<log::Log> log_;
  std::int32_t epoch_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
  must(count == 3, "usage: write_log DIRECTORY clean|killed");
  const std::string top = arguments[1];
  const bool clean = std::string(arguments[2]) == "clean";
  using enum codec::Compression;
  Writer plain(top, "plain");
  for (int i = 0; i < 60; ++i) plain.append(1 + i % 4, start_ms + (i % 7 == 3 ? i - 3 : i) * 100, none);
  Writer codecs(top, "codecs");
  Producer idempotent{1, 0, 0, false};
  for (int i = 0; i < 50; ++i) {
    const codec::Compression all[] = {none, gzip, snappy, lz4, zstd};
    codecs.append(2 + i % 9, start_ms + i, all[i % 5], &idempotent);
  }
  Writer transactions(top, "transactions");
  std::vector<Producer> producers{{10, 0, 0, true}, {11, 3, 0, true}, {12, 0, 0, true}};
  for (int i = 0; i < 40; ++i) {
    for (int p = 0; p < 2; ++p) transactions.append(2, start_ms + i, none, &producers[static_cast<std::size_t>(p)]);
    transactions.mark(producers[1], i % 4 != 2);
    transactions.mark(producers[0], i % 3 != 1);
  }
  transactions.append(1, start_ms, none, &producers[2]);
  Writer shortened(top, "shortened");
  for (int i = 0; i < 60; ++i) shortened.append(2, start_ms + i, none);
  must(shortened.log().truncate_to(100).has_value(), "truncate");
  must(shortened.log().advance_log_start(50).has_value(), "advance the log start");
  must(shortened.log().delete_old_segments().has_value(), "delete old segments");
  for (int i = 0; i < 5; ++i) shortened.append(2, start_ms + i, none);
  Writer empty(top, "empty");
  for (Writer* writer : {&plain, &codecs, &transactions, &shortened, &empty}) {
    std::printf("%s %ld\n", writer->log().topic().c_str(), static_cast<long>(writer->log().log_end_offset()));
    if (clean) must(writer->log().close().has_value(), "close");
  }
  std::fflush(stdout);
  if (!clean) ::_exit(0);
  return 0;
}
