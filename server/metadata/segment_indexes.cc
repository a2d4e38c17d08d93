#include "server/metadata/segment_indexes.h"

#include <fmt/format.h>

#include "codec/writer.h"

namespace dohle::metadata {

using runtime::Status;

namespace {

constexpr std::size_t interval_bytes = 4096;

void add(std::vector<std::uint8_t>& entries, codec::Writer& writer) {
  entries.insert(entries.end(), writer.bytes().begin(), writer.bytes().end());
}

Status write_entries(runtime::File& file, std::vector<std::uint8_t>& entries, std::uint64_t& end_bytes) {
  if (entries.empty()) return {};
  DOHLE_RETURN_IF_ERROR(file.write_at(codec::Bytes(entries), end_bytes));
  end_bytes += entries.size();
  entries.clear();
  return {};
}

}  // namespace

void SegmentIndexes::add_time_entry() {
  if (max_timestamp_ms_ <= last_time_entry_ms_) return;
  last_time_entry_ms_ = max_timestamp_ms_;
  codec::Writer writer;
  writer.i64(max_timestamp_ms_);
  writer.i32(static_cast<std::int32_t>(max_timestamp_offset_ - base_offset_));
  add(times_, writer);
}

void SegmentIndexes::collect(std::int64_t last_offset, std::uint64_t position_bytes, std::size_t size_bytes,
                             std::int64_t max_timestamp_ms) {
  if (max_timestamp_ms > max_timestamp_ms_) {
    max_timestamp_ms_ = max_timestamp_ms;
    max_timestamp_offset_ = last_offset;
  }
  if (bytes_since_entry_ > interval_bytes) {
    codec::Writer writer;
    writer.i32(static_cast<std::int32_t>(last_offset - base_offset_));
    writer.i32(static_cast<std::int32_t>(position_bytes));
    add(offsets_, writer);
    add_time_entry();
    bytes_since_entry_ = 0;
  }
  bytes_since_entry_ += size_bytes;
}

Status SegmentIndexes::write_new_entries() {
  DOHLE_RETURN_IF_ERROR(write_entries(*offset_file_, offsets_, offsets_end_bytes_));
  return write_entries(*time_file_, times_, times_end_bytes_);
}

Status SegmentIndexes::open(runtime::Directory& directory) {
  const auto make = [&](const char* suffix) {
    return directory.open(fmt::format("{:020}{}", base_offset_, suffix), {.create = true});
  };
  auto offset_file = make(".index");
  if (!offset_file) return std::unexpected(offset_file.error());
  auto time_file = make(".timeindex");
  if (!time_file) return std::unexpected(time_file.error());
  offset_file_ = std::move(*offset_file);
  time_file_ = std::move(*time_file);
  DOHLE_RETURN_IF_ERROR(offset_file_->truncate(0));
  DOHLE_RETURN_IF_ERROR(time_file_->truncate(0));
  return write_new_entries();
}

Status SegmentIndexes::append(std::int64_t last_offset, std::uint64_t position_bytes, std::size_t size_bytes,
                              std::int64_t max_timestamp_ms) {
  collect(last_offset, position_bytes, size_bytes, max_timestamp_ms);
  return write_new_entries();
}

Status SegmentIndexes::close() {
  if (offset_file_ == nullptr) return {};
  add_time_entry();
  DOHLE_RETURN_IF_ERROR(write_new_entries());
  DOHLE_RETURN_IF_ERROR(offset_file_->sync());
  return time_file_->sync();
}

}  // namespace dohle::metadata
