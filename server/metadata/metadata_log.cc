#include "server/metadata/metadata_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "server/runtime/check.h"

namespace dohle::metadata {

using runtime::ErrorKind;
using runtime::Status;

namespace {

constexpr std::string_view log_suffix = ".log";
constexpr std::size_t offset_digits = 20;
constexpr const char* epoch_checkpoint_name = "leader-epoch-checkpoint";
constexpr const char* partition_metadata_name = "partition.metadata";
/// The topic id of __cluster_metadata is the number 1.
constexpr codec::Uuid cluster_metadata_topic_id = codec::Uuid::reserved(1);

std::string segment_name(std::int64_t base_offset) {
  return fmt::format("{:020}{}", base_offset, log_suffix);
}

/// All of a file's bytes.
runtime::Result<std::vector<std::uint8_t>> read_all(runtime::File& file) {
  const auto size = file.size();
  if (!size) return std::unexpected(size.error());
  std::vector<std::uint8_t> bytes(*size);
  const auto read = file.read_at(bytes, 0);
  if (!read) return std::unexpected(read.error());
  bytes.resize(*read);
  return bytes;
}

}  // namespace

Status MetadataLog::list_segments() {
  const auto entries = directory_->list();
  if (!entries) return std::unexpected(entries.error());
  for (const runtime::DirectoryEntry& entry : *entries) {
    std::string_view name = entry.name;
    if (!name.ends_with(log_suffix) || name.size() != offset_digits + log_suffix.size()) continue;
    name.remove_suffix(log_suffix.size());
    std::int64_t base_offset = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), base_offset);
    if (parsed.ec == std::errc{} && parsed.ptr == name.data() + name.size()) segments_.push_back({base_offset, 0, 0});
  }
  std::sort(segments_.begin(), segments_.end(),
            [](const Segment& a, const Segment& b) { return a.base_offset < b.base_offset; });
  return {};
}

Status MetadataLog::read_segment(Segment& segment, bool last, std::int64_t from_offset, const Visitor& visit) {
  const std::string path = directory_->path() + "/" + segment_name(segment.base_offset);
  if (segment.base_offset != end_offset_) {
    return runtime::failure(ErrorKind::corrupt,
                            fmt::format("{}: the log ends at offset {} before it", path, end_offset_));
  }
  const auto file = directory_->open(segment_name(segment.base_offset), {.read_only = true});
  if (!file) return std::unexpected(file.error());
  const auto bytes = read_all(**file);
  if (!bytes) return std::unexpected(bytes.error());
  segment.file_size_bytes = bytes->size();
  indexes_ = std::make_unique<SegmentIndexes>(segment.base_offset);
  codec::Bytes left = *bytes;
  while (!left.empty()) {
    const std::size_t size = whole_batch_size(left);
    if (size == 0) {
      if (last) break;
      return runtime::failure(ErrorKind::corrupt,
                              fmt::format("{}: a broken batch at position {}", path, segment.size_bytes));
    }
    const auto batch = read_batch(left.first(size));
    if (!batch) {
      return runtime::failure(batch.error().kind, fmt::format("{}: {}", path, batch.error().message));
    }
    if (batch->base_offset != end_offset_ || batch->last_offset < batch->base_offset) {
      return runtime::failure(ErrorKind::corrupt, fmt::format("{}: a batch with base offset {} where {} is expected",
                                                              path, batch->base_offset, end_offset_));
    }
    if (batch->base_offset >= from_offset) {
      const Status visited = visit(*batch);
      if (!visited) {
        return runtime::failure(visited.error().kind, fmt::format("{}: {}", path, visited.error().message));
      }
    }
    if (epochs_.empty() || epochs_.back().first < batch->epoch) epochs_.emplace_back(batch->epoch, batch->base_offset);
    end_offset_ = batch->last_offset + 1;
    indexes_->collect(batch->last_offset, segment.size_bytes, size, batch->max_timestamp_ms);
    segment.size_bytes += size;
    left = left.subspan(size);
  }
  return {};
}

runtime::Result<std::unique_ptr<MetadataLog>> MetadataLog::open(std::shared_ptr<runtime::Directory> directory,
                                                                std::int64_t from_offset, const Visitor& visit) {
  std::unique_ptr<MetadataLog> log(new MetadataLog(std::move(directory)));
  DOHLE_RETURN_IF_ERROR(log->list_segments());
  if (!log->segments_.empty()) log->end_offset_ = log->segments_.front().base_offset;
  for (Segment& segment : log->segments_) {
    const bool last = &segment == &log->segments_.back();
    DOHLE_RETURN_IF_ERROR(log->read_segment(segment, last, from_offset, visit));
  }
  return log;
}

