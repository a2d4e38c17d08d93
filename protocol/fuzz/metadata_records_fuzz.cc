// The records of __cluster_metadata and of remote log metadata.
#include "protocol/fuzz/message_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  using enum dohle::protocol::MessageKind;
  static const dohle::protocol::fuzz::Family family({metadata});
  return family.run(input, size);
}
