// What the reference was seen to answer, for the tests of this folder: compat-tests/config/recorded.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "server/config/broker_config.h"
#include "server/config/properties.h"
#include "server/runtime/check.h"

namespace dohle::config {

inline std::vector<std::string> testing_lines(const std::string& name) {
  std::ifstream file("compat-tests/config/recorded/" + name);
  CHECK(file.good());
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

inline std::vector<std::string> testing_columns(const std::string& line) {
  std::vector<std::string> columns;
  std::size_t begin = 0;
  while (true) {
    std::size_t tab = line.find('\t', begin);
    columns.push_back(line.substr(begin, tab - begin));
    if (tab == std::string::npos) return columns;
    begin = tab + 1;
  }
}

/// The configuration with which the reference gave its answers.
inline BrokerConfig testing_broker() {
  auto properties = load_properties("compat-tests/config/server.properties");
  CHECK(properties.has_value());
  auto loaded = load_broker_config(*properties);
  CHECK(loaded.has_value());
  return std::move(loaded->config);
}

}  // namespace dohle::config
