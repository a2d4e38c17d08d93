// The part of the lz4 frame format that Kafka writes and reads (Lz4BlockOutputStream, Lz4BlockInputStream).
#pragma once

#include <memory>

#include "codec/deflater.h"
#include "codec/inflater.h"

namespace dohle::codec {

/// Independent blocks of 64 KiB, no checksums, no content size. Levels 1 to 17, of which 9 is the fast compressor and
/// the others the strong one.
std::unique_ptr<DeflateSink> make_lz4_deflater(int level);
/// One frame, without dictionary, of independent blocks; what follows its end mark is not looked at.
std::unique_ptr<InflateSource> make_lz4_inflater();

}  // namespace dohle::codec
