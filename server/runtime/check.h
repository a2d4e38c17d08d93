// Invariants. A broken one is a bug of ours: it prints where and ends the process, since to go on would risk the data.
// Never used on what a client or a file said.
#pragma once

namespace dohle::runtime {

[[noreturn]] void check_failed(const char* expression, const char* file, int line);

}  // namespace dohle::runtime

#define CHECK(expression) \
  (static_cast<bool>(expression) ? void(0) : ::dohle::runtime::check_failed(#expression, __FILE__, __LINE__))
