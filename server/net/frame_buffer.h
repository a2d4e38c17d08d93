// The memory of one frame: grows as bytes arrive, without clearing what will be overwritten anyway.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "codec/bytes.h"

namespace dohle::net {

class FrameBuffer {
 public:
  FrameBuffer() = default;
  FrameBuffer(const FrameBuffer&) = delete;
  FrameBuffer& operator=(const FrameBuffer&) = delete;
  ~FrameBuffer() { std::free(data_); }

  /// False if there is no memory; then nothing has changed.
  [[nodiscard]] bool grow_to(std::size_t capacity_bytes) {
    // Large blocks are moved by the kernel's page tables, not copied.
    void* grown = std::realloc(data_, capacity_bytes);
    if (grown == nullptr) return false;
    data_ = static_cast<std::uint8_t*>(grown);
    capacity_bytes_ = capacity_bytes;
    return true;
  }

  void free() {
    std::free(data_);
    data_ = nullptr;
    capacity_bytes_ = 0;
  }

  std::size_t capacity_bytes() const { return capacity_bytes_; }
  codec::MutableBytes bytes() { return {data_, capacity_bytes_}; }

 private:
  std::uint8_t* data_ = nullptr;
  std::size_t capacity_bytes_ = 0;
};

}  // namespace dohle::net
