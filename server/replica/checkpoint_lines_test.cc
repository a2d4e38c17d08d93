#include "server/replica/checkpoint_lines.h"

#include <cerrno>

#include "server/replica/replica_fixture.h"

namespace dohle::replica {
namespace {

class CheckpointLines : public ReplicaFixture {
 protected:
  log::PartitionOffsets lines(std::size_t directory, const char* name) {
    return log::read_offset_checkpoint(*directories_->all()[directory]->directory, name).value();
  }
};

// behaviours.md 193: a topic that is made again shares nothing with its predecessor.
TEST_F(CheckpointLines, GoFromAllFilesOfAllDirectories) {
  const log::PartitionOffsets before{{{"t", 0}, 5}, {{"t", 1}, 6}, {{"u", 0}, 7}};
  for (const auto& directory : directories_->all()) {
    for (const auto* name :
         {log::recovery_point_checkpoint, log::log_start_checkpoint, log::high_watermark_checkpoint}) {
      ASSERT_TRUE(directories_->write_checkpoint(*directory, name, before));
    }
  }
  forget_lines(*directories_, {{"t", 0}, {"u", 0}, {"v", 0}});
  for (std::size_t directory : {0, 1}) {
    for (const auto* name :
         {log::recovery_point_checkpoint, log::log_start_checkpoint, log::high_watermark_checkpoint}) {
      EXPECT_EQ(lines(directory, name), (log::PartitionOffsets{{{"t", 1}, 6}}));
    }
  }
}

TEST_F(CheckpointLines, WithoutOneOfTheirsNothingIsWritten) {
  const auto before = disk_.calls(dohle::testing::DiskCall::write);
  forget_lines(*directories_, {{"t", 0}});
  EXPECT_EQ(disk_.calls(dohle::testing::DiskCall::write), before);
}

TEST_F(CheckpointLines, OnAFullDiskTheFileGoes) {
  auto& directory = *directories_->all()[0];
  ASSERT_TRUE(directories_->write_checkpoint(directory, log::log_start_checkpoint, {{{"t", 0}, 5}}));
  disk_.fail_all(ENOSPC, dohle::testing::DiskCall::write);
  forget_lines(*directories_, {{"t", 0}});
  disk_.clear_failures();
  EXPECT_FALSE(*directory.directory->exists(log::log_start_checkpoint));
}

}  // namespace
}  // namespace dohle::replica
