#include "server/config/properties.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "server/config/testing_tables.h"

namespace dohle::config {
namespace {

// The columns' notation: \n, \r, \t, \f, \\ and \xNN.
std::string plain(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\\') {
      c = text[++i];
      if (c == 'x') {
        c = static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
        i += 2;
      } else if (c != '\\') {
        c = std::string("\n\r\t\f")[std::string("nrtf").find(c)];
      }
    }
    result += c;
  }
  return result;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (char c : text) {
    std::size_t at = std::string("\\\t\n\r\f").find(c);
    result += at == std::string::npos ? std::string(1, c) : std::string("\\") + "\\tnrf"[at];
  }
  return result;
}

TEST(Properties, AreReadAsJavaReadsThem) {
  std::size_t cases = 0;
  for (const std::string& line : testing_lines("properties_cases.tsv")) {
    std::string input = line.substr(0, line.find('\t'));
    std::string answer = input;
    auto properties = parse_properties(plain(input));
    if (properties) {
      for (const auto& [key, value] : *properties) answer += "\t[" + escaped(key) + "]=[" + escaped(value) + "]";
    } else {
      answer += "\t! " + properties.error().message;
    }
    EXPECT_EQ(answer, line);
    ++cases;
  }
  EXPECT_GT(cases, 35u);
}

TEST(Properties, TellWhichFileIsMissing) {
  auto properties = load_properties("/nowhere/server.properties");
  ASSERT_FALSE(properties);
  EXPECT_EQ(properties.error().kind, runtime::ErrorKind::not_found);
  EXPECT_NE(properties.error().message.find("/nowhere/server.properties"), std::string::npos);
}

TEST(Properties, TellInWhichFileTheMistakeIs) {
  std::string path = testing::TempDir() + "/mistake.properties";
  std::ofstream(path) << "a=\\u12\n";
  auto properties = load_properties(path);
  std::remove(path.c_str());
  ASSERT_FALSE(properties);
  EXPECT_EQ(properties.error().kind, runtime::ErrorKind::invalid);
  EXPECT_EQ(properties.error().message, path + ": Malformed \\uxxxx encoding.");
}

TEST(Properties, AreOverriddenInOrder) {
  ConfigMap properties = {{"a", "1"}, {"b", "2"}};
  apply_overrides({"a=3", "c=x=y", "b", "a=4"}, properties);
  EXPECT_EQ(properties, (ConfigMap{{"a", "4"}, {"b", ""}, {"c", "x=y"}}));
}

}  // namespace
}  // namespace dohle::config
