// Decompresses a stream through a window of bounded size, whatever it inflates to. What each format accepts is what
// Kafka's reader accepts (org.apache.kafka.common.compress and the libraries below it).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "codec/bytes.h"
#include "codec/compression.h"

namespace dohle::codec {

/// What one format does.
class InflateSource {
 public:
  virtual ~InflateSource() = default;
  /// Begins a new stream, whatever became of the former.
  virtual void reset(Bytes input) = 0;
  /// The next piece, valid until the next call; empty at the end and after a failure.
  virtual Bytes next() = 0;
  bool failed() const { return failed_; }

 protected:
  Bytes fail() {
    failed_ = true;
    return {};
  }
  bool failed_ = false;
};

/// Memory: at most the window of the format: 64 KiB for gzip and snappy as everybody writes it, one block (up to 4 MiB)
/// for lz4, what the frame names (up to 128 MiB, as in Kafka; 8 MiB at most by common levels) for zstd. Contexts are
/// kept per thread, so that making one for each small batch is cheap. Belongs to one thread at a time and should end
/// where it began.
class Inflater {
 public:
  /// `input` must outlive it.
  Inflater(Compression compression, Bytes input);
  ~Inflater();
  Inflater(Inflater&& other) noexcept;
  Inflater& operator=(Inflater&&) = delete;

  /// The next piece of output, never empty before the end; valid until the next call of anything. Empty at the end, and
  /// when the input is malformed: then `failed()` is true, and stays so.
  Bytes next_chunk();

  /// Fills `out` as far as there is output. The number of bytes, less than asked for only at the end (0 at the end), or
  /// nothing when the input is malformed before that many.
  std::optional<std::size_t> read(MutableBytes out);

  bool failed() const { return source_->failed(); }

 private:
  Compression compression_;
  std::unique_ptr<InflateSource> source_;
  Bytes rest_;  // of the last piece, what read() has not handed out
};

}  // namespace dohle::codec
