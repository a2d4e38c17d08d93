#include "server/log/producer_entry.h"

#include <gtest/gtest.h>

#include <limits>

namespace dohle::log {
namespace {

constexpr std::int32_t max = std::numeric_limits<std::int32_t>::max();

TEST(ProducerEntry, sequences_wrap_to_zero) {
  EXPECT_EQ(increment_sequence(5, 3), 8);
  EXPECT_EQ(increment_sequence(max, 0), max);
  EXPECT_EQ(increment_sequence(max, 1), 0);
  EXPECT_EQ(increment_sequence(max - 5, 10), 4);
  EXPECT_EQ(decrement_sequence(4, 10), max - 5);
  EXPECT_EQ(decrement_sequence(0, 1), max);
  EXPECT_EQ(decrement_sequence(8, 3), 5);
}

TEST(ProducerEntry, the_last_five_batches_are_remembered) {
  ProducerEntry entry;
  for (int i = 0; i < 7; ++i) entry.add_batch(0, {i * 10 + 9, i * 10 + 9, 9, i});
  EXPECT_EQ(entry.batches.size(), 5U);
  EXPECT_FALSE(entry.find_duplicate(0, 10, 19));
  ASSERT_TRUE(entry.find_duplicate(0, 20, 29));
  EXPECT_EQ(entry.find_duplicate(0, 20, 29)->first_offset(), 20);
  EXPECT_EQ(entry.last_sequence(), 69);
}

TEST(ProducerEntry, a_duplicate_has_both_ends_and_the_epoch) {
  ProducerEntry entry;
  entry.add_batch(3, {9, 109, 9, 1});
  EXPECT_TRUE(entry.find_duplicate(3, 0, 9));
  EXPECT_FALSE(entry.find_duplicate(4, 0, 9));
  EXPECT_FALSE(entry.find_duplicate(3, 0, 8));
  EXPECT_FALSE(entry.find_duplicate(3, 1, 9));
}

TEST(ProducerEntry, a_new_epoch_forgets_the_batches) {
  ProducerEntry entry;
  entry.add_batch(0, {9, 9, 9, 1});
  entry.add_batch(1, {0, 10, 0, 2});
  EXPECT_EQ(entry.batches.size(), 1U);
  EXPECT_EQ(entry.epoch, 1);
  EXPECT_EQ(entry.last_timestamp_ms, 2);
}

}  // namespace
}  // namespace dohle::log
