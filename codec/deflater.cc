#include "codec/deflater.h"

#include "codec/gzip.h"
#include "codec/lz4_frame.h"
#include "codec/snappy_frame.h"
#include "codec/zstd_stream.h"

namespace dohle::codec {

namespace {

class Copy final : public DeflateSink {
 public:
  void write(Bytes input, Blob& output) override { output.insert(output.end(), input.begin(), input.end()); }
  void finish(Blob&) override {}
};

std::unique_ptr<DeflateSink> make_sink(Compression compression, int level) {
  switch (compression) {
    case Compression::gzip:
      return make_gzip_deflater(level);
    case Compression::snappy:
      return make_snappy_deflater();
    case Compression::lz4:
      return make_lz4_deflater(level);
    case Compression::zstd:
      return make_zstd_deflater(level);
    case Compression::none:
      break;
  }
  return std::make_unique<Copy>();
}

}  // namespace

Deflater::Deflater(Compression compression, int level, Blob& output)
    : sink_(make_sink(compression, level)), output_(&output) {}

}  // namespace dohle::codec
