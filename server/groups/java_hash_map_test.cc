// The orders are those that a JVM printed.
#include "server/groups/java_hash_map.h"

#include <gtest/gtest.h>

namespace dohle::groups {

namespace {

TEST(JavaHashMap, IteratesInJavasOrder) {
  JavaHashSet<std::string> members;
  for (int i = 0; i < 20; ++i) members.add("member-" + std::to_string(i));
  const std::vector<std::string> expected = {"member-19", "member-18", "member-17", "member-16", "member-5",
                                             "member-15", "member-6",  "member-14", "member-3",  "member-13",
                                             "member-4",  "member-12", "member-9",  "member-11", "member-10",
                                             "member-7",  "member-8",  "member-1",  "member-2",  "member-0"};
  EXPECT_EQ(members.keys(), expected);
}

TEST(JavaHashMap, SizesASetByItsCollection) {
  const auto few = JavaHashSet<std::int32_t>::of(std::vector<std::int32_t>{33, 1, 17, 5, 64, 2, 48});
  EXPECT_EQ(few.keys().back(), 5);
  const auto many =
      JavaHashSet<std::int32_t>::of(std::vector<std::int32_t>{1, 17, 33, 49, 65, 81, 97, 113, 129, 145, 161, 177, 193});
  EXPECT_EQ(many.keys(), (std::vector<std::int32_t>{1, 33, 65, 97, 129, 161, 193, 17, 49, 81, 113, 145, 177}));
}

TEST(JavaHashMap, GrowsAsJavaDoes) {
  JavaHashMap<std::int32_t, int> map(JavaCapacity::initial(2));
  const auto keys = [&map] {
    std::vector<std::int32_t> keys;
    for (const auto& [key, value] : map) keys.push_back(key);
    return keys;
  };
  for (const auto key : {9, 1, 5, 3}) map.put(key, key);
  EXPECT_EQ(keys(), (std::vector<std::int32_t>{9, 1, 3, 5}));
  map.put(2, 2);
  EXPECT_EQ(keys(), (std::vector<std::int32_t>{9, 1, 2, 3, 5}));
}

TEST(JavaHashMap, ComputeIfAbsentPutsInFront) {
  JavaHashMap<std::int32_t, int> map;
  map.put(1, 1);
  map.compute_if_absent(17, [] { return 17; });
  EXPECT_EQ(map.begin()->first, 17);
  map.compute_if_absent(17, [] { return 18; });
  EXPECT_EQ(*map.find(17), 17);
}

TEST(JavaHashMap, ForgetsWhatIsErased) {
  JavaHashMap<std::int32_t, int> map;
  map.put(1, 1);
  EXPECT_FALSE(map.erase(17));
  EXPECT_TRUE(map.erase(1));
  EXPECT_EQ(map.find(1), nullptr);
  EXPECT_TRUE(map.empty());
}

TEST(JavaHashMap, HashesAndComparesUuidsAsKafkaDoes) {
  const auto id = *codec::Uuid::parse("gSNFZ4mrze8fLj1MW2p5iA");
  EXPECT_EQ(java_hash_code(id), 1288490060U);
  const auto ones = *codec::Uuid::parse("_____________________w");
  const auto small = *codec::Uuid::parse("AAECAwQFBgcICQoLDA0ODw");
  EXPECT_TRUE(java_uuid_less(ones, small));
  EXPECT_FALSE(java_uuid_less(small, ones));
}

}  // namespace

}  // namespace dohle::groups
