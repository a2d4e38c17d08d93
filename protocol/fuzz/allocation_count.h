// Counts what the program allocates: include it in one translation unit of a binary only, since it replaces the global
// operator new.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace dohle::protocol::fuzz {

inline std::size_t allocated_bytes = 0;
inline std::size_t allocated_blocks = 0;

/// What was allocated since it was made, freed or not.
class AllocationCount {
 public:
  std::size_t bytes() const { return allocated_bytes - bytes_; }
  std::size_t blocks() const { return allocated_blocks - blocks_; }

 private:
  std::size_t bytes_ = allocated_bytes;
  std::size_t blocks_ = allocated_blocks;
};

}  // namespace dohle::protocol::fuzz

// Not inlined: the compiler would see malloc and delete, and warn that they do not match.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  dohle::protocol::fuzz::allocated_bytes += size;
  ++dohle::protocol::fuzz::allocated_blocks;
  return std::malloc(size);
}
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (void* block = operator new(size, std::nothrow)) return block;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* block) noexcept {
  std::free(block);
}
[[gnu::noinline]] void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}
[[gnu::noinline]] void operator delete(void* block, const std::nothrow_t&) noexcept {
  std::free(block);
}
