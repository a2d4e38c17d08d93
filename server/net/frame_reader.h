// Cuts what arrives on a connection into frames: four bytes of size, then so many bytes (protocol.md a.1). Knows no
// event loop: it is asked to go on when there is something to read.
//
// An idle connection holds no buffer. What is announced is not believed: memory grows with what has arrived, and is
// taken from the budget before it is used.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "codec/bytes.h"
#include "server/net/frame_buffer.h"
#include "server/net/transport.h"
#include "server/runtime/memory_budget.h"

namespace dohle::net {

class FrameReader {
 public:
  enum class State : std::uint8_t {
    frame,        // frame() is complete; release() it before reading on
    need_input,   // wait until the socket is readable
    need_memory,  // wait until the waiter is woken
    yield,        // there is more, but others may want their turn
    end,          // the peer closed, between frames or inside one
    refused,      // a size that is negative or too large: close, as Kafka does
    failed,       // the socket failed, or memory has run out
  };

  /// Both outlive the reader. `frame_bytes_max` is socket.request.max.bytes.
  FrameReader(Transport& transport, runtime::MemoryBudget& budget, std::size_t frame_bytes_max)
      : transport_(transport), budget_(budget), frame_bytes_max_(frame_bytes_max) {}

  /// Goes on until it has to say something. `scratch` is shared by the connections of a thread and is free again when
  /// the call returns; `waiter` is woken when memory came back.
  State read(codec::MutableBytes scratch, const std::shared_ptr<runtime::Waiter>& waiter);

  /// Valid after `frame`, until release().
  codec::MutableBytes frame() { return buffer_.bytes().first(received_bytes_); }
  /// Frees the frame and gives its memory back to the budget; once more is harmless.
  void release();

  /// A frame has begun and is not complete.
  bool mid_frame() const { return size_.has_value() ? !complete_ : header_bytes_ > 0; }
  /// No longer waiting for memory.
  void stop_waiting();

 private:
  /// A frame's first allocation; then four times as much, as it fills.
  static constexpr std::size_t first_step_bytes = 256 << 10;
  /// Read in one go before other connections have their turn.
  static constexpr std::size_t turn_bytes = 1 << 20;

  std::optional<State> take(codec::Bytes& bytes, const std::shared_ptr<runtime::Waiter>& waiter);
  std::optional<State> take_size(codec::Bytes& bytes);
  std::optional<State> make_room(std::size_t wanted_bytes, const std::shared_ptr<runtime::Waiter>& waiter);
  void keep(codec::Bytes rest);

  Transport& transport_;
  runtime::MemoryBudget& budget_;
  const std::size_t frame_bytes_max_;

  std::uint8_t header_[4] = {};
  std::size_t header_bytes_ = 0;
  std::optional<std::size_t> size_;  // of the frame that is under way
  std::size_t received_bytes_ = 0;
  bool complete_ = false;
  FrameBuffer buffer_;
  std::optional<runtime::MemoryBudget::Share> share_;
  std::vector<std::uint8_t> kept_;  // arrived behind a frame that was handed out; at most one scratch
};

}  // namespace dohle::net
