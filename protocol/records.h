// The type of the `records` fields of messages: record batches, which the generated code carries but never looks into.
// Source: the "records" type of Kafka's message JSON (org.apache.kafka.common.record.internal.BaseRecords).
#pragma once

#include <algorithm>
#include <cstddef>

#include "codec/bytes.h"

namespace dohle::protocol {

struct Records {
  /// Decoded from a length of -1, and encoded so. A field that was not set is empty, not null.
  bool is_null = false;
  /// A view: into the request when decoded, into what the sender keeps alive when encoded.
  codec::Bytes bytes;
  /// In a response only: how many more bytes belong to this field after `bytes`, which are not here but come from a
  /// file. The encoder counts them in the length and leaves a codec::Writer::Gap for them.
  std::size_t external_bytes = 0;

  static Records null() { return {.is_null = true, .bytes = {}, .external_bytes = 0}; }
  static Records of(codec::Bytes bytes) { return {.is_null = false, .bytes = bytes, .external_bytes = 0}; }
  static Records external(std::size_t size_bytes) {
    return {.is_null = false, .bytes = {}, .external_bytes = size_bytes};
  }

  /// What the length field says (0 for null).
  std::size_t size_bytes() const { return bytes.size() + external_bytes; }

  /// Compares the bytes, not where they are.
  friend bool operator==(const Records& a, const Records& b) {
    return a.is_null == b.is_null && a.external_bytes == b.external_bytes && std::ranges::equal(a.bytes, b.bytes);
  }
};

}  // namespace dohle::protocol
