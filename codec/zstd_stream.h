// Zstandard frames as zstd-jni's streams write and read them.
#pragma once

#include <memory>

#include "codec/deflater.h"
#include "codec/inflater.h"

namespace dohle::codec {

/// One frame without content size and checksum. Levels -131072 to 22.
std::unique_ptr<DeflateSink> make_zstd_deflater(int level);
/// Accepts concatenated and skippable frames, no dictionary, windows up to 128 MiB.
std::unique_ptr<InflateSource> make_zstd_inflater();

}  // namespace dohle::codec
