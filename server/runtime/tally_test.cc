#include "server/runtime/tally.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace dohle::runtime {
namespace {

TEST(Tally, is_zero_when_all_that_was_added_is_done) {
  Tally tally;
  tally.wait_zero();
  tally.add();
  EXPECT_EQ(tally.count(), 1u);
  EXPECT_FALSE(tally.wait_zero_for(std::chrono::milliseconds(5)));
  tally.done();
  EXPECT_TRUE(tally.wait_zero_for(std::chrono::milliseconds(0)));
}

TEST(Tally, may_be_destroyed_by_who_waited) {
  for (int turn = 0; turn < 200; ++turn) {
    auto tally = std::make_unique<Tally>(2);
    std::thread one([&tally = *tally] { tally.done(); });
    std::thread two([&tally = *tally] { tally.done(); });
    tally->wait_zero();
    tally.reset();
    one.join();
    two.join();
  }
}

}  // namespace
}  // namespace dohle::runtime
