#include "server/metadata/config_alterations.h"

#include <gtest/gtest.h>

#include "server/metadata/sample_test_support.h"

namespace dohle::metadata {
namespace {

TEST(ConfigAlterations, BrokersAreToldAgainAndTopicsAreNot) {
  MetadataImage image = image_with_brokers(1);
  auto configs = std::make_shared<ConfigurationsImage>();
  configs->resources[{ConfigResourceType::broker, "1"}]["k"] = "v";
  image.configs = configs;
  std::vector<MetadataRecord> records;
  const ConfigAlteration same{{ConfigResourceType::broker, "1"}, {{"k", ConfigAlteration::Op::set, "v"}}};
  EXPECT_FALSE(alter_config_incrementally(image, sample_schema, same, false, records).failed());
  EXPECT_EQ(records.size(), 1U);
  records.clear();
  const ConfigAlteration fresh{{ConfigResourceType::topic, "t"}, {{"k", ConfigAlteration::Op::remove, std::nullopt}}};
  EXPECT_FALSE(alter_config_incrementally(image, sample_schema, fresh, true, records).failed());
  EXPECT_TRUE(records.empty());
}

TEST(ConfigAlterations, AValueBeyondJavasShortIsRefused) {
  std::vector<MetadataRecord> records;
  const ConfigAlteration large{{ConfigResourceType::topic, "t"},
                               {{"k", ConfigAlteration::Op::set, std::string(32768, 'x')}}};
  EXPECT_EQ(alter_config_incrementally(image_with_brokers(1), sample_schema, large, true, records).message,
            "The configuration value cannot be added because it exceeds the maximum value size of 32767 bytes.");
  EXPECT_TRUE(records.empty());
}

}  // namespace
}  // namespace dohle::metadata
