#include "server/groups/offset_store.h"

#include <gtest/gtest.h>

namespace dohle::groups {
namespace {

OffsetAndMetadata offset(std::int64_t committed, std::int64_t record_offset) {
  OffsetAndMetadata offset;
  offset.committed_offset = committed;
  offset.record_offset = record_offset;
  return offset;
}

TEST(OffsetStore, ATombstoneTakesPendingOffsetsOfAllTransactionsAlong) {
  OffsetStore store;
  store.replay("g", "t", 0, offset(1, 10), 7);
  store.replay("g", "t", 0, offset(2, 11), 8);
  store.replay("g", "t", 1, offset(3, 12), 8);
  EXPECT_TRUE(store.has_pending("g", "t", 0));
  store.replay_tombstone("g", "t", 0);
  EXPECT_FALSE(store.has_pending("g", "t", 0));
  store.replay_end_transaction(7, true);
  store.replay_end_transaction(8, true);
  EXPECT_EQ(store.find("g", "t", 0), nullptr);
  EXPECT_EQ(store.find("g", "t", 1)->committed_offset, 3);
}

TEST(OffsetStore, TwoOpenTransactionsOnOnePartitionEndEachByItself) {
  OffsetStore store;
  store.replay("g", "t", 0, offset(1, 10), 7);
  store.replay("g", "t", 0, offset(2, 11), 8);
  store.replay_end_transaction(8, true);
  EXPECT_TRUE(store.has_pending("g", "t", 0));
  EXPECT_EQ(store.find("g", "t", 0)->committed_offset, 2);
  // The older record does not replace the newer one, whatever the order of the markers.
  store.replay_end_transaction(7, true);
  EXPECT_FALSE(store.has_pending("g"));
  EXPECT_EQ(store.find("g", "t", 0)->committed_offset, 2);
}

TEST(OffsetStore, AMarkerOfAnUnknownProducerDoesNothing) {
  OffsetStore store;
  store.replay("g", "t", 0, offset(1, 10), -1);
  store.replay_end_transaction(7, true);
  store.replay_end_transaction(7, false);
  EXPECT_EQ(store.find("g", "t", 0)->committed_offset, 1);
}

TEST(OffsetStore, NothingIsLeftOfAGroupWithoutOffsets) {
  OffsetStore store;
  store.replay("g", "t", 0, offset(1, 10), -1);
  store.replay_tombstone("g", "t", 0);
  store.replay_tombstone("g", "t", 0);
  EXPECT_EQ(store.of_group("g"), nullptr);
  EXPECT_FALSE(store.has_offsets("g"));
}

}  // namespace
}  // namespace dohle::groups
