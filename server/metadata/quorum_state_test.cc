#include "server/metadata/quorum_state.h"

#include <gtest/gtest.h>

#include "server/metadata/sample_test_support.h"

namespace dohle::metadata {
namespace {

TEST(QuorumState, BothDataVersionsAreReadAndWrittenAsKafkaDoes) {
  for (const char* sample : {"stopped-dynamic", "stopped-static"}) {
    const std::string text = read_sample(std::string(sample) + "/__cluster_metadata-0/quorum-state");
    const auto state = parse_quorum_state(text, "f");
    ASSERT_TRUE(state.has_value()) << sample;
    EXPECT_EQ(state->leader_id, 1);
    EXPECT_EQ(state->leader_epoch, 1);
    EXPECT_EQ(state->voted_id, -1);
    EXPECT_EQ(format_quorum_state(*state), text);
  }
}

TEST(QuorumState, WhatIsNotOneIsRefusedWithTheFilesName) {
  for (const char* text :
       {"", "[]", "{\"leaderId\":1}", R"({"leaderId":1,"leaderEpoch":1,"votedId":1,"data_version":2})",
        R"({"leaderId":1,"leaderEpoch":99999999999,"votedId":1,"data_version":0})",
        R"({"leaderId":1,"leaderEpoch":1,"votedId":1,"data_version":1})",
        R"({"leaderId":1,"leaderEpoch":1,"votedId":1,"currentVoters":[{}],"data_version":0})"}) {
    const auto state = parse_quorum_state(text, "dir/quorum-state");
    ASSERT_FALSE(state.has_value()) << text;
    EXPECT_EQ(state.error().kind, runtime::ErrorKind::corrupt);
    EXPECT_TRUE(
        state.error().message.starts_with("Error while reading the Quorum status from the file dir/quorum-state: "));
  }
}

TEST(QuorumState, IsOnTheDiskWhenTheWriteReturns) {
  testing::FakeDisk disk;
  QuorumState state;
  state.leader_id = 1;
  state.leader_epoch = 7;
  ASSERT_TRUE(write_quorum_state(*disk.directory(), state).has_value());
  disk.crash();
  EXPECT_EQ(**read_quorum_state(*disk.directory()), state);
}

}  // namespace
}  // namespace dohle::metadata
