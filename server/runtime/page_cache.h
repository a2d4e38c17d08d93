// Whether a range of a file is in the page cache, so that a cold read can be sent to the disk pool instead of holding
// up every connection of a reactor.
#pragma once

#include <cstdint>

namespace dohle::runtime {

/// True if reading this range will not wait for the disk, or if the kernel cannot say. Any thread; a few microseconds.
bool is_cached(int file, std::uint64_t offset_bytes, std::uint64_t size_bytes);

/// Reads the range, and some more that is likely to be asked for next, into the page cache; returns when the range is
/// there. Blocks: for the disk pool. Errors show when the range is sent.
void read_ahead(int file, std::uint64_t offset_bytes, std::uint64_t size_bytes);

}  // namespace dohle::runtime
