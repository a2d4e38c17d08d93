#include "server/net/response_writer.h"

#include <algorithm>

namespace dohle::net {

std::uint64_t ResponseWriter::size_of(const Piece& piece) {
  if (const auto* slice = std::get_if<FileSlice>(&piece)) return slice->size_bytes;
  return std::get<0>(piece).size();
}

bool ResponseWriter::begin(Response response) {
  response_ = std::move(response);
  index_ = 0;
  offset_bytes_ = 0;
  prefix_sent_ = 0;
  written_bytes_ = 0;
  std::uint64_t total = 0;
  int slices = 0;
  for (Piece& piece : response_.pieces) {
    total += size_of(piece);
    const auto* slice = std::get_if<FileSlice>(&piece);
    if (slice == nullptr) continue;
    if (slice->size_bytes >= small_slice_bytes) {
      ++slices;
      continue;
    }
    std::vector<std::uint8_t> content(slice->size_bytes);
    auto read = slice->file->read_at(content, slice->offset_bytes);
    if (!read || *read < content.size()) return false;
    piece = std::move(content);
  }
  if (total > INT32_MAX) return false;
  for (int i = 0; i < 4; ++i) prefix_[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(total >> (24 - 8 * i));
  // With one slice MSG_MORE before it is enough; with several, the small heads between them would go out alone.
  corked_ = slices > 1;
  if (corked_) transport_.cork(true);
  return true;
}

ResponseWriter::State ResponseWriter::write() {
  std::uint64_t turn = 0;
  while (true) {
    while (index_ < response_.pieces.size() && offset_bytes_ == size_of(response_.pieces[index_])) {
      ++index_;
      offset_bytes_ = 0;
    }
    if (index_ == response_.pieces.size() && prefix_sent_ == prefix_.size()) break;
    if (turn >= turn_bytes) return State::yield;
    const FileSlice* slice = nullptr;
    if (prefix_sent_ == prefix_.size()) slice = std::get_if<FileSlice>(&response_.pieces[index_]);
    IoResult result = slice == nullptr ? send_memory() : send_slice(*slice, turn_bytes - turn);
    if (result.kind == IoResult::Kind::would_block) return State::need_output;
    // `end` is a slice that has become shorter than it was: what the size promised cannot be kept.
    if (result.kind != IoResult::Kind::done) return State::failed;
    turn += result.bytes;
    advance(result.bytes);
  }
  if (corked_) transport_.cork(false);
  corked_ = false;
  response_.pieces.clear();
  index_ = 0;
  return State::done;
}

IoResult ResponseWriter::send_memory() {
  std::array<iovec, vectors_max> vectors;
  std::size_t count = 0;
  if (prefix_sent_ < prefix_.size()) {
    vectors[count++] = {prefix_.data() + prefix_sent_, prefix_.size() - prefix_sent_};
  }
  bool more = false;
  std::uint64_t offset = offset_bytes_;
  for (std::size_t index = index_; index < response_.pieces.size(); ++index, offset = 0) {
    auto* memory = std::get_if<std::vector<std::uint8_t>>(&response_.pieces[index]);
    if (memory == nullptr || count == vectors.size()) {
      more = true;
      break;
    }
    if (memory->size() > offset) vectors[count++] = {memory->data() + offset, memory->size() - offset};
  }
  return transport_.send(std::span(vectors).first(count), more);
}

IoResult ResponseWriter::send_slice(const FileSlice& slice, std::uint64_t limit_bytes) {
  std::uint64_t offset = slice.offset_bytes + offset_bytes_;
  std::uint64_t size = std::min(slice.size_bytes - offset_bytes_, limit_bytes);
  if (transport_.can_send_file() && slice.file->descriptor() >= 0) {
    return transport_.send_file(slice.file->descriptor(), offset, size);
  }
  std::vector<std::uint8_t> copy(std::min<std::uint64_t>(size, copy_bytes));
  auto read = slice.file->read_at(copy, offset);
  if (!read) return {IoResult::Kind::failed, 0, read.error().system_error};
  if (*read == 0) return {IoResult::Kind::end, 0, 0};
  iovec vector{copy.data(), *read};
  bool more = *read < size || index_ + 1 < response_.pieces.size();
  return transport_.send({&vector, 1}, more);
}

void ResponseWriter::advance(std::uint64_t bytes) {
  written_bytes_ += bytes;
  std::uint64_t prefix = std::min<std::uint64_t>(bytes, prefix_.size() - prefix_sent_);
  prefix_sent_ += prefix;
  bytes -= prefix;
  while (bytes > 0) {
    std::uint64_t step = std::min(bytes, size_of(response_.pieces[index_]) - offset_bytes_);
    bytes -= step;
    offset_bytes_ += step;
    if (offset_bytes_ == size_of(response_.pieces[index_])) {
      ++index_;
      offset_bytes_ = 0;
    }
  }
}

}  // namespace dohle::net
