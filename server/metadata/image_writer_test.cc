#include "server/metadata/image_writer.h"

#include <gtest/gtest.h>

#include "server/metadata/metadata_loader.h"
#include "server/metadata/metadata_log.h"
#include "server/metadata/sample_test_support.h"

namespace dohle::metadata {
namespace {

void expect_same(const MetadataImage& a, const MetadataImage& b) {
  EXPECT_EQ(*a.features, *b.features);
  EXPECT_EQ(*a.cluster, *b.cluster);
  EXPECT_EQ(*a.configs, *b.configs);
  EXPECT_EQ(*a.client_quotas, *b.client_quotas);
  EXPECT_EQ(*a.producer_ids, *b.producer_ids);
  EXPECT_EQ(*a.acls, *b.acls);
  EXPECT_EQ(*a.scram, *b.scram);
  EXPECT_EQ(*a.delegation_tokens, *b.delegation_tokens);
  const auto left = a.topics->sorted_by_name();
  const auto right = b.topics->sorted_by_name();
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t i = 0; i < left.size(); ++i) EXPECT_EQ(*left[i], *right[i]);
}

TEST(ImageWriter, ASnapshotOfKafkasLogReplaysToTheSameImage) {
  for (const char* sample : {"stopped-dynamic", "killed-dynamic", "stopped-static"}) {
    testing::FakeDisk disk;
    copy_sample(sample, *disk.directory());
    MetadataLoader loader;
    const auto directory = *disk.directory()->subdirectory("__cluster_metadata-0", false);
    ASSERT_TRUE(MetadataLog::open(directory, 0, [&](const MetadataBatch& batch) { return loader.load_batch(batch); }));
    // What we do not serve yet is kept as well.
    protocol::AccessControlEntryRecord acl;
    acl.id = codec::Uuid::random();
    acl.principal = "User:a";
    protocol::DelegationTokenRecord token;
    token.token_id = "t";
    token.renewers = {"User:b"};
    MetadataBatch more;
    more.records = {{acl, 0}, {token, 0}};
    ASSERT_TRUE(loader.load_batch(more));
    const ImagePointer image = loader.publish();

    const auto records = image_to_records(*image);
    const auto& first = std::get<protocol::FeatureLevelRecord>(records.front().message);
    EXPECT_EQ(first.name, "metadata.version");
    MetadataLoader again;
    Snapshot snapshot;
    snapshot.id = {1, 1};
    snapshot.records = records;
    ASSERT_TRUE(again.load_snapshot(snapshot));
    expect_same(*image, *again.publish());
  }
}

}  // namespace
}  // namespace dohle::metadata
