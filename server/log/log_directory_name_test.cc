#include "server/log/log_directory_name.h"

#include <gtest/gtest.h>

namespace dohle::log {
namespace {

TEST(LogDirectoryName, topic_and_partition_are_told_apart_at_the_last_dash) {
  EXPECT_EQ(parse_log_directory_name("a-b-12"), (LogDirectoryName{{"a-b", 12}, LogDirectoryKind::current}));
  EXPECT_EQ(parse_log_directory_name("__cluster_metadata-0")->partition.topic, "__cluster_metadata");
  for (const char* bad : {"", "topic", "-1", "topic-", "topic-x", "topic-1x", "topic-delete", "a-0.-delete"}) {
    EXPECT_FALSE(parse_log_directory_name(bad)) << bad;
  }
}

TEST(LogDirectoryName, suffixes) {
  const TopicPartition partition{"some.topic", 3};
  const auto deleted = deleted_directory_name(partition);
  EXPECT_EQ(deleted.size(), std::string("some.topic-3.").size() + 32 + std::string("-delete").size());
  EXPECT_EQ(parse_log_directory_name(deleted), (LogDirectoryName{partition, LogDirectoryKind::deleted}));
  EXPECT_EQ(parse_log_directory_name(stray_directory_name(partition)),
            (LogDirectoryName{partition, LogDirectoryKind::stray}));
  EXPECT_EQ(parse_log_directory_name(future_directory_name(partition)),
            (LogDirectoryName{partition, LogDirectoryKind::future}));
  EXPECT_NE(deleted_directory_name(partition), deleted);
}

TEST(LogDirectoryName, a_long_topic_is_cut_where_a_name_would_be_too_long) {
  const TopicPartition partition{std::string(249, 'x'), 5};
  EXPECT_EQ(deleted_directory_name(partition).size(), 255U);
  EXPECT_EQ(stray_directory_name(partition).size(), 255U);
  EXPECT_EQ(parse_log_directory_name(deleted_directory_name(partition))->partition.partition, 5);
  EXPECT_GT(future_directory_name(partition).size(), 255U);
}

}  // namespace
}  // namespace dohle::log
