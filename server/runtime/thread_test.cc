#include "server/runtime/thread.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <thread>

namespace dohle::runtime {
namespace {

TEST(Thread, a_long_name_is_cut_to_what_linux_keeps) {
  char name[32] = {};
  std::thread thread([&] {
    name_thread("reactor-with-a-long-name");
    ::pthread_getname_np(::pthread_self(), name, sizeof name);
  });
  thread.join();
  EXPECT_STREQ(name, "reactor-with-a-");
}

}  // namespace
}  // namespace dohle::runtime
