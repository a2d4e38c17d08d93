#include "server/replica/replica_mover.h"

#include <cerrno>

#include "server/replica/replica_fixture.h"

namespace dohle::replica {
namespace {

const auto topic_id = codec::Uuid::reserved(150);

class ReplicaMoverTest : public ReplicaFixture {
 protected:
  ReplicaMoverTest() {
    add_topic("t", topic_id);
    replicas_.start(*image_, {});
    partition_ = replicas_.find(topic_id, 0);
    append(*partition_, batch(3));
    EXPECT_EQ(replicas_.alter_log_directory(*image_, {"t", 0}, directories_->all()[1]->path),
              protocol::ErrorCode::none);
  }

  runtime::Snapshot<config::BrokerConfig> config_{
      std::make_shared<config::BrokerConfig>(config::load_broker_config(config::sample_properties())->config)};
  ReplicaSet replicas_{broker_id, *directories_, config_};
  std::shared_ptr<Partition> partition_;
  int asked_ = 0;
  ReplicaMover mover_{replicas_, config_, [this](const auto&, const auto&) { ++asked_; }};
};

TEST_F(ReplicaMoverTest, AsksOnceUntilTheAnswerIsThere) {
  while (mover_.copy_some()) {
  }
  mover_.copy_some();
  EXPECT_EQ(asked_, 1);
  append(*partition_, batch(1));  // it goes on copying while it waits
  EXPECT_TRUE(mover_.copy_some());
  mover_.done(*partition_);
  EXPECT_FALSE(mover_.copy_some());
  EXPECT_EQ(asked_, 2);
}

TEST_F(ReplicaMoverTest, ADiskThatFailsIsNotAskedAbout) {
  disk_.fail_all(EIO, dohle::testing::DiskCall::write);
  EXPECT_FALSE(mover_.copy_some());
  EXPECT_EQ(asked_, 0);
  disk_.clear_failures();
}

TEST_F(ReplicaMoverTest, ADiskThatFailedForAWhileIsAskedAboutAfterwards) {
  disk_.fail_all(ENOSPC, dohle::testing::DiskCall::write);
  EXPECT_FALSE(mover_.copy_some());
  disk_.clear_failures();
  while (mover_.copy_some()) {
  }
  EXPECT_EQ(partition_->future()->log->log_end_offset(), 3);
  EXPECT_EQ(asked_, 1);
}

TEST_F(ReplicaMoverTest, ItsThreadDoesTheSame) {
  mover_.start();
  for (int i = 0; i < 1000 && partition_->future()->log->log_end_offset() < 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  mover_.stop();
  EXPECT_EQ(partition_->future()->log->log_end_offset(), 3);
}

}  // namespace
}  // namespace dohle::replica
