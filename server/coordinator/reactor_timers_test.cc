#include "server/coordinator/reactor_timers.h"

#include <gtest/gtest.h>

#include <future>
#include <vector>

namespace dohle::coordinator {
namespace {

TEST(ReactorTimers, FireOnceAndMayBeArmedAgainFromInside) {
  runtime::ReactorPool reactors(1, "test");
  reactors.start();
  std::promise<std::vector<int>> done;
  std::vector<int> fired;
  std::unique_ptr<ReactorTimers> timers;
  reactors.at(0).post([&] {
    timers = std::make_unique<ReactorTimers>(reactors.at(0), [&](const TimerKey& key) {
      EXPECT_FALSE(timers->is_armed(key));
      fired.push_back(key.kind);
      if (fired.size() == 1) timers->arm(key, 10);
      if (fired.size() == 3) done.set_value(fired);
    });
    timers->arm({1, "g", "m"}, 10);
    timers->arm({2, "g", "m"}, 20);
    timers->cancel({2, "g", "m"});
    EXPECT_FALSE(timers->is_armed({2, "g", "m"}));
    timers->arm({3, "g", ""}, 10);
    timers->arm({3, "g", ""}, 150);  // the later deadline counts
  });
  EXPECT_EQ(done.get_future().get(), (std::vector<int>{1, 1, 3}));
  reactors.stop();
}

}  // namespace
}  // namespace dohle::coordinator
