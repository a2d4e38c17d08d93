#include "server/runtime/check.h"

#include <cstdio>
#include <cstdlib>

namespace dohle::runtime {

void check_failed(const char* expression, const char* file, int line) {
  // Standard error, unbuffered: nothing that may itself be broken stands between the message and the reader.
  std::fprintf(stderr, "%s:%d: CHECK failed: %s\n", file, line, expression);
  std::fflush(stderr);
  std::abort();
}

}  // namespace dohle::runtime
