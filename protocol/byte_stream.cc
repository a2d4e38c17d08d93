#include "protocol/byte_stream.h"

namespace dohle::protocol {

void ByteStream::fail(Failure failure) {
  if (failure_ == Failure::none) failure_ = failure;
  before_ = position();
  begin_ = at_ = end_ = nullptr;
}

bool ByteStream::refill() {
  if (!ok()) return false;
  if (inflater_ && position() >= inflated_bytes_max_) {
    fail(Failure::too_large);
    return false;
  }
  const codec::Bytes piece = inflater_ ? inflater_->next_chunk() : codec::Bytes();
  if (piece.empty()) {
    fail(inflater_ && inflater_->failed() ? Failure::inflate : Failure::ended);
    return false;
  }
  before_ = position();
  begin_ = at_ = piece.data();
  end_ = begin_ + piece.size();
  return true;
}

void ByteStream::copy(std::int64_t size_bytes, codec::Deflater& to) {
  while (size_bytes > 0 && ok()) {
    if (at_ == end_ && !refill()) return;
    const std::int64_t step = std::min<std::int64_t>(size_bytes, end_ - at_);
    to.write({at_, static_cast<std::size_t>(step)});
    at_ += step;
    size_bytes -= step;
  }
}

bool ByteStream::at_end() {
  if (at_ != end_) return false;
  if (refill()) return false;
  return failure_ == Failure::ended;
}

}  // namespace dohle::protocol
