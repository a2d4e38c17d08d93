#include "server/log/clean_shutdown_file.h"

#include <gtest/gtest.h>

#include "server/testing/fake_disk.h"

namespace dohle::log {
namespace {

TEST(CleanShutdownFile, is_kafkas_line_of_json) {
  EXPECT_EQ(format_clean_shutdown(104), R"({"version":0,"brokerEpoch":104})");
  EXPECT_EQ(parse_clean_shutdown(R"({"version":0,"brokerEpoch":104})"), 104);
  EXPECT_EQ(parse_clean_shutdown("{ \"brokerEpoch\" : -1 , \"more\": 2 }"), -1);
  for (const char* bad : {"", "{}", "{\"brokerEpoch\":null}", "{\"brokerEpoch\":1", "brokerEpoch 5"}) {
    EXPECT_FALSE(parse_clean_shutdown(bad)) << bad;
  }
}

TEST(CleanShutdownFile, is_taken_once_even_if_power_is_lost) {
  dohle::testing::FakeDisk disk;
  ASSERT_TRUE(write_clean_shutdown(*disk.directory(), 7));
  disk.crash();
  const auto first = take_clean_shutdown(*disk.directory());
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->clean);
  EXPECT_EQ(first->broker_epoch, 7);
  disk.crash();
  EXPECT_FALSE(take_clean_shutdown(*disk.directory())->clean);
}

TEST(CleanShutdownFile, an_empty_one_is_clean_with_an_unknown_epoch) {
  dohle::testing::FakeDisk disk;
  ASSERT_TRUE(disk.directory()->open(clean_shutdown_file_name, {.create = true}));
  const auto shutdown = take_clean_shutdown(*disk.directory());
  EXPECT_TRUE(shutdown->clean);
  EXPECT_FALSE(shutdown->broker_epoch);
}

}  // namespace
}  // namespace dohle::log
