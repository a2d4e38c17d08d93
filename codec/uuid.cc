#include "codec/uuid.h"

#include <sys/random.h>

#include <cerrno>
#include <cstdlib>

namespace dohle::codec {

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::size_t text_size = 22;
// Kafka's DirectoryId keeps the first hundred numbers for ids with a meaning (unassigned, lost, migrating).
constexpr std::uint8_t reserved_numbers = 100;

bool is_reserved(const Uuid& id) {
  for (std::size_t i = 0; i + 1 < id.bytes.size(); ++i) {
    if (id.bytes[i] != 0) return false;
  }
  return id.bytes.back() < reserved_numbers;
}

void fill_with_entropy(std::array<std::uint8_t, 16>& bytes) {
  // Up to 256 bytes come whole or not at all; only a signal before the pool is ready interrupts.
  while (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    if (errno != EINTR) std::abort();
  }
}

}  // namespace

std::string Uuid::to_string() const {
  std::string text;
  text.reserve(text_size);
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const std::uint8_t byte : bytes) {
    bits = (bits << 8) | byte;
    held += 8;
    while (held >= 6) {
      held -= 6;
      text.push_back(alphabet[(bits >> held) & 0x3f]);
    }
  }
  text.push_back(alphabet[(bits << (6 - held)) & 0x3f]);
  return text;
}

std::optional<Uuid> Uuid::parse(std::string_view text) {
  if (text.size() == text_size + 2 && text.ends_with("==")) text.remove_suffix(2);
  if (text.size() != text_size) return std::nullopt;
  Uuid id;
  std::size_t filled = 0;
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char letter : text) {
    const std::size_t value = alphabet.find(letter);
    if (value == std::string_view::npos) return std::nullopt;
    bits = (bits << 6) | static_cast<std::uint32_t>(value);
    held += 6;
    if (held >= 8) {
      held -= 8;
      id.bytes[filled++] = static_cast<std::uint8_t>(bits >> held);
    }
  }
  // Like Java's decoder, does not mind what the four left-over bits of the last letter are.
  return id;
}

Uuid Uuid::random() {
  while (true) {
    Uuid id;
    fill_with_entropy(id.bytes);
    id.bytes[6] = static_cast<std::uint8_t>((id.bytes[6] & 0x0f) | 0x40);
    id.bytes[8] = static_cast<std::uint8_t>((id.bytes[8] & 0x3f) | 0x80);
    if (!is_reserved(id) && id.to_string().find('-') == std::string::npos) return id;
  }
}

}  // namespace dohle::codec
