#include "server/config/config_value.h"

#include <gtest/gtest.h>

namespace dohle::config {
namespace {

// Kafka's texts for most values are in compat-tests/config/recorded/alter_cases.tsv (config_validation_test).

Value parsed(Scope scope, std::string_view name, std::string_view text) {
  auto value = parse_value(*find_key(scope, name), text);
  EXPECT_TRUE(value) << name << "=" << text;
  return value.value_or(Value());
}

std::string problem(Scope scope, std::string_view name, std::string_view text) {
  auto value = parse_value(*find_key(scope, name), text);
  return value ? "" : value.error().message;
}

TEST(ConfigValue, KeepsWhatTheTypeSays) {
  EXPECT_EQ(parsed(Scope::topic, "preallocate", " tRuE\t"), Value(true));
  EXPECT_EQ(parsed(Scope::topic, "segment.bytes", " +1048576 "), Value(std::int64_t{1'048'576}));
  EXPECT_EQ(parsed(Scope::broker, "broker.rack", "  a b  "), Value(std::string("a b")));
  EXPECT_EQ(parsed(Scope::topic, "cleanup.policy", " compact ,\n delete "), Value(StringList{"compact", "delete"}));
  EXPECT_EQ(parsed(Scope::topic, "cleanup.policy", "  "), Value(StringList()));
}

TEST(ConfigValue, DropsDuplicatesOfListsThatMustNotHaveThem) {
  EXPECT_EQ(parsed(Scope::broker, "log.dirs", "/a,/b,/a"), Value(StringList{"/a", "/b"}));
}

TEST(ConfigValue, FallsBackToTheDefault) {
  EXPECT_EQ(*parse_value(*find_key(Scope::topic, "retention.ms"), std::nullopt), Value(std::int64_t{604'800'000}));
  EXPECT_EQ(*parse_value(*find_key(Scope::broker, "log.retention.ms"), std::nullopt), Value());
  auto required = parse_value(*find_key(Scope::broker, "process.roles"), std::nullopt);
  ASSERT_FALSE(required);
  EXPECT_EQ(required.error().message, "Missing required configuration \"process.roles\" which has no default value.");
}

TEST(ConfigValue, RefusesNumbersOutOfTheRangeOfTheType) {
  EXPECT_EQ(problem(Scope::broker, "offsets.topic.replication.factor", "32768"),
            "Invalid value 32768 for configuration offsets.topic.replication.factor: Not a number of type SHORT");
  EXPECT_EQ(problem(Scope::broker, "offsets.topic.replication.factor", "32767"), "");
}

TEST(ConfigValue, KnowsKafkasOwnClassesOnly) {
  EXPECT_EQ(problem(Scope::broker, "principal.builder.class", "com.example.Builder"),
            "Invalid value com.example.Builder for configuration principal.builder.class: Class com.example.Builder "
            "could not be found.");
  EXPECT_EQ(problem(Scope::broker, "principal.builder.class",
                    "org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder"),
            "");
}

TEST(ConfigValue, IsPrintedAsKafkaPrintsIt) {
  EXPECT_EQ(to_text(Value(), ConfigType::string), std::nullopt);
  EXPECT_EQ(to_text(Value(false), ConfigType::boolean), "false");
  EXPECT_EQ(to_text(Value(0.5), ConfigType::float64), "0.5");
  EXPECT_EQ(to_text(Value(StringList{"a", "b"}), ConfigType::list), "a,b");
  EXPECT_EQ(to_text(Value(std::string("secret")), ConfigType::password), "[hidden]");
}

TEST(ConfigValues, NameTheFirstMistakeInTheOrderOfTheTable) {
  auto values = ConfigValues::parse(Scope::topic, {{"cleanup.policy", "x"}, {"segment.bytes", "1"}});
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().message, "Invalid value 1 for configuration segment.bytes: Value must be at least 1048576");
}

TEST(ConfigValues, KeepUnknownNamesAsTextsOnly) {
  auto values = ConfigValues::parse(Scope::topic, {{"my.own", "x"}});
  ASSERT_TRUE(values);
  EXPECT_EQ(values->find("my.own"), nullptr);
  EXPECT_TRUE(values->is_set("my.own"));
  EXPECT_EQ(values->get_long("retention.bytes"), -1);
  EXPECT_TRUE(values->is_null("internal.segment.bytes"));
}

}  // namespace
}  // namespace dohle::config
