// Which leader epoch began at which offset, and the file leader-epoch-checkpoint that keeps it.
// Follows Kafka's LeaderEpochFileCache (KIP-101, KIP-279). Not thread-safe: under the partition's lock.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/runtime/result.h"

namespace dohle::log {

struct EpochStart {
  std::int32_t epoch = -1;
  std::int64_t start_offset = -1;
  bool operator==(const EpochStart&) const = default;
};

/// The answer to OffsetsForLeaderEpoch; both -1 when it can't be known.
struct EpochEnd {
  std::int32_t epoch = -1;
  std::int64_t end_offset = -1;
  bool operator==(const EpochEnd&) const = default;
};

class LeaderEpochCache {
 public:
  static constexpr const char* file_name = "leader-epoch-checkpoint";

  /// The file's text: version 0, count, `epoch start_offset` lines. `corrupt` for anything else; empty text is no
  /// entries.
  static runtime::Result<LeaderEpochCache> parse(std::string_view text);
  std::string format() const;

  /// The epoch begins at the offset. Entries that contradict it (same or later epoch, same or later offset) go.
  /// True: something changed, and the file has to be written. Negative values change nothing.
  bool assign(std::int32_t epoch, std::int64_t start_offset);
  /// Forgets epochs that begin at or after `end_offset`. True: something changed.
  bool truncate_from_end(std::int64_t end_offset);
  /// Forgets epochs that end before `start_offset`; the one that contains it begins there now. True: something changed.
  bool truncate_from_start(std::int64_t start_offset);
  /// True: there was something.
  bool clear();

  bool empty() const { return starts_.empty(); }
  std::optional<EpochStart> latest() const;
  std::optional<EpochStart> earliest() const;
  /// The largest epoch below `epoch` that is known.
  std::optional<std::int32_t> previous_epoch(std::int32_t epoch) const;
  /// The epoch of the record at `offset`; nullopt below the first entry.
  std::optional<std::int32_t> epoch_for_offset(std::int64_t offset) const;
  /// The largest known epoch that is not above the asked one, and the first offset after it.
  EpochEnd end_offset_for(std::int32_t epoch, std::int64_t log_end_offset) const;
  std::vector<EpochStart> entries() const;

 private:
  std::map<std::int32_t, std::int64_t> starts_;
};

}  // namespace dohle::log
