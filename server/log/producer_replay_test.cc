#include "server/log/producer_replay.h"

#include "server/log/log_fixture.h"

namespace dohle::log {
namespace {

class ProducerReplay : public LogFixture {};

TEST_F(ProducerReplay, the_state_at_any_batch_is_built_again) {
  options_.producers.transaction_verification = false;
  options_.config.segment_bytes = 300;
  open();
  for (int i = 0; i < 9; ++i) {
    append(
        {.records = 1, .value_bytes = 50, .producer_id = 1, .producer_epoch = 0, .sequence = i, .transactional = true});
    append_marker(1, 0, i % 2 == 0);
  }
  for (const std::int64_t end : {0, 1, 2, 7, 18}) {
    ProducerState state;
    ProducerSnapshotFiles snapshots(options_.directory, {});
    const auto list = log_->segments();
    ASSERT_TRUE(rebuild_producer_state(state, snapshots,
                                       {.segments = list->all(), .log_start = 0, .end_offset = end, .now_ms = 1}));
    EXPECT_EQ(state.end_offset(), end);
    EXPECT_EQ(state.first_undecided_offset(), end % 2 == 1 ? std::optional(end - 1) : std::nullopt) << end;
    EXPECT_EQ(state.producers().contains(1), end > 0);
    if (end > 0) {
      EXPECT_EQ(state.producers().at(1).last_sequence(), (end - 1) / 2);
    }
  }
}

TEST_F(ProducerReplay, after_a_clean_stop_without_snapshots_nothing_is_read) {
  open();
  append({.records = 1, .producer_id = 1, .producer_epoch = 0, .sequence = 0});
  ProducerState state;
  ProducerSnapshotFiles snapshots(options_.directory, {});
  const auto list = log_->segments();
  ASSERT_TRUE(rebuild_producer_state(state, snapshots,
                                     {.segments = list->all(), .end_offset = 1, .now_ms = 1, .clean_shutdown = true}));
  EXPECT_TRUE(state.producers().empty());
  EXPECT_EQ(snapshots.latest(), 1);
}

}  // namespace
}  // namespace dohle::log
