#include "codec/lz4_frame.h"

#include <lz4.h>
#include <lz4hc.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "codec/xxh32.h"

namespace dohle::codec {

namespace {

constexpr std::uint32_t magic = 0x184d2204;
constexpr std::uint32_t stored_uncompressed = 0x80000000;
constexpr std::size_t written_block_bytes = 64 * 1024;
constexpr int fast_level = 9;

constexpr unsigned flag_version_mask = 0xc0;
constexpr unsigned flag_version = 0x40;
constexpr unsigned flag_independent = 0x20;
constexpr unsigned flag_block_checksum = 0x10;
constexpr unsigned flag_content_size = 0x08;
constexpr unsigned flag_content_checksum = 0x04;
constexpr unsigned flag_reserved = 0x03;

std::uint32_t little_endian(const std::uint8_t* from) {
  return from[0] | static_cast<std::uint32_t>(from[1]) << 8 | static_cast<std::uint32_t>(from[2]) << 16 |
         static_cast<std::uint32_t>(from[3]) << 24;
}

void append_little_endian(Blob& output, std::uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) output.push_back(static_cast<std::uint8_t>(value >> shift));
}

class Lz4Deflater final : public DeflateSink {
 public:
  explicit Lz4Deflater(int level) : level_(std::clamp(level, 1, 17)) { block_.reserve(written_block_bytes); }

  void write(Bytes input, Blob& output) override {
    write_header(output);
    while (!input.empty()) {
      // A full block waits for the next byte, so that the last one is never followed by an empty one.
      if (block_.size() == written_block_bytes) write_block(output);
      const std::size_t size = std::min(input.size(), written_block_bytes - block_.size());
      block_.insert(block_.end(), input.data(), input.data() + size);
      input = input.subspan(size);
    }
  }

  void finish(Blob& output) override {
    write_header(output);
    if (!block_.empty()) write_block(output);
    append_little_endian(output, 0);
  }

 private:
  void write_header(Blob& output) {
    if (header_written_) return;
    header_written_ = true;
    append_little_endian(output, magic);
    constexpr std::array<std::uint8_t, 2> descriptor = {flag_version | flag_independent, 0x40};
    output.insert(output.end(), descriptor.begin(), descriptor.end());
    output.push_back(static_cast<std::uint8_t>(xxh32(descriptor) >> 8));
  }

  void write_block(Blob& output) {
    const int size = static_cast<int>(block_.size());
    const int bound = LZ4_compressBound(size);
    const std::size_t at = output.size();
    output.resize(at + 4 + static_cast<std::size_t>(bound));
    auto* to = reinterpret_cast<char*>(output.data() + at + 4);
    const auto* from = reinterpret_cast<const char*>(block_.data());
    int compressed = level_ == fast_level ? LZ4_compress_default(from, to, size, bound)
                                          : LZ4_compress_HC(from, to, size, bound, level_);
    std::uint32_t mark = 0;
    if (compressed <= 0 || compressed >= size) {
      std::copy(block_.begin(), block_.end(), output.begin() + static_cast<std::ptrdiff_t>(at) + 4);
      compressed = size;
      mark = stored_uncompressed;
    }
    output.resize(at + 4 + static_cast<std::size_t>(compressed));
    const std::uint32_t length = static_cast<std::uint32_t>(compressed) | mark;
    for (unsigned i = 0; i < 4; ++i) output[at + i] = static_cast<std::uint8_t>(length >> (8 * i));
    block_.clear();
  }

  int level_;
  Blob block_;
  bool header_written_ = false;
};

class Lz4Inflater final : public InflateSource {
 public:
  void reset(Bytes input) override {
    input_ = input;
    failed_ = false;
    header_read_ = false;
    ended_ = false;
    // A block of the largest kind is rare: its memory is not kept.
    if (block_.size() > kept_block_bytes) Blob().swap(block_);
  }

  Bytes next() override {
    if (!header_read_ && !read_header()) return fail();
    while (!ended_) {
      const Bytes piece = read_block();
      if (failed_ || !piece.empty()) return piece;
    }
    return {};
  }

 private:
  static constexpr std::size_t kept_block_bytes = 256 * 1024;

  bool read_header() {
    header_read_ = true;
    if (input_.size() < 7 || little_endian(input_.data()) != magic) return false;
    flags_ = input_[4];
    const unsigned block = input_[5];
    if ((flags_ & flag_reserved) || !(flags_ & flag_independent) || (flags_ & flag_version_mask) != flag_version) {
      return false;
    }
    const unsigned block_code = block >> 4;
    if ((block & 0x0f) || block_code < 4 || block_code > 7) return false;
    block_bytes_max_ = std::size_t{1} << (2 * block_code + 8);
    const std::size_t descriptor = (flags_ & flag_content_size) ? 10 : 2;
    if (input_.size() < 4 + descriptor + 1) return false;
    const auto expected = static_cast<std::uint8_t>(xxh32(input_.subspan(4, descriptor)) >> 8);
    if (input_[4 + descriptor] != expected) return false;
    input_ = input_.subspan(4 + descriptor + 1);
    return true;
  }

  Bytes read_block() {
    if (input_.size() < 4) return fail();
    const std::uint32_t mark = little_endian(input_.data());
    const std::size_t size = mark & ~stored_uncompressed;
    input_ = input_.subspan(4);
    if (size == 0) {
      ended_ = true;
      // Kafka steps over the checksum of the content without verifying it.
      if ((flags_ & flag_content_checksum) && input_.size() < 4) return fail();
      return {};
    }
    if (size > block_bytes_max_ || size > input_.size()) return fail();
    const Bytes stored = input_.first(size);
    input_ = input_.subspan(size);
    if (flags_ & flag_block_checksum) {
      if (input_.size() < 4 || little_endian(input_.data()) != xxh32(stored)) return fail();
      input_ = input_.subspan(4);
    }
    return (mark & stored_uncompressed) ? stored : decompress(stored);
  }

  Bytes decompress(Bytes stored) {
    if (block_.size() < block_bytes_max_) block_.resize(block_bytes_max_);
    const int size =
        LZ4_decompress_safe(reinterpret_cast<const char*>(stored.data()), reinterpret_cast<char*>(block_.data()),
                            static_cast<int>(stored.size()), static_cast<int>(block_bytes_max_));
    if (size < 0) return fail();
    return Bytes(block_).first(static_cast<std::size_t>(size));
  }

  Bytes input_;
  Blob block_;
  std::size_t block_bytes_max_ = 0;
  unsigned flags_ = 0;
  bool header_read_ = false;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<DeflateSink> make_lz4_deflater(int level) {
  return std::make_unique<Lz4Deflater>(level);
}
std::unique_ptr<InflateSource> make_lz4_inflater() {
  return std::make_unique<Lz4Inflater>();
}

}  // namespace dohle::codec
