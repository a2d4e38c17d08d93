#include "server/runtime/snapshot.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace dohle::runtime {
namespace {

TEST(Snapshot, a_reader_sees_what_was_published_last) {
  Snapshot<int> snapshot(std::make_shared<int>(1));
  EXPECT_EQ(*snapshot.current(), 1);
  auto old = snapshot.current();
  snapshot.publish(std::make_shared<int>(2));
  EXPECT_EQ(*snapshot.current(), 2);
  EXPECT_EQ(*old, 1);
  EXPECT_EQ(snapshot.version(), 1u);
}

TEST(Snapshot, two_of_one_type_on_one_thread_do_not_mix) {
  Snapshot<int> one(std::make_shared<int>(1));
  Snapshot<int> two(std::make_shared<int>(2));
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_EQ(*one.current(), 1);
    EXPECT_EQ(*two.current(), 2);
  }
}

TEST(Snapshot, an_old_value_is_freed_when_the_thread_reads_the_next) {
  std::weak_ptr<const int> watched;
  Snapshot<int> snapshot([&] {
    auto first = std::make_shared<int>(1);
    watched = first;
    return first;
  }());
  EXPECT_EQ(*snapshot.current(), 1);
  snapshot.publish(std::make_shared<int>(2));
  EXPECT_FALSE(watched.expired());
  EXPECT_EQ(*snapshot.current(), 2);
  EXPECT_TRUE(watched.expired());
}

TEST(Snapshot, readers_on_many_threads_never_go_back) {
  struct Value {
    int number;
    int copy;
  };
  Snapshot<Value> snapshot(std::make_shared<Value>(0, 0));
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      int last = 0;
      while (last < 2000) {
        auto value = snapshot.current();
        ASSERT_EQ(value->number, value->copy);
        ASSERT_GE(value->number, last);
        last = value->number;
      }
    });
  }
  for (int number = 1; number <= 2000; ++number) snapshot.publish(std::make_shared<Value>(number, number));
  for (std::thread& reader : readers) reader.join();
}

}  // namespace
}  // namespace dohle::runtime
