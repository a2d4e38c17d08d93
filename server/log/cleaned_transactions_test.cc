#include "server/log/cleaned_transactions.h"

#include <gtest/gtest.h>

#include "server/log/batch_samples.h"

namespace dohle::log {
namespace {

BatchHeader data(std::int64_t producer_id, std::int64_t offset) {
  BatchHeader header;
  header.base_offset = offset;
  header.producer_id = producer_id;
  header.attributes = 0x10;
  return header;
}

CleanedTransactions::Marker pass_marker(CleanedTransactions& transactions, std::int64_t producer_id, bool commit,
                                        std::int64_t offset) {
  codec::Blob bytes = samples::marker(producer_id, 0, commit);
  stamp(bytes, offset, 0);
  return transactions.pass_control(*BatchHeader::read(bytes), bytes);
}

TEST(CleanedTransactions, aborted_data_may_go_and_its_marker_stays_with_its_index_entry) {
  CleanedTransactions transactions;
  const AbortedTransaction aborted{7, 10, 12, 10};
  transactions.add({aborted});
  EXPECT_FALSE(transactions.pass(data(7, 8))) << "before the transaction";
  EXPECT_FALSE(pass_marker(transactions, 7, true, 9).may_go);
  EXPECT_TRUE(transactions.pass(data(7, 10)));
  EXPECT_FALSE(transactions.pass(data(8, 11))) << "another producer";
  const auto marker = pass_marker(transactions, 7, false, 12);
  EXPECT_FALSE(marker.may_go);
  EXPECT_EQ(marker.aborted, aborted);
  EXPECT_FALSE(transactions.pass(data(7, 13))) << "the transaction after it";
}

TEST(CleanedTransactions, a_marker_may_go_when_nothing_of_its_transaction_is_left) {
  CleanedTransactions transactions;
  transactions.add({{7, 10, 12, 10}});
  const auto aborted = pass_marker(transactions, 7, false, 12);
  EXPECT_TRUE(aborted.may_go);
  EXPECT_FALSE(aborted.aborted);
  EXPECT_TRUE(pass_marker(transactions, 8, true, 13).may_go);
  EXPECT_FALSE(transactions.pass(data(8, 14)));
  EXPECT_FALSE(pass_marker(transactions, 8, true, 15).may_go);
  EXPECT_TRUE(pass_marker(transactions, 8, true, 16).may_go);
}

TEST(CleanedTransactions, an_emptied_control_batch_may_go) {
  CleanedTransactions transactions;
  BatchHeader header = data(7, 1);
  header.attributes = 0x30;
  header.record_count = 0;
  EXPECT_TRUE(transactions.pass_control(header, {}).may_go);
}

TEST(CleanedTransactions, a_batch_without_a_transaction_is_no_part_of_one) {
  CleanedTransactions transactions;
  transactions.add({{7, 0, 12, 0}});
  BatchHeader header = data(7, 1);
  header.attributes = 0;
  EXPECT_FALSE(transactions.pass(header));
  EXPECT_TRUE(pass_marker(transactions, 7, true, 2).may_go);
}

}  // namespace
}  // namespace dohle::log
