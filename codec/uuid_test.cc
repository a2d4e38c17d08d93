#include "codec/uuid.h"

#include <set>
#include <string>
#include <unordered_set>

#include "gtest/gtest.h"

namespace dohle::codec {
namespace {

// Texts and verdicts are those of org.apache.kafka.common.Uuid of Kafka 4.4.0.

TEST(uuid, has_kafkas_text_form) {
  EXPECT_EQ(Uuid{}.to_string(), "AAAAAAAAAAAAAAAAAAAAAA");
  EXPECT_EQ(Uuid::reserved(1).to_string(), "AAAAAAAAAAAAAAAAAAAAAQ");
}

TEST(uuid, parses_what_java_parses) {
  EXPECT_EQ(Uuid::parse("AAAAAAAAAAAAAAAAAAAAAQ"), Uuid::reserved(1));
  EXPECT_EQ(Uuid::parse("AAAAAAAAAAAAAAAAAAAAAQ=="), Uuid::reserved(1));
  EXPECT_EQ(Uuid::parse("AAAAAAAAAAAAAAAAAAAAAR"), Uuid::reserved(1)) << "left-over bits do not matter";
  EXPECT_EQ(Uuid::parse("YLrwwhCySnKbh5AoikHJ-_")->to_string(), "YLrwwhCySnKbh5AoikHJ-w");
  EXPECT_EQ(Uuid::parse("____________________-w")->to_string(), "____________________-w");
}

TEST(uuid, refuses_what_java_refuses) {
  for (const char* text : {"", "A", "AAAAAAAAAAAAAAAAAAAAAQ=", "AAAAAAAAAAAAAAAAAAAAA", "AAAA+AAAAAAAAAAAAAAAAQ",
                           "AAAAAAAAAAAAAAAAAAAAAQAA", "AAAAAAAAAAAAAAAAAAAAAQ===", "AAAAAAAAAAAAAAAAAAAAA="}) {
    EXPECT_FALSE(Uuid::parse(text)) << text;
  }
}

TEST(uuid, random_ids_are_version_4_differ_and_have_no_dash) {
  std::set<Uuid> seen;
  for (int i = 0; i < 5000; ++i) {
    const Uuid id = Uuid::random();
    EXPECT_EQ(id.bytes[6] >> 4, 4);
    EXPECT_EQ(id.bytes[8] >> 6, 2);
    const std::string text = id.to_string();
    EXPECT_EQ(text.find('-'), std::string::npos) << text;
    EXPECT_EQ(Uuid::parse(text), id);
    seen.insert(id);
  }
  EXPECT_EQ(seen.size(), 5000u);
}

TEST(uuid, is_zero_only_when_it_is) {
  EXPECT_TRUE(Uuid{}.is_zero());
  EXPECT_FALSE(Uuid::reserved(1).is_zero());
  EXPECT_EQ((std::unordered_set<Uuid>{Uuid{}, Uuid{}, Uuid::reserved(1)}).size(), 2u);
}

}  // namespace
}  // namespace dohle::codec
