#include "protocol/control_record.h"

#include "gtest/gtest.h"
#include "protocol/record.h"
#include "protocol/record_batch_vectors.h"

namespace dohle::protocol {
namespace {

using testing::batch_vector;

TEST(control_record, markers_are_kafkas) {
  ASSERT_FALSE(batch_vector("commit").empty());
  EXPECT_EQ(end_transaction_batch(42, 9, {ControlRecordType::commit, 17, 4711, 3, 1700000000000}),
            batch_vector("commit"));
  EXPECT_EQ(end_transaction_batch(43, 9, {ControlRecordType::abort, -2, 4711, 4, 1700000000001}),
            batch_vector("abort"));
}

TEST(control_record, reads_kafkas_markers) {
  const codec::Blob bytes = batch_vector("abort");
  RecordReader reader(RecordBatch(bytes), 0);
  Record record;
  ASSERT_TRUE(reader.next(record));
  EXPECT_EQ(parse_control_record_key(*record.key), ControlRecordType::abort);
  EXPECT_EQ(parse_end_transaction_value(*record.value), -2);
}

TEST(control_record, later_versions_and_types_are_read_as_kafka_reads_them) {
  EXPECT_EQ(parse_control_record_key(codec::Blob{0, 9, 0, 6, 1, 2, 3}), ControlRecordType::kraft_voters);
  EXPECT_EQ(parse_control_record_key(codec::Blob{0, 0, 0, 7}), ControlRecordType::unknown);
  EXPECT_EQ(parse_control_record_key(codec::Blob{0, 0, 0xff, 0xff}), ControlRecordType::unknown);
  EXPECT_EQ(parse_end_transaction_value(codec::Blob{0, 9, 0, 0, 0, 5, 1}), 5);
}

TEST(control_record, short_ones_and_negative_versions_are_refused) {
  EXPECT_FALSE(parse_control_record_key(codec::Blob{0, 0, 0}));
  EXPECT_FALSE(parse_control_record_key(codec::Blob{0x80, 0, 0, 1}));
  EXPECT_FALSE(parse_end_transaction_value(codec::Blob{0, 0, 0, 0, 5}));
  EXPECT_FALSE(parse_end_transaction_value(codec::Blob{0xff, 0xff, 0, 0, 0, 5}));
}

}  // namespace
}  // namespace dohle::protocol
