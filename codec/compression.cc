#include "codec/compression.h"

#include <array>

#include "codec/deflater.h"
#include "codec/inflater.h"

namespace dohle::codec {

namespace {

constexpr std::array<std::string_view, 5> names = {"none", "gzip", "snappy", "lz4", "zstd"};

}  // namespace

std::optional<Compression> compression_from_id(int id) {
  if (id < 0 || id >= static_cast<int>(names.size())) return std::nullopt;
  return static_cast<Compression>(id);
}

std::optional<Compression> compression_from_name(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Compression>(i);
  }
  return std::nullopt;
}

std::string_view compression_name(Compression compression) {
  return names[static_cast<std::size_t>(compression)];
}

int default_compression_level(Compression compression) {
  switch (compression) {
    case Compression::gzip:
      return -1;
    case Compression::lz4:
      return 9;
    case Compression::zstd:
      return 3;
    case Compression::none:
    case Compression::snappy:
      break;
  }
  return 0;
}

Blob compress(Compression compression, int level, Bytes input) {
  Blob output;
  Deflater deflater(compression, level, output);
  deflater.write(input);
  deflater.finish();
  return output;
}

std::optional<Blob> inflate(Compression compression, Bytes input, std::size_t size_bytes_max) {
  Inflater inflater(compression, input);
  Blob output;
  while (true) {
    const Bytes piece = inflater.next_chunk();
    if (piece.empty()) break;
    if (piece.size() > size_bytes_max - output.size()) return std::nullopt;
    output.insert(output.end(), piece.begin(), piece.end());
  }
  if (inflater.failed()) return std::nullopt;
  return output;
}

}  // namespace dohle::codec
