#include "server/runtime/result.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

namespace dohle::runtime {
namespace {

ErrorKind kind_of(int system_error) {
  switch (system_error) {
    case ENOSPC:
    case EDQUOT:
      return ErrorKind::no_space;
    case ENOENT:
      return ErrorKind::not_found;
    case EADDRINUSE:
      return ErrorKind::busy;
    default:
      return ErrorKind::io;
  }
}

}  // namespace

std::unexpected<Error> system_failure(int system_error, const char* action, const std::string& path) {
  std::string reason = std::generic_category().message(system_error);
  return std::unexpected(
      Error{kind_of(system_error), system_error, fmt::format("cannot {} {}: {}", action, path, reason)});
}

}  // namespace dohle::runtime
