// The records of __consumer_offsets, __transaction_state and __share_group_state.
#include "protocol/fuzz/message_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  using enum dohle::protocol::MessageKind;
  static const dohle::protocol::fuzz::Family family({coordinator_key, coordinator_value});
  return family.run(input, size);
}
