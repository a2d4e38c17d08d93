// The bare loops beside which a broker is measured: what recv + CRC + pwrite, and sendfile, cost with nothing around
// them. Each serves one connection of dohle_load and ends with it.
//
//   dohle_floor append PORT FILE          every frame: checksum, append, an empty answer
//   dohle_floor send PORT FILE BYTES      every frame is answered with so many bytes of the file by sendfile

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

#include <string>

#include "codec/crc32c.h"
#include "compat-tests/bench/wire.h"

namespace {

using namespace dohle;

void append(int port, const char* path) {
  const int file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
  if (file < 0) bench::die(path);
  const int socket = bench::accept_one(port);
  const std::uint8_t answer[] = {0, 0, 0, 4, 0, 0, 0, 0};
  std::vector<std::uint8_t> frame;
  std::uint32_t sum = 0;
  off_t end = 0;
  while (bench::read_frame(socket, frame)) {
    sum ^= codec::crc32c(frame);
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

}  // namespace

int main(int count, char** values) {
  const std::string mode = count > 3 ? values[1] : "";
  if (mode == "append") {
    append(std::atoi(values[2]), values[3]);
  } else if (mode == "send" && count > 4) {
    send_file(std::atoi(values[2]), values[3], std::strtoull(values[4], nullptr, 10));
  } else {
    std::fprintf(stderr, "dohle_floor append PORT FILE | send PORT FILE BYTES\n");
    return 1;
  }
  return 0;
}
