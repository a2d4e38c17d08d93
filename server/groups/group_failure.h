// Why an operation on a group was refused.
#pragma once

#include <expected>
#include <string>

#include "protocol/error_code.h"

namespace dohle::groups {

struct GroupFailure {
  protocol::ErrorCode error = protocol::ErrorCode::none;
  /// Empty: none, as Kafka has none for what it did not foresee.
  std::string message;

  bool operator==(const GroupFailure&) const = default;
};
template <typename T>
using GroupResult = std::expected<T, GroupFailure>;

}  // namespace dohle::groups
