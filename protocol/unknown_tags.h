// Tagged fields that this version of us does not know. They are kept and written back, as Kafka's generated classes do.
// Source: KIP-482, org.apache.kafka.common.protocol.types.RawTaggedField.
#pragma once

#include <cstdint>
#include <vector>

#include "codec/bytes.h"

namespace dohle::protocol {

struct UnknownTag {
  std::uint32_t tag = 0;
  codec::Blob bytes;

  bool operator==(const UnknownTag&) const = default;
};

/// In the order of the wire. Reading accepts any order and repetition, writing refuses what is not ascending (Kafka's
/// reader and RawTaggedFieldWriter differ in the same way).
using UnknownTags = std::vector<UnknownTag>;

}  // namespace dohle::protocol
