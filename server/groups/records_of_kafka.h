// testdata/records_of_kafka.txt: records that GroupCoordinatorRecordHelpers of 4.4.0 made, by name.
#pragma once

#include <fstream>
#include <map>
#include <optional>
#include <string>

#include "server/coordinator/record.h"
#include "server/groups/test_hex.h"

namespace dohle::groups {

inline std::map<std::string, coordinator::Record> records_of_kafka() {
  std::map<std::string, coordinator::Record> records;
  std::ifstream file("server/groups/testdata/records_of_kafka.txt");
  std::string name;
  std::string key;
  std::string value;
  while (file >> name >> key >> value) {
    records[name] = {from_hex(key), value == "-" ? std::nullopt : std::optional(from_hex(value))};
  }
  return records;
}

}  // namespace dohle::groups
