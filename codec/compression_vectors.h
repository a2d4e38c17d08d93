// For tests: the lines of testdata/compression_vectors.txt, which Kafka 4.4.0 wrote (see the program beside it).
#pragma once

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "codec/bytes.h"
#include "codec/compression.h"

namespace dohle::codec::testing {

inline Blob from_hex(const std::string& hex) {
  Blob bytes;
  if (hex == "-") return bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

/// The same bytes as input() of CompressionVectors.java.
inline Blob vector_input(std::size_t size) {
  Blob out(size);
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < size; ++i) {
    state = state * 1103515245 + 12345;
    const bool regular = (i > 1024 && (i / 64) % 32 != 0) || (i / 64) % 3 == 0;
    out[i] = static_cast<std::uint8_t>(regular ? 'a' + i % 7 : 'a' + ((state >> 16) & 15));
  }
  return out;
}

struct WrittenVector {
  Compression codec;
  int level;
  std::size_t input_size;
  std::uint32_t input_crc;
  Blob bytes;
};

struct ReadVector {
  Compression codec;
  std::string name;
  Blob bytes;
  bool fails = false;
  std::size_t size = 0;
  std::uint32_t crc = 0;
};

struct CompressionVectors {
  std::vector<WrittenVector> written;
  std::vector<ReadVector> read;

  /// Only those of `codec`. Tests run in the top folder of the source tree.
  static CompressionVectors of(Compression codec) {
    CompressionVectors vectors;
    std::ifstream file("codec/testdata/compression_vectors.txt");
    std::string line;
    while (std::getline(file, line)) {
      std::istringstream words(line);
      std::string kind, name, hex, size;
      words >> kind >> name;
      if (compression_from_name(name) != codec) continue;
      if (kind == "written") {
        WrittenVector vector{codec, 0, 0, 0, {}};
        words >> vector.level >> vector.input_size >> vector.input_crc >> hex;
        vector.bytes = from_hex(hex);
        vectors.written.push_back(vector);
      } else {
        ReadVector vector{codec, {}, {}};
        words >> vector.name >> hex >> size;
        vector.bytes = from_hex(hex);
        vector.fails = size == "fails";
        if (!vector.fails) vector.size = std::stoul(size);
        words >> vector.crc;
        vectors.read.push_back(vector);
      }
    }
    return vectors;
  }
};

}  // namespace dohle::codec::testing
