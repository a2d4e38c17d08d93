#include "codec/zstd_stream.h"

#include <zstd.h>

#include <algorithm>
#include <new>

namespace dohle::codec {

namespace {

struct FreeCompressor {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
struct FreeDecompressor {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};
using Compressor = std::unique_ptr<ZSTD_CCtx, FreeCompressor>;
using Decompressor = std::unique_ptr<ZSTD_DCtx, FreeDecompressor>;

/// Above this a context is not kept for the next stream: one frame with a huge window must not cost for ever.
constexpr std::size_t kept_context_bytes = std::size_t{16} << 20;

Compressor& spare_compressor() {
  thread_local Compressor spare;
  return spare;
}

class ZstdDeflater final : public DeflateSink {
 public:
  explicit ZstdDeflater(int level) : context_(std::move(spare_compressor())), buffer_(ZSTD_CStreamOutSize()) {
    if (!context_) context_.reset(ZSTD_createCCtx());
    if (!context_) throw std::bad_alloc();
    ZSTD_CCtx_reset(context_.get(), ZSTD_reset_session_and_parameters);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel,
                           std::clamp(level, ZSTD_minCLevel(), ZSTD_maxCLevel()));
  }
  ~ZstdDeflater() override {
    if (ZSTD_sizeof_CCtx(context_.get()) <= kept_context_bytes) spare_compressor() = std::move(context_);
  }
  ZstdDeflater(const ZstdDeflater&) = delete;
  ZstdDeflater& operator=(const ZstdDeflater&) = delete;

  // Never the whole input with `end` in one call: the library would then write the size into the frame's header.
  void write(Bytes input, Blob& output) override {
    ZSTD_inBuffer in = {input.data(), input.size(), 0};
    while (in.pos < in.size) run(in, ZSTD_e_continue, output);
  }

  void finish(Blob& output) override {
    ZSTD_inBuffer in = {nullptr, 0, 0};
    while (run(in, ZSTD_e_end, output) != 0) {
    }
  }

 private:
  std::size_t run(ZSTD_inBuffer& in, ZSTD_EndDirective directive, Blob& output) {
    ZSTD_outBuffer out = {buffer_.data(), buffer_.size(), 0};
    const std::size_t left = ZSTD_compressStream2(context_.get(), &out, &in, directive);
    // With valid parameters only memory can fail.
    if (ZSTD_isError(left)) throw std::bad_alloc();
    output.insert(output.end(), buffer_.data(), buffer_.data() + out.pos);
    return left;
  }

  Compressor context_;
  Blob buffer_;
};

class ZstdInflater final : public InflateSource {
 public:
  ZstdInflater() : buffer_(ZSTD_DStreamOutSize()) { make_context(); }

  void reset(Bytes input) override {
    rest_ = input;
    input_ = {};
    failed_ = false;
    frame_finished_ = true;
    pending_output_ = false;
    if (ZSTD_sizeof_DCtx(context_.get()) > kept_context_bytes) {
      make_context();
    } else {
      ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
    }
  }

  Bytes next() override {
    while (true) {
      if (input_.pos == input_.size && !pending_output_ && !refill()) return {};
      ZSTD_outBuffer out = {buffer_.data(), buffer_.size(), 0};
      const std::size_t hint = ZSTD_decompressStream(context_.get(), &out, &input_);
      if (ZSTD_isError(hint)) return fail();
      if (hint == 0) frame_finished_ = true;
      pending_output_ = hint != 0 && out.pos == out.size;
      if (out.pos > 0) return Bytes(buffer_).first(out.pos);
    }
  }

 private:
  /// zstd-jni reads its source in pieces of this size, and whether a cut frame is an error depends on it: once a frame
  /// is complete, what follows it in the same piece may end anywhere.
  bool refill() {
    if (rest_.empty()) {
      if (!frame_finished_) failed_ = true;
      return false;
    }
    frame_finished_ = false;
    const Bytes piece = rest_.first(std::min(rest_.size(), ZSTD_DStreamInSize()));
    rest_ = rest_.subspan(piece.size());
    input_ = {piece.data(), piece.size(), 0};
    return true;
  }

  void make_context() {
    context_.reset(ZSTD_createDCtx());
    if (!context_) throw std::bad_alloc();
  }

  Decompressor context_;
  Blob buffer_;
  Bytes rest_;
  ZSTD_inBuffer input_{};
  bool frame_finished_ = true;
  bool pending_output_ = false;
};

}  // namespace

std::unique_ptr<DeflateSink> make_zstd_deflater(int level) {
  return std::make_unique<ZstdDeflater>(level);
}
std::unique_ptr<InflateSource> make_zstd_inflater() {
  return std::make_unique<ZstdInflater>();
}

}  // namespace dohle::codec
