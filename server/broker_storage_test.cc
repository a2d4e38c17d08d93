#include "server/broker_storage.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "server/metadata/meta_properties.h"
#include "server/testing/fake_clock.h"
#include "server/testing/scratch_directory.h"

namespace dohle::server {
namespace {

class BrokerStorageTest : public ::testing::Test {
 protected:
  config::BrokerConfig configure(const std::string& log_dirs, const config::ConfigMap& more = {}) {
    auto properties = config::sample_properties();
    properties["log.dirs"] = log_dirs;
    for (const auto& [key, value] : more) properties[key] = value;
    auto loaded = config::load_broker_config(properties);
    EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
    return loaded->config;
  }
  std::string path(const std::string& name) const { return scratch_.path() + "/" + name; }
  std::string error_of(const config::BrokerConfig& config) {
    const auto opened = open_storage(config, clock_);
    return opened ? "" : opened.error().message;
  }
  static std::string read(const std::string& file) {
    std::ostringstream content;
    content << std::ifstream(file).rdbuf();
    return content.str();
  }
  static void write(const std::string& file, const std::string& content) { std::ofstream(file) << content; }

  dohle::testing::ScratchDirectory scratch_;
  dohle::testing::FakeClock clock_;
};

TEST_F(BrokerStorageTest, EmptyDirectoriesAreFormattedOnce) {
  const auto config = configure(path("a") + "," + path("b"));
  std::string cluster_id;
  {
    const auto first = open_storage(config, clock_);
    ASSERT_TRUE(first) << first.error().message;
    cluster_id = first->cluster_id;
    EXPECT_EQ(cluster_id.size(), 22u);
    ASSERT_EQ(first->directories->all().size(), 2u);
    EXPECT_NE(first->directories->all()[0]->id, first->directories->all()[1]->id);
    EXPECT_EQ(first->metadata_directory_id, first->directories->all()[0]->id);
    EXPECT_TRUE(
        std::filesystem::exists(path("a") + "/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint"));
    EXPECT_FALSE(std::filesystem::exists(path("b") + "/__cluster_metadata-0"));
  }
  const auto properties = read(path("a") + "/meta.properties");
  const auto second = open_storage(config, clock_);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->cluster_id, cluster_id);
  EXPECT_EQ(read(path("a") + "/meta.properties"), properties);
}

TEST_F(BrokerStorageTest, TheMetadataMayHaveItsOwnDirectory) {
  const auto config = configure(path("a"), {{"metadata.log.dir", path("m")}});
  const auto opened = open_storage(config, clock_);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_TRUE(opened->metadata_lock.has_value());
  EXPECT_EQ(opened->metadata_directory->path(), path("m"));
  EXPECT_TRUE(std::filesystem::exists(path("m") + "/__cluster_metadata-0"));
  EXPECT_FALSE(std::filesystem::exists(path("a") + "/__cluster_metadata-0"));
  EXPECT_NE(error_of(configure(path("m"))), "");  // it is locked
}

TEST_F(BrokerStorageTest, ADirectoryWithAnythingInItIsNotFormatted) {
  std::filesystem::create_directories(path("a"));
  write(path("a") + "/precious", "data");
  EXPECT_NE(error_of(configure(path("a"))).find("which is not empty"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path("a") + "/meta.properties"));
  EXPECT_EQ(read(path("a") + "/precious"), "data");
}

TEST_F(BrokerStorageTest, AnAddedDirectoryJoinsTheCluster) {
  std::string cluster_id;
  {
    const auto opened = open_storage(configure(path("a")), clock_);
    ASSERT_TRUE(opened);
    cluster_id = opened->cluster_id;
  }
  const auto opened = open_storage(configure(path("a") + "," + path("b")), clock_);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(opened->cluster_id, cluster_id);
  EXPECT_NE(read(path("b") + "/meta.properties").find("cluster.id=" + cluster_id), std::string::npos);
  EXPECT_FALSE(opened->directories->all()[1]->id.is_zero());
}

TEST_F(BrokerStorageTest, TheMetadatasDirectoryIsNeverMadeAnew) {
  ASSERT_TRUE(open_storage(configure(path("a") + "," + path("b")), clock_));
  std::filesystem::remove_all(path("a"));
  EXPECT_NE(error_of(configure(path("a") + "," + path("b"))).find("No `meta.properties` found in " + path("a")),
            std::string::npos);
}

TEST_F(BrokerStorageTest, AnIdThatAnOldKafkaDidNotGiveIsGiven) {
  std::filesystem::create_directories(path("b"));
  ASSERT_TRUE(open_storage(configure(path("a")), clock_));
  const auto properties = metadata::parse_meta_properties(read(path("a") + "/meta.properties"), "a");
  ASSERT_TRUE(properties);
  write(path("b") + "/meta.properties", "version=1\nnode.id=1\ncluster.id=" + *properties->cluster_id + "\n");
  const auto opened = open_storage(configure(path("a") + "," + path("b")), clock_);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_FALSE(opened->directories->all()[1]->id.is_zero());
  EXPECT_NE(read(path("b") + "/meta.properties").find("directory.id="), std::string::npos);
}

TEST_F(BrokerStorageTest, AnotherNodesDirectoryIsRefused) {
  ASSERT_TRUE(open_storage(configure(path("a")), clock_));
  auto other = configure(path("a"));
  other.node_id = 2;
  EXPECT_NE(error_of(other), "");
}

TEST_F(BrokerStorageTest, EndpointsHaveANameAlways) {
  // behaviours.md 23
  auto config = configure(path("a"));
  ASSERT_EQ(broker_endpoints(config).size(), 1u);
  EXPECT_EQ(broker_endpoints(config)[0].host, "localhost");
  EXPECT_EQ(broker_endpoints(config)[0].port, 9092);
  ASSERT_EQ(controller_endpoints(config).size(), 1u);
  EXPECT_EQ(controller_endpoints(config)[0].name, "CONTROLLER");
  config.advertised_broker_listeners[0].host = "";
  EXPECT_FALSE(broker_endpoints(config)[0].host.empty());
}

}  // namespace
}  // namespace dohle::server
