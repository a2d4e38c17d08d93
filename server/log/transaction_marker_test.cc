#include "server/log/transaction_marker.h"

#include <gtest/gtest.h>

#include "server/log/batch_samples.h"

namespace dohle::log {
namespace {

TEST(TransactionMarker, commit_and_abort) {
  const auto commit = read_transaction_marker(samples::marker(1, 0, true, 7, 1234));
  ASSERT_TRUE(commit);
  EXPECT_TRUE(commit->commit);
  EXPECT_EQ(commit->coordinator_epoch, 7);
  EXPECT_EQ(commit->timestamp_ms, 1234);
  EXPECT_FALSE(read_transaction_marker(samples::marker(1, 0, false))->commit);
}

TEST(TransactionMarker, other_batches_have_none) {
  EXPECT_FALSE(read_transaction_marker(samples::batch({.records = 1})));
  EXPECT_FALSE(read_transaction_marker({}));
  const codec::Blob marker = samples::marker(1, 0, true);
  for (std::size_t size = 0; size < marker.size(); ++size) {
    EXPECT_FALSE(read_transaction_marker(codec::Bytes(marker).subspan(0, size))) << size;
  }
}

}  // namespace
}  // namespace dohle::log
