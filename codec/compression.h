// The five compressions by name, and whole-buffer forms of both directions. The streaming forms are codec/deflater.h
// and codec/inflater.h. Source: org.apache.kafka.common.record.internal.CompressionType,
// org.apache.kafka.common.compress.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "codec/bytes.h"

namespace dohle::codec {

/// The values are those on the wire.
enum class Compression : std::uint8_t { none = 0, gzip = 1, snappy = 2, lz4 = 3, zstd = 4 };

/// Nothing for 5 and above, which no version of Kafka knows.
std::optional<Compression> compression_from_id(int id);
std::optional<Compression> compression_from_name(std::string_view name);
std::string_view compression_name(Compression compression);

/// The level that Kafka uses when none is configured: gzip -1, lz4 9, zstd 3. None and snappy have none: 0.
int default_compression_level(Compression compression);

/// Compresses the whole of `input`, in the framing that Kafka's producer writes: gzip one member, snappy in xerial's
/// frame with 32 KiB blocks, lz4 one frame of independent 64 KiB blocks, zstd one frame without content size. `level`
/// as in Kafka's configuration; out of range it is clamped. None is a copy. Any thread.
Blob compress(Compression compression, int level, Bytes input);

/// Decompresses the whole of `input`. Nothing when it is malformed, or when the output would pass `size_bytes_max`.
std::optional<Blob> inflate(Compression compression, Bytes input, std::size_t size_bytes_max);

}  // namespace dohle::codec
