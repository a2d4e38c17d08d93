// Inflates anything as lz4: no crash, and what comes out of pieces is what comes out of reads.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "codec/fuzz/inflate.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dohle::codec::fuzz_inflate(dohle::codec::Compression::lz4, {data, size});
  return 0;
}
