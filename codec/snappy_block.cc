#include "codec/snappy_block.h"

#include <snappy.h>

#include <algorithm>
#include <cstring>

namespace dohle::codec {

namespace {

constexpr std::size_t history_bytes = 64 * 1024;
constexpr std::size_t window_bytes = 2 * history_bytes;

}  // namespace

void SnappyBlock::reset(Bytes input) {
  failed_ = false;
  ended_ = false;
  filled_ = given_ = literal_left_ = copy_left_ = 0;
  produced_ = 0;
  // The library reads the size for us, but does not say how long it was written.
  std::size_t size = 0;
  if (!snappy::GetUncompressedLength(reinterpret_cast<const char*>(input.data()), input.size(), &size)) {
    failed_ = true;
    return;
  }
  expected_ = size;
  whole_ = size <= whole_bytes_max;
  if (!whole_) {
    std::size_t head = 0;
    while (input[head] & 0x80) ++head;
    input = input.subspan(head + 1);
  }
  input_ = input;
}

Bytes SnappyBlock::next() {
  if (failed_ || ended_) return {};
  return whole_ ? inflate_whole() : inflate_piece();
}

Bytes SnappyBlock::fail() {
  failed_ = true;
  return {};
}

Bytes SnappyBlock::inflate_whole() {
  ended_ = true;
  const auto size = static_cast<std::size_t>(expected_);
  if (window_.size() < size) window_.resize(size);
  if (!snappy::RawUncompress(reinterpret_cast<const char*>(input_.data()), input_.size(),
                             reinterpret_cast<char*>(window_.data()))) {
    return fail();
  }
  return Bytes(window_).first(size);
}

Bytes SnappyBlock::inflate_piece() {
  if (window_.size() < window_bytes) window_.resize(window_bytes);
  if (filled_ == window_bytes) {
    std::memcpy(window_.data(), window_.data() + window_bytes - history_bytes, history_bytes);
    filled_ = given_ = history_bytes;
  }
  while (filled_ < window_bytes) {
    if (literal_left_ > 0) {
      const std::size_t size = std::min(literal_left_, window_bytes - filled_);
      std::memcpy(window_.data() + filled_, input_.data(), size);
      input_ = input_.subspan(size);
      filled_ += size;
      literal_left_ -= size;
    } else if (copy_left_ > 0) {
      if (!copy_back()) return fail();
    } else if (input_.empty()) {
      ended_ = true;
      if (produced_ != expected_) return fail();
      break;
    } else if (!read_tag()) {
      return fail();
    }
  }
  const Bytes piece = Bytes(window_).subspan(given_, filled_ - given_);
  given_ = filled_;
  return piece;
}

bool SnappyBlock::read_number(std::size_t size_bytes, std::uint32_t& value) {
  if (input_.size() < size_bytes) return false;
  value = 0;
  for (std::size_t i = 0; i < size_bytes; ++i) value |= static_cast<std::uint32_t>(input_[i]) << (8 * i);
  input_ = input_.subspan(size_bytes);
  return true;
}

bool SnappyBlock::read_tag() {
  const unsigned tag = input_[0];
  input_ = input_.subspan(1);
  std::uint32_t number = 0;
  std::uint64_t size = 0;
  switch (tag & 3) {
    case 0: {
      size = (tag >> 2) + 1;
      if (size > 60) {
        if (!read_number(static_cast<std::size_t>(size - 60), number)) return false;
        size = std::uint64_t{number} + 1;
      }
      if (size > input_.size()) return false;
      literal_left_ = static_cast<std::size_t>(size);
      break;
    }
    case 1:
      if (!read_number(1, number)) return false;
      size = 4 + ((tag >> 2) & 7);
      copy_offset_ = ((tag >> 5) << 8) | number;
      copy_left_ = static_cast<std::size_t>(size);
      break;
    default:
      if (!read_number((tag & 3) == 2 ? 2 : 4, number)) return false;
      size = (tag >> 2) + 1;
      copy_offset_ = number;
      copy_left_ = static_cast<std::size_t>(size);
      break;
  }
  if ((tag & 3) != 0 && (copy_offset_ == 0 || copy_offset_ > produced_)) return false;
  if (size > expected_ - produced_) return false;
  produced_ += size;
  return true;
}

/// The copied range may overlap what it writes: that repeats it.
bool SnappyBlock::copy_back() {
  if (copy_offset_ > history_bytes || copy_offset_ > filled_) return false;
  const std::size_t size = std::min(copy_left_, window_.size() - filled_);
  std::uint8_t* to = window_.data() + filled_;
  const std::uint8_t* from = to - copy_offset_;
  for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
  filled_ += size;
  copy_left_ -= size;
  return true;
}

}  // namespace dohle::codec
