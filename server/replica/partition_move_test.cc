// Source of what is expected: KIP-113, kafka.cluster.Partition.maybeReplaceCurrentWithFutureReplica.
#include <cerrno>

#include "server/replica/replica_fixture.h"

namespace dohle::replica {
namespace {

using dohle::testing::DiskCall;
using protocol::ErrorCode;

const auto topic_id = codec::Uuid::reserved(150);
const log::TopicPartition key{"t", 0};

class PartitionMove : public ReplicaFixture {
 protected:
  PartitionMove() {
    auto here = directories_->create(key, topic_id, {}, directories_->all()[0].get());
    partition_ = std::make_shared<Partition>("t", topic_id, 0, broker_id, here->directory, std::move(here->log));
    EXPECT_TRUE(partition_->apply(
        {.leader = broker_id, .leader_epoch = 3, .partition_epoch = 1, .replicas = {broker_id}, .isr = {broker_id}}));
  }
  void begin() {
    auto there = directories_->create_future(key, topic_id, {}, *directories_->all()[1]);
    ASSERT_TRUE(there && there->is_future);
    ASSERT_TRUE(partition_->set_future({there->directory, std::move(there->log)}));
  }
  runtime::Result<bool> promote() {
    return partition_->promote_future([this](log::Log& old, log::Log& promoted) {
      return directories_->promote(key, *directories_->all()[0], old, *directories_->all()[1], promoted);
    });
  }
  std::vector<std::string> names(std::size_t directory) {
    std::vector<std::string> found;
    const auto entries = directories_->all()[directory]->directory->list();
    for (const auto& entry : *entries) {
      if (entry.is_directory) found.push_back(entry.name.substr(0, entry.name.find('.')));
    }
    return found;
  }
  std::int64_t readable_end() const {
    const auto read = partition_->read({.offset = 0, .max_bytes = 1 << 20, .at_least_one_batch = true});
    EXPECT_EQ(read.error, ErrorCode::none);
    return read.high_watermark;
  }

  std::shared_ptr<Partition> partition_;
};

TEST_F(PartitionMove, TheFutureLogCatchesUpAndTakesOver) {
  append(*partition_, batch(3));
  begin();
  EXPECT_TRUE(partition_->is_moving());
  EXPECT_EQ(partition_->copy_to_future(1 << 20), Partition::CopyProgress::some);
  EXPECT_EQ(partition_->copy_to_future(1 << 20), Partition::CopyProgress::caught_up);
  append(*partition_, batch(2));  // copied under the lock
  ASSERT_EQ(promote().value(), true);
  EXPECT_FALSE(partition_->is_moving());
  EXPECT_EQ(partition_->directory(), directories_->all()[1].get());
  EXPECT_EQ(names(0), std::vector<std::string>{"t-0"}) << "renamed to t-0.<id>-delete";
  EXPECT_FALSE(*directories_->all()[0]->directory->exists("t-0"));
  EXPECT_TRUE(*directories_->all()[1]->directory->exists("t-0"));
  EXPECT_EQ(readable_end(), 5);
  EXPECT_EQ(append(*partition_, batch(1)).base_offset, 5);
  EXPECT_EQ(partition_->log().leader_epochs().latest()->epoch, 3);
}

TEST_F(PartitionMove, TheLeadersEpochComesAlongWithoutARecord) {
  begin();
  EXPECT_EQ(partition_->copy_to_future(1 << 20), Partition::CopyProgress::caught_up);
  ASSERT_EQ(promote().value(), true);
  EXPECT_EQ(partition_->log().leader_epochs().latest()->epoch, 3);
}

TEST_F(PartitionMove, TheLogStartComesAlong) {
  append(*partition_, batch(4));
  begin();
  EXPECT_EQ(partition_->copy_to_future(1 << 20), Partition::CopyProgress::some);
  EXPECT_EQ(partition_->delete_records_before(3).error, ErrorCode::none);
  ASSERT_EQ(promote().value(), true);
  EXPECT_EQ(partition_->log_start_offset(), 3);
  EXPECT_EQ(partition_->log_end_offset(), 4);
}

TEST_F(PartitionMove, WhatWasOnTheDiskIsOnTheNewDisk) {
  append(*partition_, batch(4));
  begin();
  ASSERT_EQ(partition_->flush(), ErrorCode::none);
  ASSERT_EQ(promote().value(), true);
  EXPECT_EQ(partition_->log().recovery_point(), 4);
}

TEST_F(PartitionMove, ADiskThatFailsLeavesTheReplicaWhereItWas) {
  append(*partition_, batch(4));
  begin();
  disk_.fail_call(1, EIO, DiskCall::write);
  EXPECT_EQ(partition_->copy_to_future(1 << 20), Partition::CopyProgress::failed);
  EXPECT_EQ(partition_->directory(), directories_->all()[0].get());
  EXPECT_EQ(readable_end(), 4);
}

TEST_F(PartitionMove, OnlyOneMoveAtATime) {
  begin();
  auto there = directories_->create_future(key, topic_id, {}, *directories_->all()[1]);
  EXPECT_FALSE(partition_->set_future({there->directory, std::move(there->log)}));
  EXPECT_TRUE(partition_->take_future().has_value());
  EXPECT_FALSE(partition_->take_future().has_value());
  EXPECT_EQ(promote().value(), false);
}

}  // namespace
}  // namespace dohle::replica
