// The *.snapshot files of one partition's directory: which there are, and how the producers' state is written to them
// and read back. Follows the file half of Kafka's ProducerStateManager. Under the partition's lock.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "server/log/producer_state.h"
#include "server/runtime/file.h"
#include "server/runtime/result.h"

namespace dohle::log {

class ProducerSnapshotFiles {
 public:
  ProducerSnapshotFiles() = default;
  /// `names` is a listing of the directory.
  ProducerSnapshotFiles(std::shared_ptr<runtime::Directory> directory,
                        const std::vector<runtime::DirectoryEntry>& names);

  std::optional<std::int64_t> latest() const;
  const std::set<std::int64_t>& offsets() const { return offsets_; }

  /// Writes the state at its end offset, if it has moved since the last snapshot. The name of the file, if one was
  /// written; it is synced if `sync` says so, else the caller has to see to it.
  runtime::Result<std::optional<std::string>> take(const ProducerState& state, bool sync);
  /// Makes `state` what it was at `end_offset` or at the latest snapshot below: removes snapshots outside
  /// (log_start, end_offset], and those that are corrupt (ProducerStateManager.truncateAndReload).
  runtime::Status reload(ProducerState& state, std::int64_t log_start, std::int64_t end_offset, std::int64_t now_ms);
  /// Removes those that no segment begins with, but for the latest one if it lies above all segments.
  runtime::Status remove_strays(const std::set<std::int64_t>& segment_bases);
  runtime::Status remove_before(std::int64_t offset);
  runtime::Status remove_all();
  /// Renames the one at `offset` to *.deleted and forgets it. Its new name, if there was one.
  runtime::Result<std::optional<std::string>> mark_deleted(std::int64_t offset);
  /// As ProducerStateManager.onLogStartOffsetIncremented.
  void log_start_moved(std::int64_t log_start) { last_taken_ = latest().value_or(log_start); }
  void set_directory(std::shared_ptr<runtime::Directory> directory) { directory_ = std::move(directory); }

 private:
  runtime::Status remove(std::int64_t offset);

  std::shared_ptr<runtime::Directory> directory_;
  std::set<std::int64_t> offsets_;
  std::int64_t last_taken_ = 0;
};

/// The offset in the name of a segment's file, whatever its suffix; nullopt for other names.
std::optional<std::int64_t> offset_of_file_name(std::string_view name);

}  // namespace dohle::log
