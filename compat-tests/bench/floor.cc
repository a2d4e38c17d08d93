// The bare loops beside which a broker is measured: what recv + CRC + pwrite, sendfile, and an echo cost with nothing
// around them. The first three serve one connection of dohle_load and end with it, echo ends with its last connection.
//
//   dohle_floor append PORT FILE          every frame: checksum, append, an empty answer
//   dohle_floor inflate PORT FILE         the same, and the batch at the frame's end is inflated (zstd)
//   dohle_floor send PORT FILE BYTES      every frame is answered with so many bytes of the file by sendfile
//   dohle_floor echo PORT CONNECTIONS     every frame of so many connections has an empty answer, one epoll loop

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>

#include "codec/compression.h"
#include "codec/crc32c.h"
#include "compat-tests/bench/wire.h"

namespace {

using namespace dohle;

constexpr std::size_t inflated_bytes_max = 64 << 20;

/// Where a batch's records begin in a Produce request with one batch: after the magic number and what follows it.
void inflate_batch(const std::vector<std::uint8_t>& frame) {
  static const std::uint8_t zstd_magic[] = {0x28, 0xb5, 0x2f, 0xfd};
  const auto begin = std::search(frame.begin(), frame.end(), std::begin(zstd_magic), std::end(zstd_magic));
  const auto at = static_cast<std::size_t>(begin - frame.begin());
  // One tag section ends each of partition, topic and request.
  const auto body = codec::Bytes(frame).subspan(at, frame.size() - at - 3);
  if (!codec::inflate(codec::Compression::zstd, body, inflated_bytes_max)) bench::die("inflate");
}

void append(int port, const char* path, bool inflates) {
  const int file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
  if (file < 0) bench::die(path);
  const int socket = bench::accept_one(port);
  const std::uint8_t answer[] = {0, 0, 0, 4, 0, 0, 0, 0};
  std::vector<std::uint8_t> frame;
  std::uint32_t sum = 0;
  off_t end = 0;
  while (bench::read_frame(socket, frame)) {
    sum ^= codec::crc32c(frame);
    if (inflates) inflate_batch(frame);
    if (pwrite(file, frame.data(), frame.size(), end) != static_cast<ssize_t>(frame.size())) bench::die("pwrite");
    end += static_cast<off_t>(frame.size());
    bench::send_all(socket, answer, sizeof answer);
  }
  std::printf("%u\n", sum);
}

void send_file(int port, const char* path, std::size_t size) {
  const int file = open(path, O_RDONLY);
  if (file < 0) bench::die(path);
  struct stat status{};
  fstat(file, &status);
  const int socket = bench::accept_one(port);
  std::vector<std::uint8_t> frame;
  off_t position = 0;
  while (bench::read_frame(socket, frame)) {
    if (position + static_cast<off_t>(size) > status.st_size) position = 0;
    const std::uint8_t head[] = {static_cast<std::uint8_t>(size >> 24), static_cast<std::uint8_t>(size >> 16),
                                 static_cast<std::uint8_t>(size >> 8), static_cast<std::uint8_t>(size)};
    if (send(socket, head, sizeof head, MSG_MORE | MSG_NOSIGNAL) != sizeof head) return;
    for (std::size_t left = size; left > 0;) {
      const auto sent = sendfile(socket, file, &position, left);
      if (sent <= 0) return;
      left -= static_cast<std::size_t>(sent);
    }
  }
}

/// Reads what there is of one connection and answers each whole frame. False at its end.
bool echo_turn(int socket, std::vector<std::uint8_t>& received) {
  std::uint8_t bytes[64 << 10];
  const auto size = recv(socket, bytes, sizeof bytes, 0);
  if (size <= 0) return false;
  received.insert(received.end(), bytes, bytes + size);
  std::vector<std::uint8_t> answers;
  std::size_t at = 0;
  while (received.size() - at >= 4) {
    std::size_t frame = 0;
    for (std::size_t i = 0; i < 4; ++i) frame = frame << 8 | received[at + i];
    if (received.size() - at - 4 < frame) break;
    at += 4 + frame;
    const std::uint8_t answer[] = {0, 0, 0, 4, 0, 0, 0, 0};
    answers.insert(answers.end(), std::begin(answer), std::end(answer));
  }
  received.erase(received.begin(), received.begin() + static_cast<std::ptrdiff_t>(at));
  bench::send_all(socket, answers.data(), answers.size());
  return true;
}

void echo(int port, std::size_t connections) {
  const auto sockets = bench::accept_many(port, connections);
  std::vector<std::vector<std::uint8_t>> received(connections);
  const int epoll = epoll_create1(0);
  for (std::size_t i = 0; i < connections; ++i) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = i;
    epoll_ctl(epoll, EPOLL_CTL_ADD, sockets[i], &event);
  }
  for (std::size_t open = connections; open > 0;) {
    epoll_event events[64];
    const int count = epoll_wait(epoll, events, 64, -1);
    for (int i = 0; i < count; ++i) {
      const auto index = events[i].data.u64;
      if (echo_turn(sockets[index], received[index])) continue;
      close(sockets[index]);
      --open;
    }
  }
}

}  // namespace

int main(int count, char** values) {
  const std::string mode = count > 3 ? values[1] : "";
  if (mode == "append" || mode == "inflate") {
    append(std::atoi(values[2]), values[3], mode == "inflate");
  } else if (mode == "echo") {
    echo(std::atoi(values[2]), std::strtoull(values[3], nullptr, 10));
  } else if (mode == "send" && count > 4) {
    send_file(std::atoi(values[2]), values[3], std::strtoull(values[4], nullptr, 10));
  } else {
    std::fprintf(stderr, "dohle_floor append|inflate PORT FILE | send PORT FILE BYTES | echo PORT CONNECTIONS\n");
    return 1;
  }
  return 0;
}
