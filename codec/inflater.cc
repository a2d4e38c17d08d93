#include "codec/inflater.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "codec/gzip.h"
#include "codec/lz4_frame.h"
#include "codec/snappy_frame.h"
#include "codec/zstd_stream.h"

namespace dohle::codec {

namespace {

class Whole final : public InflateSource {
 public:
  void reset(Bytes input) override { input_ = input; }
  Bytes next() override { return std::exchange(input_, Bytes()); }

 private:
  Bytes input_;
};

std::unique_ptr<InflateSource> make_source(Compression compression) {
  switch (compression) {
    case Compression::gzip:
      return make_gzip_inflater();
    case Compression::snappy:
      return make_snappy_inflater();
    case Compression::lz4:
      return make_lz4_inflater();
    case Compression::zstd:
      return make_zstd_inflater();
    case Compression::none:
      break;
  }
  return std::make_unique<Whole>();
}

/// One spare source per format and thread. More than one is in use at a time only when streams are nested.
std::unique_ptr<InflateSource>& spare(Compression compression) {
  thread_local std::array<std::unique_ptr<InflateSource>, 5> spares;
  return spares[static_cast<std::size_t>(compression)];
}

}  // namespace

Inflater::Inflater(Compression compression, Bytes input)
    : compression_(compression), source_(std::move(spare(compression))) {
  if (!source_) source_ = make_source(compression);
  source_->reset(input);
}

Inflater::Inflater(Inflater&& other) noexcept = default;

Inflater::~Inflater() {
  if (!source_) return;
  source_->reset({});
  spare(compression_) = std::move(source_);
}

Bytes Inflater::next_chunk() {
  if (!rest_.empty()) return std::exchange(rest_, Bytes());
  return source_->failed() ? Bytes() : source_->next();
}

std::optional<std::size_t> Inflater::read(MutableBytes out) {
  std::size_t filled = 0;
  while (filled < out.size()) {
    const Bytes piece = next_chunk();
    if (piece.empty()) break;
    const std::size_t size = std::min(piece.size(), out.size() - filled);
    std::memcpy(out.data() + filled, piece.data(), size);
    filled += size;
    rest_ = piece.subspan(size);
  }
  if (filled < out.size() && failed()) return std::nullopt;
  return filled;
}

}  // namespace dohle::codec
