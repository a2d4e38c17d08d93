#include "protocol/messages/delete_groups.h"
#include "server/api/group_fixture.h"

namespace dohle::api {
namespace {

using protocol::DeleteGroupsRequest;
using protocol::DeleteGroupsResponse;
using protocol::ErrorCode;

using DeleteGroups = GroupFixture;

TEST_F(DeleteGroups, OnlyEmptyOnesGo) {
  // behaviours.md 104
  create_topic("t");
  start_coordinator();
  join("live");
  ASSERT_EQ(commit(commit_request("empty", "t", 5)), 0);
  DeleteGroupsRequest request;
  request.groups_names = {"absent", "live", "empty", "empty"};
  const auto results = call<DeleteGroupsRequest, DeleteGroupsResponse>(2, request).results;
  ASSERT_EQ(results.size(), 3u);
  std::map<std::string, std::int16_t> errors;
  for (const auto& result : results) errors[result.group_id] = result.error_code;
  EXPECT_EQ(errors.at("absent"), code(ErrorCode::group_id_not_found));
  EXPECT_EQ(errors.at("live"), code(ErrorCode::non_empty_group));
  EXPECT_EQ(errors.at("empty"), 0);
  request.groups_names = {"empty"};
  const auto again = call<DeleteGroupsRequest, DeleteGroupsResponse>(2, request).results;
  EXPECT_EQ(again.at(0).error_code, code(ErrorCode::group_id_not_found));
}

}  // namespace
}  // namespace dohle::api
