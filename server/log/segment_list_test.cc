#include "server/log/segment_list.h"

#include "server/log/index_fixture.h"

namespace dohle::log {
namespace {

class SegmentListTest : public IndexFixture {};

TEST_F(SegmentListTest, the_floor_is_the_segment_that_an_offset_belongs_to) {
  std::vector<std::shared_ptr<LogSegment>> segments;
  for (const std::int64_t base : {10, 20, 35}) {
    SegmentPlace place;
    place.directory = directory_;
    place.cache = &cache_;
    place.base_offset = base;
    segments.push_back(LogSegment::closed(place, {}));
  }
  const SegmentList list(segments);
  EXPECT_EQ(list.floor(9), 3U);
  EXPECT_EQ(list.floor(10), 0U);
  EXPECT_EQ(list.floor(19), 0U);
  EXPECT_EQ(list.floor(20), 1U);
  EXPECT_EQ(list.floor(1000), 2U);
  EXPECT_EQ(list.active().base_offset(), 35);
  EXPECT_EQ(SegmentList().floor(1), 0U);
}

TEST_F(SegmentListTest, a_reader_keeps_the_list_that_it_loaded) {
  SegmentListHolder holder;
  const auto before = holder.load();
  holder.store(std::make_shared<const SegmentList>());
  EXPECT_NE(holder.load(), before);
  EXPECT_TRUE(before->empty());
}

}  // namespace
}  // namespace dohle::log
