#include "server/metadata/storage_format.h"

#include <gtest/gtest.h>

#include "server/metadata/sample_test_support.h"
#include "server/metadata/snapshot_file.h"

namespace dohle::metadata {
namespace {

FormatOptions options(bool dynamic) {
  FormatOptions result;
  result.cluster_id = "MkU3OEVBNTcwNTJENDM2Qk";
  result.dynamic_quorum = dynamic;
  result.controller_endpoint = {"CONTROLLER", "127.0.0.1", 25193, 0};
  return result;
}

TEST(StorageFormat, WritesWhatStorageToolWrites) {
  for (const bool dynamic : {true, false}) {
    testing::FakeDisk disk;
    const std::string sample = dynamic ? "formatted-dynamic/" : "formatted-static/";
    ASSERT_TRUE(format_directory(*disk.directory(), true, options(dynamic), 1795959545198).has_value());
    disk.crash();
    const auto directory = disk.directory();
    const auto properties = **read_meta_properties(*directory);
    auto expected_properties = *parse_meta_properties(read_sample(sample + "meta.properties"), "f");
    const codec::Uuid kafkas_id = *expected_properties.directory_id;
    expected_properties.directory_id = properties.directory_id;
    EXPECT_EQ(properties, expected_properties);

    const auto log_directory = *directory->subdirectory(cluster_metadata_directory, false);
    EXPECT_EQ(log_directory->list()->size(), 1U);
    const auto ours = read_snapshot(*log_directory, bootstrap_snapshot_id);
    const std::string content = read_sample(sample + sample_bootstrap);
    auto kafkas = parse_snapshot(codec::as_bytes(content), bootstrap_snapshot_id, "f");
    ASSERT_TRUE(ours.has_value());
    ASSERT_TRUE(kafkas.has_value());
    EXPECT_EQ(ours->records, kafkas->records);
    EXPECT_EQ(ours->kraft_version, kafkas->kraft_version);
    if (dynamic) {
      EXPECT_EQ(kafkas->voters->voters.front().voter_directory_id, kafkas_id);
      kafkas->voters->voters.front().voter_directory_id = *properties.directory_id;
    }
    EXPECT_EQ(ours->voters, kafkas->voters);
    EXPECT_EQ(log_directory->read_file(snapshot_file_name(bootstrap_snapshot_id))->size(), content.size());
  }
}

TEST(StorageFormat, ADirectoryThatIsNotTheMetadataDirectoryGetsMetaPropertiesAlone) {
  testing::FakeDisk disk;
  ASSERT_TRUE(format_directory(*disk.directory(), false, options(true), 0).has_value());
  EXPECT_EQ(disk.directory()->list()->size(), 1U);
}

TEST(StorageFormat, ADirectoryWithAnythingInItIsNeverFormatted) {
  testing::FakeDisk disk;
  write_file(*disk.directory(), "stranger", "x");
  const auto status = format_directory(*disk.directory(), true, options(true), 0);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().kind, runtime::ErrorKind::invalid);
  EXPECT_EQ(disk.directory()->list()->size(), 1U);
}

TEST(StorageFormat, ACrashInBetweenLeavesNoMetaProperties) {
  // Each call fails once: either all of it is there, or the directory does not pass for formatted.
  for (std::uint64_t nth = 1; nth < 20; ++nth) {
    testing::FakeDisk disk;
    disk.fail_call(nth, EIO);
    const auto status = format_directory(*disk.directory(), true, options(true), 0);
    disk.clear_failures();
    disk.crash();
    const auto directory = disk.directory();
    const auto properties = read_meta_properties(*directory);
    ASSERT_TRUE(properties.has_value());
    EXPECT_TRUE(!status || properties->has_value()) << nth;
    if (*properties) {
      const auto log_directory = directory->subdirectory(cluster_metadata_directory, false);
      ASSERT_TRUE(log_directory.has_value()) << nth;
      EXPECT_TRUE(read_snapshot(**log_directory, bootstrap_snapshot_id).has_value()) << nth;
    }
  }
}

}  // namespace
}  // namespace dohle::metadata
