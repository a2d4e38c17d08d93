// Kafka's 128-bit ids, and their text form: 16 bytes as base64url without padding, 22 characters.
// Source: org.apache.kafka.common.Uuid.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace dohle::codec {

struct Uuid {
  std::array<std::uint8_t, 16> bytes{};

  /// The nil id, which Kafka calls ZERO_UUID: "no id".
  bool is_zero() const { return *this == Uuid{}; }

  /// 22 characters of base64url.
  std::string to_string() const;

  /// Takes 22 characters (and 24 with padding, as Java's decoder does); anything else is nullopt.
  static std::optional<Uuid> parse(std::string_view text);

  /// A random version-4 id that is not one of Kafka's reserved ones (the first 100 numbers) and whose text has no '-'
  /// in it, which at the front tools would take for an option (Uuid.randomUuid). Ends the process when the system has
  /// no entropy to give. Any thread.
  static Uuid random();

  /// An id whose sixteen bytes are zero but for the last, as Kafka's reserved ids are.
  static constexpr Uuid reserved(std::uint8_t number) {
    Uuid id;
    id.bytes[15] = number;
    return id;
  }

  auto operator<=>(const Uuid&) const = default;
};

}  // namespace dohle::codec

template <>
struct std::hash<dohle::codec::Uuid> {
  std::size_t operator()(const dohle::codec::Uuid& id) const noexcept {
    std::uint64_t high;
    std::uint64_t low;
    std::memcpy(&high, id.bytes.data(), 8);
    std::memcpy(&low, id.bytes.data() + 8, 8);
    return high ^ (low * 0x9e3779b97f4a7c15ULL);
  }
};
