#include "protocol/messages/offset_delete.h"
#include "server/api/group_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;
using protocol::OffsetDeleteRequest;
using protocol::OffsetDeleteResponse;

class OffsetDelete : public GroupFixture {
 protected:
  OffsetDeleteResponse ask(const std::string& group, const std::string& topic) {
    OffsetDeleteRequest request;
    request.group_id = group;
    auto& asked = request.topics.emplace_back();
    asked.name = topic;
    asked.partitions.emplace_back();
    return call<OffsetDeleteRequest, OffsetDeleteResponse>(0, request);
  }
};

TEST_F(OffsetDelete, AnAbsentGroupHasNone) {
  create_topic("t");
  start_coordinator();
  EXPECT_EQ(ask("absent", "t").error_code, code(ErrorCode::group_id_not_found));
  EXPECT_EQ(ask("", "t").error_code, code(ErrorCode::invalid_group_id));
}

TEST_F(OffsetDelete, EachPartitionHasItsAnswer) {
  // behaviours.md 127
  create_topic("t");
  start_coordinator();
  ASSERT_EQ(commit(commit_request("g", "t", 5)), 0);
  const auto deleted = ask("g", "t");
  EXPECT_EQ(deleted.error_code, 0);
  EXPECT_EQ(deleted.topics.at(0).partitions.at(0).error_code, 0);
}

TEST_F(OffsetDelete, SubscribedTopicsKeepTheirs) {
  // behaviours.md 127
  create_topic("t");
  start_coordinator();
  ASSERT_EQ(sync(sync_request("g", join("g"))).error_code, 0);
  const auto refused = ask("g", "t");
  EXPECT_EQ(refused.error_code, 0);
  EXPECT_EQ(refused.topics.at(0).partitions.at(0).error_code, code(ErrorCode::group_subscribed_to_topic));
  const auto unknown = ask("g", "u");
  EXPECT_EQ(unknown.topics.at(0).partitions.at(0).error_code, code(ErrorCode::unknown_topic_or_partition));
}

}  // namespace
}  // namespace dohle::api
