#include "server/config/validators.h"

#include <gtest/gtest.h>

namespace dohle::config {
namespace {

// Voters, bootstrap servers and the other validators have their recorded cases in start_cases.tsv and alter_cases.tsv.

TEST(Validators, TakeAnAddressApartAsKafkasUtilsDo) {
  struct Case {
    const char* text;
    const char* host;
    int port;
  };
  for (const Case& one :
       {Case{"127.0.0.1:8000", "127.0.0.1", 8000}, Case{"mydomain.com:8080", "mydomain.com", 8080},
        Case{"MyDomain.com:8080", "MyDomain.com", 8080}, Case{"[::1]:1234", "::1", 1234},
        Case{"[2001:db8:85a3:8d3:1319:8a2e:370:7348%3]:5", "2001:db8:85a3:8d3:1319:8a2e:370:7348%3", 5},
        Case{"PLAINTEXT://mydomain.com:8080", "mydomain.com", 8080}, Case{":9092", "", 9092},
        Case{"my_domain.com:1", "my_domain.com", 1}}) {
    auto address = parse_host_and_port(one.text);
    ASSERT_TRUE(address) << one.text;
    EXPECT_EQ(address->host, one.host);
    EXPECT_EQ(address->port, one.port);
  }
  for (const char* text :
       {"", "host", "host:", "host:x", "host:-1", "host:+1", "ho st:1", "a/b:1", "x y://a:1", "host:99999999999"}) {
    EXPECT_FALSE(parse_host_and_port(text)) << text;
  }
}

TEST(Validators, KnowTheCharactersOfAHost) {
  EXPECT_TRUE(is_valid_host(""));
  EXPECT_TRUE(is_valid_host("fe80::1%eth0"));
  EXPECT_FALSE(is_valid_host("a b"));
  EXPECT_FALSE(is_valid_host("ä"));
}

TEST(Validators, ReadAVoter) {
  auto voter = parse_voter("3000@[::1]:9093");
  ASSERT_TRUE(voter);
  EXPECT_EQ(voter->node_id, 3000);
  EXPECT_EQ(voter->address.host, "::1");
  EXPECT_EQ(voter->address.port, 9093);
}

TEST(Validators, ShowValuesAsJavaConcatenatesThem) {
  EXPECT_EQ(display_text(Value()), "null");
  EXPECT_EQ(display_text(Value(StringList{"a", "b"})), "[a, b]");
  EXPECT_EQ(display_text(Value(1e7)), "1.0E7");
}

TEST(Validators, WantAValueWhereThereIsARange) {
  auto checked = ensure_valid(*find_key(Scope::topic, "segment.bytes"), Value());
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message, "Invalid value null for configuration segment.bytes: Value must be non-null");
}

TEST(Validators, WantListsThatAreNotNull) {
  auto checked = ensure_valid(*find_key(Scope::broker, "log.dir"), Value());
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message, "Configuration 'log.dir' values must not be null.");
  EXPECT_TRUE(ensure_valid(*find_key(Scope::broker, "log.dirs"), Value()));
}

}  // namespace
}  // namespace dohle::config
