#include "server/log/producer_snapshot_files.h"

#include <algorithm>
#include <utility>

#include "server/log/checkpoint_file.h"
#include "server/log/log_segment.h"
#include "server/log/producer_snapshot.h"

namespace dohle::log {

using runtime::ErrorKind;
using runtime::Result;
using runtime::Status;

namespace {

std::string snapshot_name(std::int64_t offset) {
  return segment_file_name(offset, producer_snapshot_suffix);
}

}  // namespace

std::optional<std::int64_t> offset_of_file_name(std::string_view name) {
  const std::string_view digits = name.substr(0, name.find('.'));
  std::int64_t offset = 0;
  if (digits.size() == name.size() || digits.empty() || digits.find_first_not_of("0123456789") != digits.npos ||
      !parse_number(digits, offset)) {
    return std::nullopt;
  }
  return offset;
}

ProducerSnapshotFiles::ProducerSnapshotFiles(std::shared_ptr<runtime::Directory> directory,
                                             const std::vector<runtime::DirectoryEntry>& names)
    : directory_(std::move(directory)) {
  for (const runtime::DirectoryEntry& entry : names) {
    if (entry.is_directory || !entry.name.ends_with(producer_snapshot_suffix)) continue;
    if (const auto offset = offset_of_file_name(entry.name)) offsets_.insert(*offset);
  }
}

std::optional<std::int64_t> ProducerSnapshotFiles::latest() const {
  if (offsets_.empty()) return std::nullopt;
  return *offsets_.rbegin();
}

Result<std::optional<std::string>> ProducerSnapshotFiles::take(const ProducerState& state, bool sync) {
  const std::int64_t offset = state.end_offset();
  if (offset <= last_taken_) return std::nullopt;
  std::string name = snapshot_name(offset);
  const codec::Blob bytes = encode_producer_snapshot(state.producers());
  const auto write = [&]() -> Status {
    auto file = directory_->open(name, {.create = true});
    if (!file) return std::unexpected(file.error());
    DOHLE_RETURN_IF_ERROR((*file)->truncate(0));
    DOHLE_RETURN_IF_ERROR((*file)->write_at(codec::Bytes(bytes), 0));
    return sync ? (*file)->sync() : Status{};
  };
  if (Status status = write(); !status) return std::unexpected(std::move(status.error()));
  offsets_.insert(offset);
  last_taken_ = offset;
  return name;
}

Status ProducerSnapshotFiles::reload(ProducerState& state, std::int64_t log_start, std::int64_t end_offset,
                                     std::int64_t now_ms) {
  for (const std::int64_t offset : std::set<std::int64_t>(offsets_)) {
    if (offset > end_offset || offset <= log_start) DOHLE_RETURN_IF_ERROR(remove(offset));
  }
  if (end_offset == state.end_offset()) {
    state.forget_completed_below(log_start);
    state.set_end_offset(std::max(state.end_offset(), log_start));
    log_start_moved(log_start);
    return {};
  }
  state.clear();
  while (const auto offset = latest()) {
    const auto text = directory_->read_file(snapshot_name(*offset));
    if (!text && text.error().kind != ErrorKind::not_found) return std::unexpected(text.error());
    auto entries = decode_producer_snapshot(text ? codec::as_bytes(*text) : codec::Bytes{});
    if (!entries) {
      DOHLE_RETURN_IF_ERROR(remove(*offset));
      continue;
    }
    state.load(std::move(*entries), now_ms);
    last_taken_ = *offset;
    state.set_end_offset(*offset);
    return {};
  }
  last_taken_ = log_start;
  state.set_end_offset(log_start);
  return {};
}

Status ProducerSnapshotFiles::remove_strays(const std::set<std::int64_t>& segment_bases) {
  std::optional<std::int64_t> latest_stray;
  for (const std::int64_t offset : std::set<std::int64_t>(offsets_)) {
    if (segment_bases.contains(offset)) continue;
    if (latest_stray) DOHLE_RETURN_IF_ERROR(remove(*latest_stray));
    latest_stray = offset;
  }
  // The one above all segments is that of the log end: worth keeping.
  if (latest_stray && !segment_bases.empty() && *latest_stray < *segment_bases.rbegin()) return remove(*latest_stray);
  return {};
}

Status ProducerSnapshotFiles::remove_before(std::int64_t offset) {
  while (!offsets_.empty() && *offsets_.begin() < offset) DOHLE_RETURN_IF_ERROR(remove(*offsets_.begin()));
  return {};
}

Status ProducerSnapshotFiles::remove_all() {
  while (!offsets_.empty()) DOHLE_RETURN_IF_ERROR(remove(*offsets_.begin()));
  last_taken_ = 0;
  return {};
}

Result<std::optional<std::string>> ProducerSnapshotFiles::mark_deleted(std::int64_t offset) {
  if (offsets_.erase(offset) == 0) return std::nullopt;
  const std::string name = snapshot_name(offset);
  std::string deleted = name + std::string(deleted_suffix);
  const Status renamed = directory_->rename(name, deleted);
  if (renamed) return deleted;
  if (renamed.error().kind == ErrorKind::not_found) return std::nullopt;
  return std::unexpected(renamed.error());
}

Status ProducerSnapshotFiles::remove(std::int64_t offset) {
  offsets_.erase(offset);
  const Status removed = directory_->remove(snapshot_name(offset));
  if (!removed && removed.error().kind != ErrorKind::not_found) return removed;
  return {};
}

}  // namespace dohle::log
