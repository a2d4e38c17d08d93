// Version ranges of messages and fields.
#pragma once

#include <cstdint>

namespace dohle::protocol {

/// A closed range; the default is empty. 32767 as `last` is "and all that follow".
struct VersionRange {
  std::int16_t first = 0;
  std::int16_t last = -1;

  constexpr bool contains(std::int16_t version) const { return first <= version && version <= last; }
  constexpr bool empty() const { return first > last; }
  bool operator==(const VersionRange&) const = default;
};

/// What `first_flexible_version` is in a message that is flexible in no version.
inline constexpr std::int16_t never_flexible = 32767;

}  // namespace dohle::protocol
