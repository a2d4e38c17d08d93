#include "server/api/api_table.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace dohle::api {
namespace {

TEST(ApiTable, EveryRowHasOneHandlerAndAListenerThatKafkaAllows) {
  ASSERT_FALSE(api_table().empty());
  for (const auto& row : api_table()) {
    const auto& api = protocol::api_info(row.key);
    EXPECT_NE(row.now == nullptr, row.later == nullptr) << api.name;
    EXPECT_FALSE(row.on_broker && !api.on_broker) << api.name;
    EXPECT_FALSE(row.on_controller && !api.on_controller) << api.name;
    EXPECT_TRUE(row.on_broker || row.on_controller) << api.name;
    EXPECT_FALSE(api.stable_versions.empty()) << api.name;
  }
}

TEST(ApiTable, KeysAreUnique) {
  const auto rows = api_table();
  EXPECT_TRUE(std::ranges::is_sorted(rows, {}, &ApiRow::key));
  EXPECT_EQ(std::ranges::adjacent_find(rows, {}, &ApiRow::key), rows.end());
}

TEST(ApiTable, RowsAreFoundByKeyAndListener) {
  ASSERT_NE(find_row(protocol::ApiKey::metadata, false), nullptr);
  EXPECT_EQ(find_row(protocol::ApiKey::metadata, false)->key, protocol::ApiKey::metadata);
  EXPECT_EQ(find_row(protocol::ApiKey::metadata, true), nullptr);
  EXPECT_NE(find_row(protocol::ApiKey::api_versions, true), nullptr);
  EXPECT_EQ(find_row(protocol::ApiKey::leader_and_isr, false), nullptr);
}

}  // namespace
}  // namespace dohle::api
