// Source of what is expected: ReplicaManager.alterReplicaLogDirs, LogManager.recoverAbandonedFutureLogs.
#include <map>

#include "server/replica/replica_fixture.h"
#include "server/replica/replica_mover.h"

namespace dohle::replica {
namespace {

using protocol::ErrorCode;

const auto topic_id = codec::Uuid::reserved(150);
const log::TopicPartition key{"t", 0};

class ReplicaMoves : public ReplicaFixture {
 protected:
  ReplicaMoves() {
    add_topic("t", topic_id);
    start({});
  }
  void start(std::vector<log::LoadedLog> logs) {
    replicas_ = std::make_unique<ReplicaSet>(broker_id, *directories_, config_);
    replicas_->on_directory_chosen([this](const codec::Uuid&, std::int32_t, const codec::Uuid& id) { told_ = id; });
    replicas_->start(*image_, std::move(logs));
    partition_ = replicas_->find(topic_id, 0);
    mover_ = std::make_unique<ReplicaMover>(*replicas_, config_, [this](const auto& moved, const auto& directory) {
      ready_ = directory;
      if (promotes_ && replicas_->promote(*moved)) mover_->done(*moved);
    });
  }
  void restart(bool cleanly) {
    if (cleanly) {
      const auto future = partition_->future();
      if (future) {
        ASSERT_TRUE(future->log->close());
      }
      ASSERT_TRUE(partition_->with_log([](log::Log& log) { return log.close(); }));
      ASSERT_TRUE(directories_->write_clean_shutdown(1));
    }
    mover_.reset();
    partition_.reset();
    replicas_.reset();
    if (!cleanly) disk_.crash(dohle::testing::CrashMode::kill_process);
    start(open());
  }
  /// The metadata's word on where the replica lies.
  void note(const codec::Uuid& directory) {
    protocol::PartitionChangeRecord record;
    record.topic_id = topic_id;
    record.partition_id = 0;
    record.directories = {directory};
    change({{record, 1}});
  }
  ErrorCode alter(const std::string& path) { return replicas_->alter_log_directory(*image_, key, path); }
  std::string path(std::size_t n) { return directories_->all()[n]->path; }
  codec::Uuid id(std::size_t n) { return directories_->all()[n]->id; }

