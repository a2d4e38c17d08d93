#include "server/config/broker_rules.h"

#include <gtest/gtest.h>

#include "server/config/effective_config.h"
#include "server/config/testing_tables.h"

namespace dohle::config {
namespace {

ConfigMap changed(ConfigMap properties, std::string changes) {
  while (!changes.empty()) {
    std::size_t end = changes.find(";;");
    std::string change = changes.substr(0, end);
    changes = end == std::string::npos ? "" : changes.substr(end + 2);
    std::size_t sign = change.find('=');
    if (change[0] == '-') {
      properties.erase(change.substr(1));
    } else {
      properties[change.substr(0, sign)] = change.substr(sign + 1);
    }
  }
  return properties;
}

TEST(BrokerRules, RefuseWhatKafkaRefusesInItsWords) {
  ConfigMap sample = *load_properties("compat-tests/config/sample.properties");
  std::size_t cases = 0;
  for (const std::string& line : testing_lines("start_cases.tsv")) {
    if (line.starts_with("# ")) continue;
    std::vector<std::string> columns = testing_columns(line);
    ASSERT_EQ(columns.size(), 2u) << line;
    std::vector<std::string> warnings;
    auto config = make_effective_config(changed(sample, columns[0]), {}, {}, OutOfBounds::refused, warnings);
    EXPECT_EQ(config ? "<ok>" : config.error().message, columns[1]) << columns[0];
    ++cases;
  }
  EXPECT_GT(cases, 120u);
}

TEST(BrokerRules, OnlyWarnAboutHeartbeatsThatAreTooRare) {
  ConfigMap sample = changed(sample_properties(), "broker.heartbeat.interval.ms=5000");
  std::vector<std::string> warnings;
  ASSERT_TRUE(make_effective_config(sample, {}, {}, OutOfBounds::refused, warnings));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(warnings[0].starts_with("broker.heartbeat.interval.ms (5000 ms) must be less than or equal to half"));
}

}  // namespace
}  // namespace dohle::config
