#include "protocol/error_code.h"

#include <gtest/gtest.h>

namespace dohle::protocol {
namespace {

// Expected values: Errors.values() of the 4.4.0 kafka-clients jar. compat-tests/protocol compares the whole table.

TEST(ErrorCode, HasKafkasNumbers) {
  EXPECT_EQ(static_cast<int>(ErrorCode::unknown_server_error), -1);
  EXPECT_EQ(static_cast<int>(ErrorCode::none), 0);
  EXPECT_EQ(static_cast<int>(ErrorCode::unknown_topic_or_partition), 3);
  EXPECT_EQ(static_cast<int>(ErrorCode::unsupported_version), 35);
  EXPECT_EQ(static_cast<int>(ErrorCode::unknown_topic_id), 100);
  EXPECT_EQ(static_cast<int>(ErrorCode::controller_id_not_registered), 136);
}

TEST(ErrorCode, HasKafkasNamesAtBothEndsOfTheTable) {
  EXPECT_EQ(name(ErrorCode::unknown_server_error), "UNKNOWN_SERVER_ERROR");
  EXPECT_EQ(name(ErrorCode::none), "NONE");
  EXPECT_EQ(name(ErrorCode::controller_id_not_registered), "CONTROLLER_ID_NOT_REGISTERED");
}

TEST(ErrorCode, ANumberThatIsNoCodeIsAnUnknownServerError) {
  EXPECT_EQ(name(static_cast<ErrorCode>(137)), "UNKNOWN_SERVER_ERROR");
  EXPECT_EQ(name(static_cast<ErrorCode>(-2)), "UNKNOWN_SERVER_ERROR");
  EXPECT_FALSE(is_retriable(static_cast<ErrorCode>(32767)));
}

TEST(ErrorCode, KnowsWhatClientsTryAgain) {
  EXPECT_TRUE(is_retriable(ErrorCode::concurrent_transactions));
  EXPECT_TRUE(is_retriable(ErrorCode::share_session_not_found));
  EXPECT_FALSE(is_retriable(ErrorCode::broker_not_available));
  EXPECT_FALSE(is_retriable(ErrorCode::none));
}

TEST(ErrorCode, HasTheMessagesThatGoOverTheWire) {
  EXPECT_EQ(default_message(ErrorCode::none), "NONE");
  EXPECT_EQ(default_message(ErrorCode::request_timed_out), "The request timed out.");
}

}  // namespace
}  // namespace dohle::protocol
