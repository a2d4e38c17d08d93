// Every request, and the headers in front of them.
#include "protocol/fuzz/message_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  using enum dohle::protocol::MessageKind;
  static const dohle::protocol::fuzz::Family family({request, header});
  return family.run(input, size);
}
