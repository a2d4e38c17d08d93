#include "server/groups/java_uuid.h"

namespace dohle::groups {

std::string java_uuid_text(const codec::Uuid& id) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < id.bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += digits[id.bytes[i] >> 4];
    text += digits[id.bytes[i] & 0xf];
  }
  return text;
}

std::string random_java_uuid() {
  return java_uuid_text(codec::Uuid::random());
}

}  // namespace dohle::groups