Status MetadataLog::remove_segments() {
  for (const Segment& segment : segments_) DOHLE_RETURN_IF_ERROR(directory_->remove(segment_name(segment.base_offset)));
  indexes_.reset();
  segments_.clear();
  epochs_.clear();
  return {};
}

Status MetadataLog::new_segment(std::int64_t base_offset) {
  auto file = directory_->open(segment_name(base_offset), {.create = true});
  if (!file) return std::unexpected(file.error());
  if (indexes_ != nullptr) DOHLE_RETURN_IF_ERROR(indexes_->close());
  active_ = std::move(*file);
  segments_.push_back({base_offset, 0, 0});
  indexes_ = std::make_unique<SegmentIndexes>(base_offset);
  DOHLE_RETURN_IF_ERROR(indexes_->open(*directory_));
  return directory_->sync();
}

Status MetadataLog::begin(std::int64_t start_offset, std::uint64_t segment_size_bytes_max) {
  segment_size_bytes_max_ = segment_size_bytes_max;
  const auto described = directory_->exists(partition_metadata_name);
  if (!described) return std::unexpected(described.error());
  if (!*described) {
    DOHLE_RETURN_IF_ERROR(directory_->replace_file(
        partition_metadata_name, fmt::format("version: 0\ntopic_id: {}", cluster_metadata_topic_id.to_string())));
  }
  if (!segments_.empty() && end_offset_ < start_offset) {
    DOHLE_RETURN_IF_ERROR(remove_segments());
    end_offset_ = start_offset;
  }
  if (segments_.empty()) {
    end_offset_ = std::max(end_offset_, start_offset);
    DOHLE_RETURN_IF_ERROR(new_segment(end_offset_));
    return write_epochs();
  }
  Segment& segment = segments_.back();
  auto file = directory_->open(segment_name(segment.base_offset), {});
  if (!file) return std::unexpected(file.error());
  active_ = std::move(*file);
  if (segment.size_bytes != segment.file_size_bytes) {
    DOHLE_RETURN_IF_ERROR(active_->truncate(segment.size_bytes));
    DOHLE_RETURN_IF_ERROR(active_->sync());
    segment.file_size_bytes = segment.size_bytes;
  }
  DOHLE_RETURN_IF_ERROR(indexes_->open(*directory_));
  return write_epochs();
}

Status MetadataLog::append(codec::Bytes batches, std::int64_t next_offset, std::int32_t epoch,
                           std::int64_t timestamp_ms) {
  CHECK(active_ != nullptr && next_offset > end_offset_ && epoch >= last_epoch());
  if (segments_.back().size_bytes > 0 && segments_.back().size_bytes + batches.size() > segment_size_bytes_max_) {
    DOHLE_RETURN_IF_ERROR(new_segment(end_offset_));
  }
  if (epochs_.empty() || epochs_.back().first < epoch) {
    epochs_.emplace_back(epoch, end_offset_);
    DOHLE_RETURN_IF_ERROR(write_epochs());
  }
  Segment& segment = segments_.back();
  DOHLE_RETURN_IF_ERROR(active_->write_at(batches, segment.size_bytes));
  DOHLE_RETURN_IF_ERROR(active_->sync());
  DOHLE_RETURN_IF_ERROR(indexes_->append(next_offset - 1, segment.size_bytes, batches.size(), timestamp_ms));
  segment.size_bytes += batches.size();
  end_offset_ = next_offset;
  return {};
}

Status MetadataLog::close() {
  return indexes_ == nullptr ? Status{} : indexes_->close();
}

Status MetadataLog::write_epochs() {
  std::string text = fmt::format("0\n{}\n", epochs_.size());
  for (const auto& [epoch, offset] : epochs_) text += fmt::format("{} {}\n", epoch, offset);
  return directory_->replace_file(epoch_checkpoint_name, text);
}

std::uint64_t MetadataLog::size_bytes() const {
  std::uint64_t total = 0;
  for (const Segment& segment : segments_) total += segment.size_bytes;
  return total;
}

}  // namespace dohle::metadata
