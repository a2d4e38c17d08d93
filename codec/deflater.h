// Compresses a stream piece by piece, so that a batch can be rebuilt without its whole content in memory. How the input
// is cut into pieces does not show in the output.
#pragma once

#include <memory>

#include "codec/bytes.h"
#include "codec/compression.h"

namespace dohle::codec {

/// What one format does. Appends to the output what is ready.
class DeflateSink {
 public:
  virtual ~DeflateSink() = default;
  virtual void write(Bytes input, Blob& output) = 0;
  virtual void finish(Blob& output) = 0;
};

class Deflater {
 public:
  /// Appends everything to `output`, which must outlive it. Levels as in compress().
  Deflater(Compression compression, int level, Blob& output);
  void write(Bytes input) { sink_->write(input, *output_); }
  /// Writes what is held back, and the trailer. Nothing may be written after it.
  void finish() { sink_->finish(*output_); }

 private:
  std::unique_ptr<DeflateSink> sink_;
  Blob* output_;
};

}  // namespace dohle::codec
