#include "server/net/connection.h"

#include <unistd.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>

#include "server/runtime/log_line.h"
#include "server/runtime/page_cache.h"

namespace dohle::net {
namespace {

constexpr auto as_result = boost::asio::as_tuple(boost::asio::use_awaitable);

constexpr const char* logger = "dohle.net.Connection";

/// Handlers' exceptions are bugs, but a client may be able to repeat them at will.
runtime::LogLimiter& exception_lines() {
  static runtime::LogLimiter limiter(10, 60'000);
  return limiter;
}

}  // namespace

Connection::Connection(ConnectionGroup& group, int socket, std::unique_ptr<Transport> transport,
                       std::unique_ptr<Session> session, std::function<void()> ended)
    : at_end_{std::move(ended)},
      group_(group),
      descriptor_(group.reactor().context()),
      transport_(std::move(transport)),
      session_(std::move(session)),
      reader_(*transport_, group.budget(), group.limits().frame_bytes_max),
      waiter_(runtime::Waiter::create()),
      timer_([this] { on_timer(); }) {
  boost::system::error_code failed;
  descriptor_.assign(socket, failed);
  if (failed) {
    ::close(socket);
    aborted_ = true;
  }
  touch();
}

boost::asio::awaitable<void> Connection::run() {
  arm_timer();
  bool open = !aborted_ && !stopping_;
  while (open) {
    open = co_await read_frame();
    if (open) open = co_await answer();
    if (stopping_ || aborted_) open = false;
  }
  timer_.cancel();
  session_->closing.request();
  boost::system::error_code ignored;
  descriptor_.close(ignored);
}

boost::asio::awaitable<bool> Connection::read_frame() {
  while (!stopping_ && !aborted_) {
    FrameReader::State state = reader_.read(group_.scratch(), waiter_);
    touch();
    switch (state) {
      case FrameReader::State::frame:
        co_return true;
      case FrameReader::State::need_input: {
        if (reader_.mid_frame()) arm_timer();
        bool ready = co_await wait_for(boost::asio::posix::stream_descriptor::wait_read);
        if (!ready) co_return false;
        break;
      }
      case FrameReader::State::need_memory: {
        busy_ = true;  // it is not the client who is slow
        runtime::WakeReason reason = co_await waiter_->wait(runtime::Waiter::no_deadline_ms, &session_->closing);
        busy_ = false;
        if (reason == runtime::WakeReason::cancelled) co_return false;
        break;
      }
      case FrameReader::State::yield:
        co_await let_others_run();
        break;
      case FrameReader::State::end:
      case FrameReader::State::refused:
      case FrameReader::State::failed:
        co_return false;
    }
  }
  co_return false;
}

boost::asio::awaitable<bool> Connection::answer() {
  busy_ = true;
  Request request;
  request.frame = reader_.frame();
  request.session = session_.get();
  request.owner = this;
  request.received = std::chrono::steady_clock::now();
  Response response;
  try {
    response = co_await group_.handler()(request);
  } catch (const std::exception& exception) {
    if (exception_lines().admit(group_.reactor().now_ms())) {
      runtime::log_error(logger, "A request from {} ended with an exception: {}", session_->peer_host,
                         exception.what());
    }
    response.action = Response::Action::close;
  }
  reader_.release();
  busy_ = false;
  touch();
  if (aborted_ || response.action == Response::Action::close) co_return false;
  std::int32_t mute_ms = response.mute_ms;
  if (response.action == Response::Action::send) {
    writing_ = true;
    bool written = co_await write(std::move(response));
    writing_ = false;
    if (!written) co_return false;
  }
  if (mute_ms > 0 && !stopping_) {
    busy_ = true;
    std::int64_t until_ms = group_.reactor().now_ms() + mute_ms;
    runtime::WakeReason reason = runtime::WakeReason::woken;
    // A late wake-up for memory must not end the mute.
    while (reason == runtime::WakeReason::woken) reason = co_await waiter_->wait(until_ms, &session_->closing);
    busy_ = false;
    touch();
  }
  co_return true;
}

boost::asio::awaitable<bool> Connection::write(Response response) {
  co_await warm(response);
  ResponseWriter writer(*transport_);
  if (!writer.begin(std::move(response))) co_return false;
  while (!aborted_) {
    std::uint64_t before = writer.written_bytes();
    ResponseWriter::State state = writer.write();
    if (writer.written_bytes() != before) touch();
    switch (state) {
      case ResponseWriter::State::done:
        co_return true;
      case ResponseWriter::State::need_output: {
        bool ready = co_await wait_for(boost::asio::posix::stream_descriptor::wait_write);
        if (!ready) co_return false;
        break;
      }
      case ResponseWriter::State::yield:
        co_await let_others_run();
        break;
      case ResponseWriter::State::failed:
        co_return false;
    }
  }
  co_return false;
}

boost::asio::awaitable<void> Connection::warm(const Response& response) {
  if (group_.cold_reads() == nullptr) co_return;
  for (const auto& piece : response.pieces) {
    const auto* slice = std::get_if<FileSlice>(&piece);
    if (slice == nullptr || slice->file->descriptor() < 0) continue;
    int file = slice->file->descriptor();
    if (runtime::is_cached(file, slice->offset_bytes, slice->size_bytes)) continue;
    auto work = [file, slice] { runtime::read_ahead(file, slice->offset_bytes, slice->size_bytes); };
    runtime::DiskPool::Work named = std::move(work);
    // Refused (the pool is full or stopping): then it is read here, slowly.
    (void)co_await group_.cold_reads()->run(runtime::Lane::read, std::move(named));
  }
}

boost::asio::awaitable<bool> Connection::wait_for(boost::asio::posix::stream_descriptor::wait_type what) {
  auto [failed] = co_await descriptor_.async_wait(what, as_result);
  co_return !failed && !aborted_;
}

boost::asio::awaitable<void> Connection::let_others_run() {
  co_await boost::asio::post(descriptor_.get_executor(), boost::asio::use_awaitable);
}

void Connection::request_stop() {
  stopping_ = true;
  session_->closing.request();
  // Nothing is owed to a client whose next frame is not here, or only half.
  if (!busy_ && !writing_) descriptor_.cancel();
}

void Connection::abort() {
  aborted_ = true;
  session_->closing.request();
  descriptor_.cancel();
}

std::int64_t Connection::next_look_ms() const {
  const ConnectionLimits& limits = group_.limits();
  std::int64_t next_ms = runtime::TimerWheel::never_ms;
  if (limits.idle_ms_max >= 0) next_ms = active_at_ms_ + limits.idle_ms_max;
  if (!busy_ && reader_.mid_frame()) {
    // Looked at again and again: the others may come to need its memory later.
    std::int64_t from_ms = std::max(active_at_ms_, group_.reactor().now_ms() - limits.stalled_frame_ms_max / 2);
    next_ms = std::min(next_ms, from_ms + limits.stalled_frame_ms_max);
  }
  return next_ms;
}

void Connection::arm_timer() {
  std::int64_t next_ms = next_look_ms();
  if (next_ms == runtime::TimerWheel::never_ms || (timer_.armed() && timer_.deadline_ms() <= next_ms)) return;
  group_.reactor().arm(timer_, next_ms);
}

void Connection::on_timer() {
  const ConnectionLimits& limits = group_.limits();
  if (busy_ && !session_->is_forgotten) touch();  // a parked request counts as active
  std::int64_t quiet_ms = group_.reactor().now_ms() - active_at_ms_;
  bool idle = limits.idle_ms_max >= 0 && quiet_ms >= limits.idle_ms_max;
  bool stalled = !busy_ && reader_.mid_frame() && quiet_ms >= limits.stalled_frame_ms_max;
  if (idle || (stalled && group_.budget().under_pressure())) {
    abort();
    return;
  }
  arm_timer();
}

}  // namespace dohle::net
