#include "server/config/java_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dohle::config {
namespace {

using testing::ElementsAre;

const std::vector<std::string> names = {"retention.ms",
                                        "segment.bytes",
                                        "cleanup.policy",
                                        "flush.ms",
                                        "a",
                                        "b",
                                        "zz",
                                        "min.insync.replicas",
                                        "AaAa",
                                        "BBBB",
                                        "AaBB",
                                        "preallocate",
                                        "x1",
                                        "x2",
                                        "x3",
                                        "x4",
                                        "x5"};

std::vector<std::string> first(std::size_t count) {
  return {names.begin(), names.begin() + static_cast<long>(count)};
}

// The expected orders were printed by a java.util.HashMap. "AaAa", "BBBB" and "AaBB" have the same hash.
TEST(JavaOrder, IsThatOfAHashMapFilledOneByOne) {
  EXPECT_THAT(java_hash_order(names),
              ElementsAre("zz", "a", "b", "min.insync.replicas", "preallocate", "cleanup.policy", "flush.ms", "x1",
                          "x2", "retention.ms", "segment.bytes", "x3", "x4", "x5", "AaAa", "BBBB", "AaBB"));
  EXPECT_THAT(java_hash_order(first(12)),
              ElementsAre("zz", "a", "cleanup.policy", "b", "flush.ms", "min.insync.replicas", "retention.ms",
                          "segment.bytes", "preallocate", "AaAa", "BBBB", "AaBB"));
}

TEST(JavaOrder, IsThatOfAHashMapCopiedAtOnce) {
  EXPECT_THAT(java_hash_copy_order(first(13)),
              ElementsAre("zz", "a", "b", "min.insync.replicas", "preallocate", "cleanup.policy", "flush.ms", "x1",
                          "retention.ms", "segment.bytes", "AaAa", "BBBB", "AaBB"));
  EXPECT_THAT(java_hash_copy_order(first(3)), ElementsAre("cleanup.policy", "retention.ms", "segment.bytes"));
}

}  // namespace
}  // namespace dohle::config
