// For tests: the batches of testdata/record_batch_vectors.txt, which Kafka 4.4.0 built (see the program beside it).
#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "codec/bytes.h"

namespace dohle::protocol::testing {

/// Empty when there is none of that name. Tests run in the top folder of the source tree.
inline codec::Blob batch_vector(const std::string& wanted) {
  std::ifstream file("protocol/testdata/record_batch_vectors.txt");
  std::string name, hex;
  codec::Blob bytes;
  while (file >> name >> hex) {
    if (name != wanted) continue;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
      bytes.push_back(static_cast<std::uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    }
  }
  return bytes;
}

}  // namespace dohle::protocol::testing
