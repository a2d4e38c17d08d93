// What went wrong here (disk, socket, bytes on disk), as a value. What the protocol says travels as
// protocol::ErrorCode instead; the one becomes the other once, where the reason is known.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace dohle::runtime {

enum class ErrorKind {
  io,         // the system refused: `system_error` has errno
  no_space,   // ENOSPC, EDQUOT: the directory stays online
  not_found,  // ENOENT
  corrupt,    // bytes that cannot be what they should be
  invalid,    // a value that a user gave: configuration, meta.properties
  busy,       // locked by another process, port in use
  closed,     // the thing is being shut down
};

struct Error {
  ErrorKind kind = ErrorKind::io;
  int system_error = 0;
  /// One line for a person: what was tried, on which file, and why it failed.
  std::string message;
};

template <typename T>
using Result = std::expected<T, Error>;
using Status = Result<void>;

inline std::unexpected<Error> failure(ErrorKind kind, std::string message) {
  return std::unexpected(Error{kind, 0, std::move(message)});
}

/// `action` and `path` make the message, errno gives the kind and the reason.
std::unexpected<Error> system_failure(int system_error, const char* action, const std::string& path);

}  // namespace dohle::runtime

/// Leaves the enclosing function with the error, if `expression` has one. Not for coroutines.
#define DOHLE_RETURN_IF_ERROR(expression)                                                          \
  do {                                                                                             \
    if (auto status_ = (expression); !status_) return std::unexpected(std::move(status_.error())); \
  } while (false)
