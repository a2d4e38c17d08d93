#include "server/groups/java_uuid.h"

#include <gtest/gtest.h>

#include <regex>

namespace dohle::groups {
namespace {

TEST(JavaUuid, IsWrittenInFiveParts) {
  codec::Uuid id;
  for (std::size_t i = 0; i < 16; ++i) id.bytes[i] = static_cast<std::uint8_t>(i * 17);
  EXPECT_EQ(java_uuid_text(id), "00112233-4455-6677-8899-aabbccddeeff");
}

TEST(JavaUuid, RandomOnesAreOfVersion4AndDiffer) {
  const std::regex version_4("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
  const auto first = random_java_uuid();
  EXPECT_TRUE(std::regex_match(first, version_4)) << first;
  EXPECT_NE(first, random_java_uuid());
}

}  // namespace
}  // namespace dohle::groups
