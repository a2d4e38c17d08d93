#include "server/metadata/meta_properties.h"

#include <gtest/gtest.h>

#include "server/metadata/sample_test_support.h"

namespace dohle::metadata {
namespace {

std::string line_of(const runtime::Result<MetaProperties>& result) {
  return result ? "" : result.error().message;
}

TEST(MetaProperties, WhatStorageToolWroteIsReadAndWrittenTheSame) {
  const std::string text = read_sample("formatted-dynamic/meta.properties");
  const auto properties = parse_meta_properties(text, "meta.properties");
  ASSERT_TRUE(properties.has_value());
  EXPECT_EQ(properties->version, 1);
  EXPECT_EQ(properties->node_id, 1);
  EXPECT_EQ(properties->cluster_id, "MkU3OEVBNTcwNTJENDM2Qk");
  ASSERT_TRUE(properties->directory_id.has_value());
  // All but the date in the second line.
  const std::string written = format_meta_properties(*properties, 0);
  EXPECT_EQ(written.substr(written.find('\n', 2)), text.substr(text.find('\n', 2)));
  EXPECT_EQ(written.substr(0, 32), "#\n#Thu Jan 01 00:00:00 UTC 1970\n");
}

TEST(MetaProperties, WhatCannotBeReadIsOneLine) {
  EXPECT_EQ(line_of(parse_meta_properties("version=1\ncluster.id=c\n", "f")), "f: Failed to find node.id");
  EXPECT_EQ(line_of(parse_meta_properties("version=1\nnode.id=1\n", "f")), "f: cluster.id was not found.");
  EXPECT_EQ(line_of(parse_meta_properties("version=1\ncluster.id=c\nnode.id=x\n", "f")),
            "f: Unable to read node.id as a base-10 number.");
  EXPECT_EQ(line_of(parse_meta_properties("version=7\n", "f")), "f: unknown meta.properties version '7'");
  EXPECT_EQ(line_of(parse_meta_properties("version=1\ncluster.id=c\nnode.id=1\ndirectory.id=zz\n", "f")),
            "f: Unable to read directory.id as a Uuid: zz");
}

TEST(MetaProperties, TheFormOfZooKeepersTimesIsRead) {
  const auto properties = parse_meta_properties("broker.id=3\n", "f");
  ASSERT_TRUE(properties.has_value());
  EXPECT_EQ(properties->version, 0);
  EXPECT_EQ(properties->node_id, 3);
  EXPECT_FALSE(properties->cluster_id.has_value());
}

TEST(MetaProperties, DirectoriesMustAgree) {
  const codec::Uuid a = codec::Uuid::random();
  const codec::Uuid b = codec::Uuid::random();
  const auto check = [](std::vector<LogDirectoryProperties> directories, std::optional<std::string> cluster) {
    const auto result = check_meta_properties(directories, 1, std::move(cluster));
    return result ? "cluster " + *result : result.error().message;
  };
  EXPECT_EQ(check({{"/a", {1, "c", 1, a}}, {"/b", {1, "c", 1, b}}}, std::nullopt), "cluster c");
  EXPECT_EQ(check({{"/a", {1, "c", 1, a}}, {"/b", {1, "d", 1, b}}}, std::nullopt),
            "Invalid cluster.id in: /b/meta.properties. Expected c, but read d");
  EXPECT_EQ(check({{"/a", {1, "c", 1, a}}}, "other"),
            "Invalid cluster.id in: /a/meta.properties. Expected other, but read c");
  EXPECT_EQ(
      check({{"/a", {1, "c", 2, a}}}, std::nullopt),
      "Stored node id 2 doesn't match previous node id 1 in /a/meta.properties. If you moved your data, make sure "
      "your configured node id matches. If you intend to create a new node, you should remove all data in your "
      "data directories.");
  EXPECT_EQ(check({{"/a", {1, "c", 1, a}}, {"/b", {1, "c", 1, a}}}, std::nullopt),
            "Duplicate directory ID " + a.to_string() + " found. It was the ID of /a, but also of /b");
  EXPECT_EQ(check({{"/a", {1, "c", 1, codec::Uuid::reserved(2)}}}, std::nullopt),
            "Invalid reserved directory ID AAAAAAAAAAAAAAAAAAAAAg found in /a");
}

TEST(MetaProperties, TheFileIsReadBackFromTheDisk) {
  testing::FakeDisk disk;
  const auto directory = disk.directory();
  EXPECT_EQ(*read_meta_properties(*directory), std::nullopt);
  const MetaProperties properties{1, "c", 1, codec::Uuid::random()};
  ASSERT_TRUE(write_meta_properties(*directory, properties, 0).has_value());
  disk.crash();
  EXPECT_EQ(**read_meta_properties(*disk.directory()), properties);
}

}  // namespace
}  // namespace dohle::metadata
