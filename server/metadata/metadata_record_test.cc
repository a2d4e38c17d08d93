#include "server/metadata/metadata_record.h"

#include <gtest/gtest.h>

namespace dohle::metadata {
namespace {

std::string line_of(std::vector<std::uint8_t> value) {
  const auto record = decode_record(value);
  return record ? std::string(record_name(record->message)) : record.error().message;
}

TEST(MetadataRecord, TheFrameIsThreeVarints) {
  // As in the samples: an EndTransactionRecord is four bytes, a removed topic twenty.
  EXPECT_EQ(encode_record({protocol::EndTransactionRecord{}, 0}), (std::vector<std::uint8_t>{1, 24, 0, 0}));
  EXPECT_EQ(encode_record({protocol::RemoveTopicRecord{}, 0}).size(), 20U);
  EXPECT_EQ(line_of({1, 24, 0, 0}), "EndTransactionRecord");
}

TEST(MetadataRecord, WhatIsNotUnderstoodIsNamed) {
  EXPECT_EQ(line_of({}), "a metadata record without a whole frame");
  EXPECT_EQ(line_of({2, 24, 0, 0}), "unknown frame version 2 of a metadata record");
  EXPECT_EQ(line_of({1, 6, 0, 0}), "unknown metadata record type 6");
  EXPECT_EQ(line_of({1, 24, 1, 0}), "unknown version 1 of metadata record type 24");
  EXPECT_EQ(line_of({1, 24, 0, 0, 0}), "malformed EndTransactionRecord version 0");
  EXPECT_EQ(line_of({1, 9, 0, 1, 2, 3}), "malformed RemoveTopicRecord version 0");
}

TEST(MetadataRecord, VersionsFollowTheMetadataVersion) {
  EXPECT_EQ(register_broker_record_version(33), 4);
  EXPECT_EQ(register_broker_record_version(29), 3);
  EXPECT_EQ(register_broker_record_version(16), 2);
  EXPECT_EQ(register_broker_record_version(7), 1);
  EXPECT_EQ(partition_record_version(23), 2);
  EXPECT_EQ(partition_record_version(22), 1);
  EXPECT_EQ(partition_change_record_version(16), 0);
}

}  // namespace
}  // namespace dohle::metadata
