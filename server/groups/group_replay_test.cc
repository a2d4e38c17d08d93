#include "server/groups/group_replay.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "server/groups/records_of_kafka.h"

namespace dohle::groups {
namespace {

TEST(GroupReplay, FallsOverCutOrNewerValues) {
  const auto kafka = records_of_kafka();
  for (const auto* name : {"offset", "offset_expiring"}) {
    auto record = kafka.at(name);
    record.value->pop_back();
    EXPECT_EQ(parse_offset_commit(record, 0).error().kind, runtime::ErrorKind::corrupt) << name;
    record = kafka.at(name);
    record.value->at(1) = 9;
    EXPECT_EQ(parse_offset_commit(record, 0).error().kind, runtime::ErrorKind::corrupt) << name;
  }
  auto group = *kafka.at("group").value;
  group.pop_back();
  EXPECT_EQ(parse_classic_group("g", group).error().kind, runtime::ErrorKind::corrupt);
}

TEST(GroupReplay, AMemberThatIsThereTwiceIsCorrupt) {
  auto value = *records_of_kafka().at("group").value;
  // The count of members is the four bytes before the first one.
  const codec::Blob first_id{0, 2, 'm', '1'};
  const auto members = std::find_end(value.begin(), value.end(), first_id.begin(), first_id.end());
  *(members - 1) = 2;
  const codec::Blob member(members, value.end());
  value.insert(value.end(), member.begin(), member.end());
  EXPECT_EQ(parse_classic_group("g", value).error().message, "the group g has a member twice");
}

}  // namespace
}  // namespace dohle::groups