  runtime::Snapshot<config::BrokerConfig> config_{
      std::make_shared<config::BrokerConfig>(config::load_broker_config(config::sample_properties())->config)};
  std::unique_ptr<ReplicaSet> replicas_;
  std::unique_ptr<ReplicaMover> mover_;
  std::shared_ptr<Partition> partition_;
  std::optional<codec::Uuid> told_;
  std::optional<codec::Uuid> ready_;
  bool promotes_ = true;
};

TEST_F(ReplicaMoves, TheMoverCopiesAndAsksForThePromotion) {
  append(*partition_, batch(3));
  ASSERT_EQ(partition_->directory()->path, path(0));
  EXPECT_EQ(alter(path(1)), ErrorCode::none);
  EXPECT_EQ(alter(path(1)), ErrorCode::none) << "the same again changes nothing";
  EXPECT_TRUE(mover_->copy_some());
  EXPECT_FALSE(mover_->copy_some());
  EXPECT_EQ(ready_, id(1));
  EXPECT_EQ(partition_->directory()->path, path(1));
  EXPECT_EQ(append(*partition_, batch(1)).base_offset, 3);
  EXPECT_FALSE(mover_->copy_some()) << "nothing moves any more";
}

TEST_F(ReplicaMoves, WhatCanNotBeMoved) {
  EXPECT_EQ(alter("/nowhere"), ErrorCode::log_dir_not_found);
  EXPECT_EQ(alter(path(0)), ErrorCode::none) << "it is there";
  EXPECT_FALSE(partition_->is_moving());
  directories_->all()[1]->cordoned = true;
  EXPECT_EQ(alter(path(1)), ErrorCode::invalid_replica_assignment);
  directories_->all()[1]->cordoned = false;
  directories_->all()[1]->online = false;
  EXPECT_EQ(alter(path(1)), ErrorCode::kafka_storage_error);
  EXPECT_EQ(replicas_->alter_log_directory(*image_, {"gone", 0}, path(0)), ErrorCode::unknown_topic_or_partition);
  EXPECT_EQ(replicas_->alter_log_directory(*image_, {std::string(249, 'x'), 0}, path(0)),
            ErrorCode::invalid_topic_exception);
}

TEST_F(ReplicaMoves, BackToWhereItIsEndsTheMove) {
  EXPECT_EQ(alter(path(1)), ErrorCode::none);
  EXPECT_TRUE(partition_->is_moving());
  EXPECT_EQ(alter(path(0)), ErrorCode::none);
  EXPECT_FALSE(partition_->is_moving());
  const auto entries = directories_->all()[1]->directory->list();
  for (const auto& entry : *entries) {
    EXPECT_TRUE(!entry.is_directory || entry.name.ends_with("-delete")) << entry.name;
  }
}

TEST_F(ReplicaMoves, AReplicaThatIsNotThereYetIsMadeWhereItWasAsked) {
  EXPECT_EQ(replicas_->alter_log_directory(*image_, {"u", 0}, path(1)), ErrorCode::unknown_topic_or_partition);
  EXPECT_EQ(replicas_->alter_log_directory(*image_, {"v", 0}, path(1)), ErrorCode::unknown_topic_or_partition);
  add_topic("u", codec::Uuid::reserved(151));
  add_topic("v", codec::Uuid::reserved(152));
  replicas_->apply(*image_, {codec::Uuid::reserved(151), codec::Uuid::reserved(152)});
  EXPECT_EQ(replicas_->find(codec::Uuid::reserved(151), 0)->directory()->path, path(1));
  EXPECT_EQ(replicas_->find(codec::Uuid::reserved(152), 0)->directory()->path, path(1));
}

TEST_F(ReplicaMoves, ACleanStopGoesOnWhereItWasAndAKillBeginsAnew) {
  promotes_ = false;
  for (const bool cleanly : {true, false}) {
    append(*partition_, batch(3));
    EXPECT_EQ(alter(path(1)), ErrorCode::none);
    EXPECT_TRUE(mover_->copy_some());
    restart(cleanly);
    ASSERT_TRUE(partition_->is_moving());
    EXPECT_EQ(partition_->future()->log->log_end_offset(), cleanly ? 3 : 0);
    EXPECT_EQ(partition_->future()->directory->path, path(1));
  }
}

TEST_F(ReplicaMoves, AFutureLogWhoseFormerDirectoryIsGoneTakesOverIfTheMetadataSaysSo) {
  promotes_ = false;
  append(*partition_, batch(3));
  EXPECT_EQ(alter(path(1)), ErrorCode::none);
  EXPECT_TRUE(mover_->copy_some());
  note(id(1));
  ASSERT_TRUE(directories_->all()[0]->directory->remove_tree("t-0"));
  restart(false);
  EXPECT_FALSE(partition_->is_moving());
  EXPECT_EQ(partition_->directory()->path, path(1));
  EXPECT_EQ(partition_->log_end_offset(), 3);
}

TEST_F(ReplicaMoves, OfTwoLogsTheOneThatTheMetadataNamesStays) {
  append(*partition_, batch(3));
  ASSERT_TRUE(directories_->create(key, topic_id, {}, directories_->all()[1].get()));
  note(id(0));
  restart(false);
  EXPECT_EQ(partition_->directory()->path, path(0));
  EXPECT_EQ(partition_->log_end_offset(), 3);
  EXPECT_FALSE(*directories_->all()[1]->directory->exists("t-0"));
}

TEST_F(ReplicaMoves, ADirectoryThatTheMetadataDoesNotKnowIsTold) {
  EXPECT_EQ(told_, partition_->directory()->id);
  told_.reset();
  note(partition_->directory()->id);
  replicas_->apply(*image_, {topic_id});
  EXPECT_FALSE(told_.has_value());
}

TEST_F(ReplicaMoves, ATopicThatGoesTakesItsMoveAlong) {
  EXPECT_EQ(alter(path(1)), ErrorCode::none);
  remove_topic(topic_id);
  replicas_->apply(*image_, {topic_id});
  EXPECT_FALSE(partition_->is_moving());
}

}  // namespace
}  // namespace dohle::replica
