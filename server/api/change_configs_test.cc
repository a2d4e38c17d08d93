// What is judged where is tested in config_changes_test.cc, and the whole in 33_alter_configs_test.cc and
// 44_incremental_alter_configs_test.cc; here stands how requests are read and answers written.
#include "server/api/change_configs.h"

#include <gtest/gtest.h>

#include "protocol/messages/alter_configs.h"
#include "protocol/messages/incremental_alter_configs.h"

namespace dohle::api {
namespace {

TEST(ChangeConfigs, BothRequestsAreReadAlike) {
  protocol::IncrementalAlterConfigsRequest incremental;
  auto& first = incremental.resources.emplace_back();
  first.resource_type = 2;
  first.resource_name = "t";
  auto& deletion = first.configs.emplace_back();
  deletion.name = "retention.ms";
  deletion.config_operation = 1;
  deletion.value.reset();
  auto changes = config_changes_of(incremental);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].resource_type, 2);
  EXPECT_EQ(changes[0].resource_name, "t");
  ASSERT_EQ(changes[0].entries.size(), 1u);
  EXPECT_EQ(changes[0].entries[0].operation, 1);
  EXPECT_EQ(changes[0].entries[0].value, std::nullopt);

  protocol::AlterConfigsRequest legacy;
  auto& second = legacy.resources.emplace_back();
  auto& config = second.configs.emplace_back();
  config.name = "retention.ms";
  config.value = "7";
  changes = config_changes_of(legacy);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].entries.at(0).operation, 0) << "SET";
  EXPECT_EQ(changes[0].entries.at(0).value, "7");
}

TEST(ChangeConfigs, AnswersKeepTheirOrder) {
  metadata::ApiError error;
  error.code = protocol::ErrorCode::invalid_config;
  error.message = "no";
  const auto response = config_answers<protocol::AlterConfigsResponse>({{2, "a", error}, {4, "1", {}}});
  ASSERT_EQ(response.responses.size(), 2u);
  EXPECT_EQ(response.responses[0].resource_name, "a");
  EXPECT_EQ(response.responses[0].error_code, 40);
  EXPECT_EQ(response.responses[0].error_message, "no");
  EXPECT_EQ(response.responses[1].resource_type, 4);
  EXPECT_EQ(response.responses[1].error_code, 0);
}

}  // namespace
}  // namespace dohle::api
