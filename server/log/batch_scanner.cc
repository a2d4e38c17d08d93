#include "server/log/batch_scanner.h"

#include <fmt/format.h>

#include <algorithm>

#include "codec/crc32.h"
#include "codec/crc32c.h"

namespace dohle::log {

using runtime::ErrorKind;
using runtime::failure;
using runtime::Result;

namespace {

constexpr std::size_t v2_crc_begin = 21;      // everything from the attributes on
constexpr std::size_t legacy_crc_begin = 16;  // everything from the magic on

}  // namespace

bool batch_crc_is_right(const BatchHeader& header, codec::Bytes bytes) {
  const bool v2 = header.magic >= 2;
  const std::size_t begin = v2 ? v2_crc_begin : legacy_crc_begin;
  const codec::Bytes guarded = bytes.subspan(begin, header.size_bytes - begin);
  return header.crc == (v2 ? codec::crc32c(guarded) : codec::crc32(guarded));
}

BatchScanner::BatchScanner(const runtime::File& file, std::uint64_t begin_bytes, std::uint64_t end_bytes,
                           std::size_t window_bytes)
    : file_(file), position_(begin_bytes), end_(end_bytes), next_(begin_bytes), window_bytes_(window_bytes) {}

Result<codec::Bytes> BatchScanner::view(std::uint64_t position, std::size_t size) {
  const auto in_window = [&] { return position >= window_begin_ && position + size <= window_begin_ + window_size_; };
  if (!in_window()) {
    const std::size_t wanted = static_cast<std::size_t>(
        std::min<std::uint64_t>(std::max(window_bytes_, size), end_ - std::min(position, end_)));
    if (window_.size() < wanted) window_.resize(wanted);
    auto read = file_.read_at({window_.data(), wanted}, position);
    if (!read) return std::unexpected(std::move(read.error()));
    window_begin_ = position;
    window_size_ = *read;
  }
  const std::size_t begin = static_cast<std::size_t>(position - window_begin_);
  return codec::Bytes(window_.data() + begin, std::min(size, window_size_ - begin));
}

Result<std::optional<BatchHeader>> BatchScanner::next() {
  position_ = next_;
  if (position_ >= end_ || end_ - position_ <= BatchHeader::prefix_bytes) return std::nullopt;
  const auto bytes = view(position_, BatchHeader::v2_bytes);
  if (!bytes) return std::unexpected(bytes.error());
  if (bytes->size() < BatchHeader::prefix_bytes) return std::nullopt;
  const auto header = BatchHeader::read(*bytes);
  if (!header) {
    // A header that is cut short by the end is a torn write; one that is whole and makes no sense is corrupt.
    if (bytes->size() < BatchHeader::v2_bytes && end_ - position_ < BatchHeader::v2_bytes) return std::nullopt;
    return failure(ErrorKind::corrupt, fmt::format("{}: no batch begins at {}", file_.path(), position_));
  }
  if (header->size_bytes > end_ - position_) return std::nullopt;
  header_ = *header;
  next_ = position_ + header_.size_bytes;
  return header_;
}

Result<bool> BatchScanner::crc_is_right() {
  if (header_.magic < 2) {
    // Old messages are rare, and small enough to be held whole.
    const auto whole = bytes();
    if (!whole) return std::unexpected(whole.error());
    return batch_crc_is_right(header_, *whole);
  }
  std::uint64_t position = position_ + v2_crc_begin;
  const std::uint64_t end = position_ + header_.size_bytes;
  std::uint32_t crc = 0;
  while (position < end) {
    const std::size_t size = static_cast<std::size_t>(std::min<std::uint64_t>(end - position, window_bytes_));
    const auto piece = view(position, size);
    if (!piece) return std::unexpected(piece.error());
    if (piece->size() < size) return false;
    crc = codec::crc32c_extend(crc, *piece);
    position += size;
  }
  return crc == header_.crc;
}

Result<codec::Blob> BatchScanner::bytes() {
  codec::Blob bytes(header_.size_bytes);
  const auto read = file_.read_at(bytes, position_);
  if (!read) return std::unexpected(read.error());
  if (*read < bytes.size()) {
    return failure(ErrorKind::corrupt, fmt::format("{}: the batch at {} is cut short", file_.path(), position_));
  }
  return bytes;
}

Result<codec::Bytes> BatchScanner::batch() {
  const auto whole = view(position_, header_.size_bytes);
  if (!whole) return std::unexpected(whole.error());
  if (whole->size() < header_.size_bytes) {
    return failure(ErrorKind::corrupt, fmt::format("{}: the batch at {} is cut short", file_.path(), position_));
  }
  return whole;
}

}  // namespace dohle::log
