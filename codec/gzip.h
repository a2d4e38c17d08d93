// Gzip as the JDK's streams write and read it (java.util.zip.GZIPOutputStream, GZIPInputStream of OpenJDK 17).
#pragma once

#include <memory>

#include "codec/deflater.h"
#include "codec/inflater.h"

namespace dohle::codec {

/// Levels 1 to 9, or -1 for zlib's default.
std::unique_ptr<DeflateSink> make_gzip_deflater(int level);
/// Accepts concatenated members, and ignores what follows the last one if it is no member.
std::unique_ptr<InflateSource> make_gzip_inflater();

}  // namespace dohle::codec
