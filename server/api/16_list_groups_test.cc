#include "protocol/messages/list_groups.h"
#include "server/api/group_fixture.h"

namespace dohle::api {
namespace {

using protocol::ListGroupsRequest;
using protocol::ListGroupsResponse;

class ListGroups : public GroupFixture {
 protected:
  ListGroupsResponse ask(const ListGroupsRequest& request = {}, std::int16_t version = 5) {
    return call<ListGroupsRequest, ListGroupsResponse>(version, request);
  }
};

TEST_F(ListGroups, NoGroupsAreNoError) {
  EXPECT_EQ(ask().error_code, 0);
  start_coordinator();
  const auto response = ask();
  EXPECT_EQ(response.error_code, 0);
  EXPECT_TRUE(response.groups.empty());
}

TEST_F(ListGroups, FiltersDoNotHeedCase) {
  // behaviours.md 103
  start_coordinator();
  join("g");
  const auto all = ask().groups;
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].group_id, "g");
  EXPECT_EQ(all[0].protocol_type, "consumer");
  EXPECT_EQ(all[0].group_state, "CompletingRebalance");
  EXPECT_EQ(all[0].group_type, "classic");
  ListGroupsRequest filtered;
  filtered.states_filter = {"completingrebalance"};
  filtered.types_filter = {"CLASSIC"};
  EXPECT_EQ(ask(filtered).groups.size(), 1u);
  filtered.types_filter = {"consumer"};
  EXPECT_TRUE(ask(filtered).groups.empty());
  filtered.types_filter.clear();
  filtered.states_filter = {"Stable"};
  EXPECT_TRUE(ask(filtered, 4).groups.empty());
}

}  // namespace
}  // namespace dohle::api
