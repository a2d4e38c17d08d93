// The cases of Kafka's LeaderEpochFileCacheTest.
#include "server/log/leader_epoch_cache.h"

#include <gtest/gtest.h>

namespace dohle::log {
namespace {

LeaderEpochCache cache(std::initializer_list<EpochStart> entries) {
  LeaderEpochCache cache;
  for (const EpochStart& entry : entries) cache.assign(entry.epoch, entry.start_offset);
  return cache;
}

TEST(LeaderEpochCache, the_file_is_kafkas) {
  const auto epochs = cache({{0, 0}, {2, 120}});
  EXPECT_EQ(epochs.format(), "0\n2\n0 0\n2 120\n");
  EXPECT_EQ(LeaderEpochCache::parse(epochs.format())->entries(), epochs.entries());
  EXPECT_TRUE(LeaderEpochCache::parse("")->empty());
  for (const char* bad : {"1\n0\n", "0\n1\n", "0\n1\n0\n", "0\n1\n0 x\n", "0\n2\n0 0\n", "0\nx\n", "0\n1\n-1 0\n"}) {
    EXPECT_FALSE(LeaderEpochCache::parse(bad)) << bad;
  }
}

TEST(LeaderEpochCache, an_epoch_is_noted_once) {
  LeaderEpochCache epochs;
  EXPECT_TRUE(epochs.assign(2, 6));
  EXPECT_FALSE(epochs.assign(2, 7));
  EXPECT_EQ(epochs.entries(), (std::vector<EpochStart>{{2, 6}}));
  EXPECT_TRUE(epochs.assign(2, 5)) << "it began earlier";
  EXPECT_EQ(epochs.latest(), (EpochStart{2, 5}));
  EXPECT_FALSE(epochs.assign(-1, 5));
}

TEST(LeaderEpochCache, what_contradicts_a_new_entry_goes) {
  auto epochs = cache({{2, 6}, {3, 8}, {4, 11}});
  EXPECT_TRUE(epochs.assign(3, 9));
  EXPECT_EQ(epochs.entries(), (std::vector<EpochStart>{{2, 6}, {3, 9}}));
  EXPECT_TRUE(epochs.assign(5, 6));
  EXPECT_EQ(epochs.entries(), (std::vector<EpochStart>{{5, 6}}));
}

TEST(LeaderEpochCache, the_end_of_an_epoch) {
  const auto epochs = cache({{2, 6}, {4, 8}, {6, 11}});
  EXPECT_EQ(epochs.end_offset_for(6, 20), (EpochEnd{6, 20}));
  EXPECT_EQ(epochs.end_offset_for(4, 20), (EpochEnd{4, 11}));
  EXPECT_EQ(epochs.end_offset_for(5, 20), (EpochEnd{4, 11})) << "an unknown one: the largest below";
  EXPECT_EQ(epochs.end_offset_for(1, 20), (EpochEnd{1, 6})) << "below all";
  EXPECT_EQ(epochs.end_offset_for(7, 20), EpochEnd{}) << "above all";
  EXPECT_EQ(epochs.end_offset_for(-1, 20), EpochEnd{});
  EXPECT_EQ(epochs.end_offset_for(-7, 20), (EpochEnd{-7, 6})) << "negative, and no special one: below all";
  EXPECT_EQ(LeaderEpochCache().end_offset_for(0, 20), EpochEnd{});
}

TEST(LeaderEpochCache, truncation_from_the_end) {
  auto epochs = cache({{2, 6}, {3, 8}, {4, 11}});
  EXPECT_FALSE(epochs.truncate_from_end(12));
  EXPECT_TRUE(epochs.truncate_from_end(11));
  EXPECT_TRUE(epochs.truncate_from_end(7));
  EXPECT_EQ(epochs.entries(), (std::vector<EpochStart>{{2, 6}}));
  EXPECT_FALSE(epochs.truncate_from_end(-1));
}

TEST(LeaderEpochCache, truncation_from_the_start_keeps_the_epoch_of_the_start) {
  auto epochs = cache({{2, 6}, {3, 8}, {4, 11}});
  EXPECT_FALSE(epochs.truncate_from_start(6));
  EXPECT_FALSE(epochs.truncate_from_start(2));
  EXPECT_TRUE(epochs.truncate_from_start(9));
  EXPECT_EQ(epochs.entries(), (std::vector<EpochStart>{{3, 9}, {4, 11}}));
  EXPECT_TRUE(epochs.truncate_from_start(20));
  EXPECT_EQ(epochs.entries(), (std::vector<EpochStart>{{4, 20}}));
}

TEST(LeaderEpochCache, neighbours) {
  const auto epochs = cache({{2, 6}, {4, 8}});
  EXPECT_EQ(epochs.previous_epoch(4), 2);
  EXPECT_EQ(epochs.previous_epoch(9), 4);
  EXPECT_FALSE(epochs.previous_epoch(2));
  EXPECT_FALSE(epochs.epoch_for_offset(5));
  EXPECT_EQ(epochs.epoch_for_offset(6), 2);
  EXPECT_EQ(epochs.epoch_for_offset(7), 2);
  EXPECT_EQ(epochs.epoch_for_offset(100), 4);
}

}  // namespace
}  // namespace dohle::log
