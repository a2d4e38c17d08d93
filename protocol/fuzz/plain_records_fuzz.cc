// Control records, the consumer's subscription, principals, quorum state, producer snapshots.
#include "protocol/fuzz/message_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  using enum dohle::protocol::MessageKind;
  static const dohle::protocol::fuzz::Family family({data});
  return family.run(input, size);
}
