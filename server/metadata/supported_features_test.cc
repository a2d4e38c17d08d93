#include "server/metadata/supported_features.h"

#include <gtest/gtest.h>

namespace dohle::metadata {
namespace {

// From MetadataVersion and Feature of the 4.4.0 jars.
TEST(SupportedFeatures, AreThoseOfTheReference) {
  EXPECT_EQ(supported_features().size(), 7U);
  EXPECT_EQ(supported_features().at("metadata.version"), (VersionRange{7, 33}));
  EXPECT_EQ(supported_features().at("share.version"), (VersionRange{0, 2}));
  EXPECT_EQ(metadata_version_name(33), "4.4-IV2");
  EXPECT_EQ(metadata_version_name(7), "3.3-IV3");
  EXPECT_EQ(metadata_version_name(34), "");
  EXPECT_TRUE(metadata_changed_between(33, 29));
  EXPECT_FALSE(metadata_changed_between(29, 24));
  EXPECT_TRUE(metadata_changed_between(30, 29));
}

}  // namespace
}  // namespace dohle::metadata
