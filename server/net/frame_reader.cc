#include "server/net/frame_reader.h"

#include <algorithm>
#include <cstring>

#include "server/runtime/check.h"

namespace dohle::net {

FrameReader::State FrameReader::read(codec::MutableBytes scratch, const std::shared_ptr<runtime::Waiter>& waiter) {
  CHECK(!complete_);
  if (!kept_.empty()) {
    std::vector<std::uint8_t> kept = std::move(kept_);
    kept_.clear();
    codec::Bytes rest = kept;
    std::optional<State> state = take(rest, waiter);
    keep(rest);
    if (state) return *state;
  }
  std::size_t turn = 0;
  while (turn < turn_bytes) {
    // The bulk of a large frame goes straight to its place; all else by way of the scratch, where one call fetches a
    // size and its frame together.
    bool direct = size_ && *size_ - received_bytes_ > scratch.size();
    if (direct) {
      if (std::optional<State> state = make_room(received_bytes_ + 1, waiter)) return *state;
    }
    codec::MutableBytes target = direct ? buffer_.bytes().subspan(received_bytes_) : scratch;
    IoResult result = transport_.receive(target);
    if (result.kind == IoResult::Kind::would_block) return State::need_input;
    if (result.kind == IoResult::Kind::end) return State::end;
    if (result.kind == IoResult::Kind::failed) return State::failed;
    turn += result.bytes;
    if (direct) {
      received_bytes_ += result.bytes;
      if (received_bytes_ < *size_) continue;
      complete_ = true;
      return State::frame;
    }
    codec::Bytes rest = scratch.first(result.bytes);
    std::optional<State> state = take(rest, waiter);
    keep(rest);
    if (state) return *state;
    if (result.bytes < target.size()) return State::need_input;  // the socket is empty: save the call that says so
  }
  return State::yield;
}

std::optional<FrameReader::State> FrameReader::take(codec::Bytes& bytes,
                                                    const std::shared_ptr<runtime::Waiter>& waiter) {
  if (!size_) {
    if (std::optional<State> state = take_size(bytes)) return state;
    if (!size_) return std::nullopt;
  }
  std::size_t count = std::min(bytes.size(), *size_ - received_bytes_);
  if (count > 0) {
    if (std::optional<State> state = make_room(received_bytes_ + count, waiter)) return state;
    std::memcpy(buffer_.bytes().data() + received_bytes_, bytes.data(), count);
    received_bytes_ += count;
    bytes = bytes.subspan(count);
  }
  if (received_bytes_ < *size_) return std::nullopt;
  complete_ = true;
  return State::frame;
}

std::optional<FrameReader::State> FrameReader::take_size(codec::Bytes& bytes) {
  std::size_t count = std::min(bytes.size(), sizeof header_ - header_bytes_);
  std::memcpy(header_ + header_bytes_, bytes.data(), count);
  header_bytes_ += count;
  bytes = bytes.subspan(count);
  if (header_bytes_ < sizeof header_) return std::nullopt;
  std::uint32_t size = std::uint32_t{header_[0]} << 24 | std::uint32_t{header_[1]} << 16 |
                       std::uint32_t{header_[2]} << 8 | std::uint32_t{header_[3]};
  // A negative size is a large one here.
  if (size > INT32_MAX || size > frame_bytes_max_) return State::refused;
  size_ = size;
  share_.emplace(budget_, size);
  return std::nullopt;
}

std::optional<FrameReader::State> FrameReader::make_room(std::size_t wanted_bytes,
                                                         const std::shared_ptr<runtime::Waiter>& waiter) {
  std::size_t capacity = buffer_.capacity_bytes();
  if (wanted_bytes <= capacity) return std::nullopt;
  std::size_t grown = std::min(*size_, std::max({wanted_bytes, capacity * 4, first_step_bytes}));
  if (!share_->grow(grown - capacity, waiter)) return State::need_memory;
  if (!buffer_.grow_to(grown)) return State::failed;
  return std::nullopt;
}

void FrameReader::keep(codec::Bytes rest) {
  kept_.assign(rest.begin(), rest.end());
}

void FrameReader::release() {
  buffer_.free();
  share_.reset();
  // Also called early, by a handler that parks: the frame is then over all the same.
  size_.reset();
  header_bytes_ = 0;
  received_bytes_ = 0;
  complete_ = false;
}

void FrameReader::stop_waiting() {
  if (share_) share_->stop_waiting();
}

}  // namespace dohle::net
