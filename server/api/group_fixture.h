// For tests: a broker whose group coordinator answers, and the requests of a group's members.
#pragma once

#include <chrono>
#include <string>
#include <thread>

#include "protocol/messages/describe_groups.h"
#include "protocol/messages/find_coordinator.h"
#include "protocol/messages/join_group.h"
#include "protocol/messages/offset_commit.h"
#include "protocol/messages/sync_group.h"
#include "server/api/broker_fixture.h"

namespace dohle::api {

class GroupFixture : public BrokerFixture {
 protected:
  GroupFixture() {
    configs["offsets.topic.num.partitions"] = "1";
    configs["group.initial.rebalance.delay.ms"] = "0";
  }

  /// Returns once `__consumer_offsets` is there and loaded.
  void start_coordinator() {
    protocol::FindCoordinatorRequest find;
    find.coordinator_keys = {"g"};
    protocol::DescribeGroupsRequest describe;
    describe.groups = {"g"};
    for (int i = 0; i < 200; ++i) {
      const auto found = call<protocol::FindCoordinatorRequest, protocol::FindCoordinatorResponse>(4, find);
      if (found.coordinators.at(0).error_code == 0) {
        const auto described = call<protocol::DescribeGroupsRequest, protocol::DescribeGroupsResponse>(5, describe);
        if (described.groups.at(0).error_code == 0) return;
        EXPECT_TRUE(is_passing(described.groups.at(0).error_code));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ADD_FAILURE() << "no group coordinator";
  }

  /// A consumer of the topic "t", which has no member id yet.
  static protocol::JoinGroupRequest join_request(const std::string& group) {
    protocol::JoinGroupRequest request;
    request.group_id = group;
    request.session_timeout_ms = 45'000;
    request.rebalance_timeout_ms = 60'000;
    request.protocol_type = "consumer";
    auto& protocol = request.protocols.emplace_back();
    protocol.name = "range";
    protocol.metadata = {0, 0, 0, 0, 0, 1, 0, 1, 't', 0xff, 0xff, 0xff, 0xff};  // version 0, "t", no user data
    return request;
  }
  protocol::JoinGroupResponse ask_to_join(const protocol::JoinGroupRequest& request, std::int16_t version = 9) {
    return call<protocol::JoinGroupRequest, protocol::JoinGroupResponse>(version, request);
  }
  /// The only member, and so the leader, of generation 1; its assignment is awaited.
  protocol::JoinGroupResponse join(const std::string& group) {
    auto request = join_request(group);
    request.member_id = ask_to_join(request).member_id;
    auto response = ask_to_join(request);
    EXPECT_EQ(response.error_code, 0);
    return response;
  }
  static protocol::SyncGroupRequest sync_request(const std::string& group, const protocol::JoinGroupResponse& member) {
    protocol::SyncGroupRequest request;
    request.group_id = group;
    request.generation_id = member.generation_id;
    request.member_id = member.member_id;
    request.protocol_type = "consumer";
    request.protocol_name = "range";
    return request;
  }
  protocol::SyncGroupResponse sync(const protocol::SyncGroupRequest& request, std::int16_t version = 5) {
    return call<protocol::SyncGroupRequest, protocol::SyncGroupResponse>(version, request);
  }

  /// A simple consumer's commit of one partition.
  static protocol::OffsetCommitRequest commit_request(const std::string& group, const std::string& topic,
                                                      std::int64_t offset) {
    protocol::OffsetCommitRequest request;
    request.group_id = group;
    auto& one = request.topics.emplace_back();
    one.name = topic;
    one.partitions.emplace_back().committed_offset = offset;
    return request;
  }
  /// The error of the one partition.
  std::int16_t commit(const protocol::OffsetCommitRequest& request, std::int16_t version = 9) {
    const auto response = call<protocol::OffsetCommitRequest, protocol::OffsetCommitResponse>(version, request);
    return response.topics.at(0).partitions.at(0).error_code;
  }

 private:
  static bool is_passing(std::int16_t error) {
    return error == code(protocol::ErrorCode::not_coordinator) ||
           error == code(protocol::ErrorCode::coordinator_load_in_progress);
  }
};

}  // namespace dohle::api
