#include "codec/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <new>

namespace dohle::codec {

namespace {

constexpr std::size_t window_bytes = 32 * 1024;
constexpr std::size_t trailer_bytes = 8;
constexpr std::size_t member_bytes_min = 18;  // a header and a trailer
constexpr int raw_deflate = -MAX_WBITS;       // the header and trailer are ours
constexpr int memory_level = 8;               // as in the JDK

// Header flags of RFC 1952. The JDK skips over the other bits without a look.
constexpr unsigned has_header_crc = 2;
constexpr unsigned has_extra = 4;
constexpr unsigned has_name = 8;
constexpr unsigned has_comment = 16;

std::uint32_t little_endian(const std::uint8_t* from) {
  return from[0] | static_cast<std::uint32_t>(from[1]) << 8 | static_cast<std::uint32_t>(from[2]) << 16 |
         static_cast<std::uint32_t>(from[3]) << 24;
}

void append_little_endian(Blob& output, std::uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) output.push_back(static_cast<std::uint8_t>(value >> shift));
}

std::uint32_t checksum(std::uint32_t crc, Bytes bytes) {
  return static_cast<std::uint32_t>(crc32_z(crc, bytes.data(), bytes.size()));
}

class GzipDeflater final : public DeflateSink {
 public:
  explicit GzipDeflater(int level) {
    level = level < 1 ? Z_DEFAULT_COMPRESSION : std::min(level, 9);
    if (deflateInit2(&stream_, level, Z_DEFLATED, raw_deflate, memory_level, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~GzipDeflater() override { deflateEnd(&stream_); }
  GzipDeflater(const GzipDeflater&) = delete;
  GzipDeflater& operator=(const GzipDeflater&) = delete;

  void write(Bytes input, Blob& output) override {
    write_header(output);
    crc_ = checksum(crc_, input);
    size_ += static_cast<std::uint32_t>(input.size());
    while (!input.empty()) {
      const std::size_t size = std::min<std::size_t>(input.size(), std::numeric_limits<uInt>::max());
      stream_.next_in = const_cast<Bytef*>(input.data());
      stream_.avail_in = static_cast<uInt>(size);
      run(Z_NO_FLUSH, output);
      input = input.subspan(size);
    }
  }

  void finish(Blob& output) override {
    write_header(output);
    run(Z_FINISH, output);
    append_little_endian(output, crc_);
    append_little_endian(output, size_);
  }

 private:
  void write_header(Blob& output) {
    if (header_written_) return;
    header_written_ = true;
    // No flags, no time, no extra flags, operating system unknown: as the JDK writes it since version 16.
    constexpr std::array<std::uint8_t, 10> header = {0x1f, 0x8b, Z_DEFLATED, 0, 0, 0, 0, 0, 0, 0xff};
    output.insert(output.end(), header.begin(), header.end());
  }

  void run(int flush, Blob& output) {
    int result = Z_OK;
    do {
      stream_.next_out = buffer_.data();
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      result = deflate(&stream_, flush);
      output.insert(output.end(), buffer_.data(), buffer_.data() + (buffer_.size() - stream_.avail_out));
    } while (stream_.avail_out == 0 && result != Z_STREAM_END);
  }

  z_stream stream_{};
  std::array<std::uint8_t, 8192> buffer_;
  std::uint32_t crc_ = 0;
  std::uint32_t size_ = 0;
  bool header_written_ = false;
};

class GzipInflater final : public InflateSource {
 public:
  GzipInflater() : window_(window_bytes) {
    if (inflateInit2(&stream_, raw_deflate) != Z_OK) throw std::bad_alloc();
  }
  ~GzipInflater() override { inflateEnd(&stream_); }
  GzipInflater(const GzipInflater&) = delete;
  GzipInflater& operator=(const GzipInflater&) = delete;

  void reset(Bytes input) override {
    input_ = input;
    failed_ = false;
    ended_ = false;
    // The header is read with the first piece; an unreadable first one is an error, unlike a later one.
    first_ = true;
  }

  Bytes next() override {
    if (first_) {
      first_ = false;
      if (!read_header()) return fail();
      begin_member();
    }
    while (!ended_) {
      const Bytes piece = inflate_piece();
      if (failed_ || !piece.empty()) return piece;
    }
    return {};
  }

 private:
  void begin_member() {
    inflateReset(&stream_);
    stream_.avail_in = 0;
    crc_ = 0;
    size_ = 0;
  }

  /// Moves past the header if there is a good one, and does not move otherwise.
  bool read_header() {
    if (input_.size() < 10 || input_[0] != 0x1f || input_[1] != 0x8b || input_[2] != Z_DEFLATED) return false;
    const unsigned flags = input_[3];
    std::size_t at = 10;
    if (flags & has_extra) {
      if (input_.size() - at < 2) return false;
      const std::size_t size = input_[at] | static_cast<std::size_t>(input_[at + 1]) << 8;
      at += 2;
      if (input_.size() - at < size) return false;
      at += size;
    }
    for (const unsigned text : {has_name, has_comment}) {
      if (!(flags & text)) continue;
      const auto end = std::find(input_.begin() + static_cast<std::ptrdiff_t>(at), input_.end(), 0);
      if (end == input_.end()) return false;
      at = static_cast<std::size_t>(end - input_.begin()) + 1;
    }
    if (flags & has_header_crc) {
      if (input_.size() - at < 2) return false;
      const std::uint32_t stored = input_[at] | static_cast<std::uint32_t>(input_[at + 1]) << 8;
      if (stored != (checksum(0, input_.first(at)) & 0xffff)) return false;
      at += 2;
    }
    input_ = input_.subspan(at);
    return true;
  }

  Bytes inflate_piece() {
    const std::size_t offered = std::min<std::size_t>(input_.size(), std::numeric_limits<uInt>::max());
    stream_.next_in = const_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(offered);
    stream_.next_out = window_.data();
    stream_.avail_out = static_cast<uInt>(window_.size());
    const int result = ::inflate(&stream_, Z_NO_FLUSH);
    input_ = input_.subspan(offered - stream_.avail_in);
    const Bytes piece = Bytes(window_).first(window_.size() - stream_.avail_out);
    crc_ = checksum(crc_, piece);
    size_ += static_cast<std::uint32_t>(piece.size());
    if (result == Z_STREAM_END) {
      end_member();
    } else if (result != Z_OK || (piece.empty() && input_.empty())) {
      return fail();
    }
    // What came before a bad trailer is lost with it, as in Java, whose read throws.
    return failed_ ? Bytes() : piece;
  }

  void end_member() {
    if (input_.size() < trailer_bytes || little_endian(input_.data()) != crc_ ||
        little_endian(input_.data() + 4) != size_) {
      failed_ = true;
      return;
    }
    input_ = input_.subspan(trailer_bytes);
    // The JDK looks for another member only where one could be, and takes anything else for the end.
    if (input_.size() > member_bytes_min && read_header()) {
      begin_member();
    } else {
      ended_ = true;
    }
  }

  z_stream stream_{};
  Blob window_;
  Bytes input_;
  std::uint32_t crc_ = 0;
  std::uint32_t size_ = 0;
  bool first_ = true;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<DeflateSink> make_gzip_deflater(int level) {
  return std::make_unique<GzipDeflater>(level);
}
std::unique_ptr<InflateSource> make_gzip_inflater() {
  return std::make_unique<GzipInflater>();
}

}  // namespace dohle::codec
