// Plays the stories of testdata/: steps and the answers that Apache Kafka 4.4.0 gave to them (recorded by
// compat-tests/tests/test_groups_stories.py, which plays them on servers as well). The format is told there.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "server/groups/story_player.h"

namespace dohle::groups {
namespace {

constexpr const char* folder = "server/groups/testdata";

class Story : public testing::TestWithParam<std::string> {};

TEST_P(Story, GoesAsOnTheReference) {
  std::ifstream file(std::string(folder) + "/" + GetParam() + ".story");
  ASSERT_TRUE(file) << GetParam();
  StoryPlayer player;
  std::vector<std::string> expected;
  std::string step = "the beginning";
  const auto compare = [&] {
    EXPECT_EQ(player.take_answers(), expected) << "after: " << step;
    expected.clear();
  };
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.starts_with("#")) continue;
    if (line.starts_with("< ")) {
      expected.push_back(line.substr(2));
      continue;
    }
    compare();
    step = line;
    player.play(line);
  }
  compare();
}

std::vector<std::string> stories() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".story") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Recorded, Story, testing::ValuesIn(stories()), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace dohle::groups
