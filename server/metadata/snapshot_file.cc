#include "server/metadata/snapshot_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace dohle::metadata {

using runtime::ErrorKind;

namespace {

constexpr std::string_view suffix = ".checkpoint";
constexpr std::size_t offset_digits = 20;
constexpr std::size_t epoch_digits = 10;
/// Batches of a snapshot are closed well below the 8 MiB that readers must take.
constexpr std::size_t records_per_batch = 4096;
constexpr std::size_t snapshot_bytes_max = std::size_t{1} << 31;

template <typename Int>
std::optional<Int> parse_digits(std::string_view text) {
  Int value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

void append(std::vector<std::uint8_t>& file, const std::vector<std::uint8_t>& batch) {
  file.insert(file.end(), batch.begin(), batch.end());
}

}  // namespace

std::string snapshot_file_name(const SnapshotId& id) {
  return fmt::format("{:020}-{:010}{}", id.offset, id.epoch, suffix);
}

std::optional<SnapshotId> parse_snapshot_file_name(std::string_view name) {
  if (!name.ends_with(suffix)) return std::nullopt;
  name.remove_suffix(suffix.size());
  if (name.size() != offset_digits + 1 + epoch_digits || name[offset_digits] != '-') return std::nullopt;
  const auto offset = parse_digits<std::int64_t>(name.substr(0, offset_digits));
  const auto epoch = parse_digits<std::int32_t>(name.substr(offset_digits + 1));
  if (!offset || !epoch) return std::nullopt;
  return SnapshotId{*offset, *epoch};
}

std::vector<std::uint8_t> format_snapshot(const Snapshot& snapshot, std::int64_t now_ms) {
  std::vector<ControlMessage> head;
  protocol::SnapshotHeaderRecord header;
  header.last_contained_log_timestamp = snapshot.last_contained_log_timestamp_ms;
  head.emplace_back(std::move(header));
  if (snapshot.kraft_version > 0) {
    protocol::KRaftVersionRecord version;
    version.kraft_version = snapshot.kraft_version;
    head.emplace_back(std::move(version));
    if (snapshot.voters) head.emplace_back(*snapshot.voters);
  }
  std::int64_t offset = static_cast<std::int64_t>(head.size());
  std::vector<std::uint8_t> file = build_control_batch(head, 0, snapshot.id.epoch, now_ms);
  for (std::size_t begin = 0; begin < snapshot.records.size(); begin += records_per_batch) {
    const std::size_t end = std::min(begin + records_per_batch, snapshot.records.size());
    const std::vector<MetadataRecord> part(snapshot.records.begin() + static_cast<std::ptrdiff_t>(begin),
                                           snapshot.records.begin() + static_cast<std::ptrdiff_t>(end));
    append(file, build_data_batch(part, offset, snapshot.id.epoch, now_ms));
    offset += static_cast<std::int64_t>(part.size());
  }
  append(file, build_control_batch({protocol::SnapshotFooterRecord{}}, offset, snapshot.id.epoch, now_ms));
  return file;
}

runtime::Result<Snapshot> parse_snapshot(codec::Bytes bytes, const SnapshotId& id, const std::string& path) {
  Snapshot snapshot;
  snapshot.id = id;
  bool header = false;
  bool footer = false;
  while (!bytes.empty()) {
    const std::size_t size = whole_batch_size(bytes);
    if (size == 0 || footer) return runtime::failure(ErrorKind::corrupt, fmt::format("{}: a broken snapshot", path));
    auto batch = read_batch(bytes.first(size));
    if (!batch) {
      return runtime::failure(batch.error().kind, fmt::format("{}: {}", path, batch.error().message));
    }
    for (ControlMessage& message : batch->control_messages) {
      if (const auto* head = std::get_if<protocol::SnapshotHeaderRecord>(&message)) {
        header = true;
        snapshot.last_contained_log_timestamp_ms = head->last_contained_log_timestamp;
      } else if (const auto* version = std::get_if<protocol::KRaftVersionRecord>(&message)) {
        snapshot.kraft_version = version->kraft_version;
      } else if (auto* voters = std::get_if<protocol::VotersRecord>(&message)) {
        snapshot.voters = std::move(*voters);
      } else if (std::holds_alternative<protocol::SnapshotFooterRecord>(message)) {
        footer = true;
      }
    }
    std::move(batch->records.begin(), batch->records.end(), std::back_inserter(snapshot.records));
    bytes = bytes.subspan(size);
  }
  if (!header || !footer) {
    return runtime::failure(ErrorKind::corrupt,
                            fmt::format("{}: a snapshot without {}", path, header ? "footer" : "header"));
  }
  return snapshot;
}

runtime::Result<std::vector<SnapshotId>> list_snapshots(const runtime::Directory& directory) {
  const auto entries = directory.list();
  if (!entries) return std::unexpected(entries.error());
  std::vector<SnapshotId> ids;
  for (const runtime::DirectoryEntry& entry : *entries) {
    if (const auto id = parse_snapshot_file_name(entry.name)) ids.push_back(*id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

runtime::Result<Snapshot> read_snapshot(runtime::Directory& directory, const SnapshotId& id) {
  const std::string name = snapshot_file_name(id);
  const auto content = directory.read_file(name, snapshot_bytes_max);
  if (!content) return std::unexpected(content.error());
  return parse_snapshot(codec::as_bytes(*content), id, directory.path() + "/" + name);
}

runtime::Status write_snapshot(runtime::Directory& directory, const Snapshot& snapshot, std::int64_t now_ms) {
  const std::vector<std::uint8_t> content = format_snapshot(snapshot, now_ms);
  const std::string name = snapshot_file_name(snapshot.id);
  const std::string partial = name + ".part";
  const auto file = directory.open(partial, {.create = true});
  if (!file) return std::unexpected(file.error());
  DOHLE_RETURN_IF_ERROR((*file)->truncate(0));
  DOHLE_RETURN_IF_ERROR((*file)->write_at(content, 0));
  DOHLE_RETURN_IF_ERROR((*file)->sync());
  DOHLE_RETURN_IF_ERROR(directory.rename(partial, name));
  return directory.sync();
}

}  // namespace dohle::metadata
