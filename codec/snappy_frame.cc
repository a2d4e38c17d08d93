#include "codec/snappy_frame.h"

#include <snappy.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "codec/snappy_block.h"

namespace dohle::codec {

namespace {

constexpr std::size_t block_bytes = 32 * 1024;
constexpr std::size_t header_bytes = 16;
constexpr std::array<std::uint8_t, 8> magic = {0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0};
constexpr std::uint32_t magic_head = 0x82534e41;  // the magic where a chunk's length is expected
constexpr std::uint32_t chunk_bytes_max = 512u << 20;
constexpr std::int32_t version = 1;

std::uint32_t big_endian(const std::uint8_t* from) {
  return static_cast<std::uint32_t>(from[0]) << 24 | static_cast<std::uint32_t>(from[1]) << 16 |
         static_cast<std::uint32_t>(from[2]) << 8 | from[3];
}

void put_big_endian(std::uint8_t* to, std::uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) to[i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
}

class SnappyDeflater final : public DeflateSink {
 public:
  SnappyDeflater() { block_.reserve(block_bytes); }

  void write(Bytes input, Blob& output) override {
    write_header(output);
    while (!input.empty()) {
      const std::size_t size = std::min(input.size(), block_bytes - block_.size());
      block_.insert(block_.end(), input.data(), input.data() + size);
      input = input.subspan(size);
      if (block_.size() == block_bytes) write_block(output);
    }
  }

  void finish(Blob& output) override {
    write_header(output);
    if (!block_.empty()) write_block(output);
  }

 private:
  void write_header(Blob& output) {
    if (header_written_) return;
    header_written_ = true;
    std::array<std::uint8_t, header_bytes> header{};
    std::copy(magic.begin(), magic.end(), header.begin());
    put_big_endian(header.data() + 8, version);
    put_big_endian(header.data() + 12, version);
    output.insert(output.end(), header.begin(), header.end());
  }

  void write_block(Blob& output) {
    const std::size_t at = output.size();
    output.resize(at + 4 + snappy::MaxCompressedLength(block_.size()));
    std::size_t size = 0;
    snappy::RawCompress(reinterpret_cast<const char*>(block_.data()), block_.size(),
                        reinterpret_cast<char*>(output.data() + at + 4), &size);
    put_big_endian(output.data() + at, static_cast<std::uint32_t>(size));
    output.resize(at + 4 + size);
    block_.clear();
  }

  Blob block_;
  bool header_written_ = false;
};

class SnappyInflater final : public InflateSource {
 public:
  void reset(Bytes input) override {
    input_ = input;
    failed_ = false;
    in_block_ = false;
    framed_ = false;
    started_ = false;
    block_.reset(no_block);
  }

  Bytes next() override {
    if (!started_ && !start()) return fail();
    while (true) {
      if (in_block_) {
        const Bytes piece = block_.next();
        if (!piece.empty()) return piece;
        if (block_.failed()) return fail();
        in_block_ = false;
      }
      if (!framed_ || !next_chunk()) return {};
    }
  }

 private:
  static constexpr std::array<std::uint8_t, 1> no_block = {0};

  bool start() {
    started_ = true;
    if (input_.empty()) return false;
    framed_ = input_.size() >= header_bytes && std::memcmp(input_.data(), magic.data(), magic.size()) == 0;
    if (framed_) {
      input_ = input_.subspan(header_bytes);
    } else {
      block_.reset(input_);
      in_block_ = true;
    }
    return true;
  }

  /// False at the end and after a failure.
  bool next_chunk() {
    // Fewer than four bytes are the end, whatever they are.
    while (input_.size() >= 4) {
      const std::uint32_t size = big_endian(input_.data());
      if (size == magic_head) {
        if (!skip_header()) return false;
        continue;
      }
      input_ = input_.subspan(4);
      if (size > chunk_bytes_max || size > input_.size()) {
        failed_ = true;
        return false;
      }
      block_.reset(input_.first(size));
      input_ = input_.subspan(size);
      in_block_ = true;
      return true;
    }
    return false;
  }

  /// Where streams were concatenated. Only the first four bytes of the magic are looked at here, but the version is.
  bool skip_header() {
    if (input_.size() < header_bytes || static_cast<std::int32_t>(big_endian(input_.data() + 8)) < version) {
      failed_ = true;
      return false;
    }
    input_ = input_.subspan(header_bytes);
    return true;
  }

  Bytes input_;
  SnappyBlock block_;
  bool started_ = false;
  bool framed_ = false;
  bool in_block_ = false;
};

}  // namespace

std::unique_ptr<DeflateSink> make_snappy_deflater() {
  return std::make_unique<SnappyDeflater>();
}
std::unique_ptr<InflateSource> make_snappy_inflater() {
  return std::make_unique<SnappyInflater>();
}

}  // namespace dohle::codec
