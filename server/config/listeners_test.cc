#include "server/config/listeners.h"

#include <gtest/gtest.h>

namespace dohle::config {
namespace {

// What is refused is in compat-tests/config/recorded/start_cases.tsv (broker_rules_test).

BrokerConfig load(const ConfigMap& changes) {
  ConfigMap properties = sample_properties();
  for (const auto& [name, text] : changes) properties[name] = text;
  auto loaded = load_broker_config(properties);
  EXPECT_TRUE(loaded) << loaded.error().message;
  return loaded ? loaded->config : BrokerConfig();
}

Listener plaintext(const std::string& name, const std::string& host, int port) {
  return {name, SecurityProtocol::plaintext, host, port};
}

TEST(Listeners, OfTheSampleAreKafkas) {
  BrokerConfig config = load({});
  EXPECT_EQ(config.listeners,
            (std::vector<Listener>{plaintext("PLAINTEXT", "", 9092), plaintext("CONTROLLER", "", 9093)}));
  EXPECT_EQ(config.broker_listeners(), std::vector<Listener>{plaintext("PLAINTEXT", "", 9092)});
  EXPECT_EQ(config.controller_listeners(), std::vector<Listener>{plaintext("CONTROLLER", "", 9093)});
  EXPECT_EQ(config.advertised_broker_listeners, std::vector<Listener>{plaintext("PLAINTEXT", "localhost", 9092)});
  EXPECT_EQ(config.advertised_controller_listeners, std::vector<Listener>{plaintext("CONTROLLER", "localhost", 9093)});
  EXPECT_EQ(config.inter_broker_listener_name, "PLAINTEXT");
}

TEST(Listeners, MayBeSeveralOnIpv4AndIpv6) {
  BrokerConfig config =
      load({{"listeners", "internal://[::1]:9092,EXTERNAL://127.0.0.1:9092,CONTROLLER://:0"},
            {"advertised.listeners", "INTERNAL://[fe80::1]:1,EXTERNAL://example.org:2"},
            {"inter.broker.listener.name", "internal"},
            {"listener.security.protocol.map", "Internal:plaintext,EXTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT"}});
  EXPECT_EQ(config.listeners[0], plaintext("INTERNAL", "::1", 9092));
  EXPECT_EQ(config.listeners[1], plaintext("EXTERNAL", "127.0.0.1", 9092));
  EXPECT_EQ(config.advertised_broker_listeners,
            (std::vector<Listener>{plaintext("INTERNAL", "fe80::1", 1), plaintext("EXTERNAL", "example.org", 2)}));
  EXPECT_EQ(config.inter_broker_listener_name, "INTERNAL");
}

TEST(Listeners, OfAControllerAreAdvertisedAsTheVotersName) {
  BrokerConfig config = load({{"listeners", "PLAINTEXT://:9092,CONTROLLER://0.0.0.0:9093"},
                              {"advertised.listeners", "PLAINTEXT://localhost:9092"},
                              {"controller.quorum.voters", "1@voter.example.org:1234"}});
  EXPECT_EQ(config.advertised_controller_listeners,
            std::vector<Listener>{plaintext("CONTROLLER", "voter.example.org", 1234)});
}

TEST(Listeners, OfAControllerHaveNoHostWithoutAVotersName) {
  BrokerConfig config = load({{"listeners", "PLAINTEXT://:9092,CONTROLLER://0.0.0.0:9093"},
                              {"advertised.listeners", "PLAINTEXT://localhost:9092"}});
  EXPECT_EQ(config.advertised_controller_listeners, std::vector<Listener>{plaintext("CONTROLLER", "", 9093)});
}

TEST(Listeners, OfControllersArePlaintextWithoutAMap) {
  ConfigMap properties = sample_properties();
  properties.erase("listener.security.protocol.map");
  auto loaded = load_broker_config(properties);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->config.listener_security_protocols.at("CONTROLLER"), SecurityProtocol::plaintext);
}

TEST(Listeners, WithoutAMapAreNotPlaintextBesideEncryptedOnes) {
  ConfigMap properties = sample_properties();
  properties.erase("listener.security.protocol.map");
  properties["listeners"] = "PLAINTEXT://:9092,SSL://:9094,CONTROLLER://:9093";
  auto loaded = load_broker_config(properties);
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().message.find("No security protocol defined for listener CONTROLLER"), std::string::npos);
}

TEST(CsvMap, SplitsAtTheLastColon) {
  auto map = parse_csv_map("x", "a:b:c:1 , d:2");
  ASSERT_TRUE(map);
  EXPECT_EQ(*map, (std::map<std::string, std::string>{{"a:b:c", "1"}, {"d", "2"}}));
  EXPECT_TRUE(parse_csv_map("x", "")->empty());
}

}  // namespace
}  // namespace dohle::config
