// Snappy as snappy-java's streams write and read it: xerial's frame around raw blocks (not the official framing), and
// the bare block that other clients send.
#pragma once

#include <memory>

#include "codec/deflater.h"
#include "codec/inflater.h"

namespace dohle::codec {

/// Xerial's frame, blocks of 32 KiB.
std::unique_ptr<DeflateSink> make_snappy_deflater();
/// Xerial's frame, also concatenated ones; without its magic, the whole input as one raw block.
std::unique_ptr<InflateSource> make_snappy_inflater();

}  // namespace dohle::codec
