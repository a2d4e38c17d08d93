// Walks over the batches of a .log file, header by header, through a window: few system calls, bounded memory.
// Follows Kafka's FileLogInputStream: the walk ends at the end, or before a batch that is not whole.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "codec/bytes.h"
#include "server/log/batch_header.h"
#include "server/runtime/file.h"
#include "server/runtime/result.h"

namespace dohle::log {

/// Does the CRC of the batch at the start of `bytes` hold? All of it must be there.
bool batch_crc_is_right(const BatchHeader& header, codec::Bytes bytes);

class BatchScanner {
 public:
  /// Reads [begin_bytes, end_bytes) of the file. A small window suits a few headers, a large one a whole file.
  BatchScanner(const runtime::File& file, std::uint64_t begin_bytes, std::uint64_t end_bytes,
               std::size_t window_bytes = 8192);

  /// The next batch; nullopt at the end; `corrupt` where no batch can be (its position is then position_bytes()).
  runtime::Result<std::optional<BatchHeader>> next();
  /// Where the batch of the last next() begins; or, at the end, where the next one would.
  std::uint64_t position_bytes() const { return position_; }

  /// Of the batch of the last next(): does the CRC hold? Reads it all.
  runtime::Result<bool> crc_is_right();
  /// All its bytes. Meant for small batches (markers) and for batches whose records are looked at.
  runtime::Result<codec::Blob> bytes();
  /// The same as a view, which holds until the next call. `corrupt` if it is cut short.
  runtime::Result<codec::Bytes> batch();

 private:
  /// A view of `size` bytes at `position`; shorter only at the end of the range or of the file.
  runtime::Result<codec::Bytes> view(std::uint64_t position, std::size_t size);

  const runtime::File& file_;
  std::uint64_t position_;
  std::uint64_t end_;
  std::uint64_t next_;
  BatchHeader header_;
  codec::Blob window_;
  std::uint64_t window_begin_ = 0;
  std::size_t window_size_ = 0;
  std::size_t window_bytes_;
};

}  // namespace dohle::log
