// The cases of Kafka's TransactionIndexTest.
#include "server/log/transaction_index.h"

#include "server/log/index_fixture.h"

namespace dohle::log {
namespace {

class TransactionIndexTest : public IndexFixture {
 protected:
  const std::vector<AbortedTransaction> transactions_ = {
      {0, 0, 10, 2}, {1, 5, 15, 16}, {2, 18, 35, 25}, {3, 32, 50, 40}};
  void fill() {
    for (const auto& transaction : transactions_) ASSERT_TRUE(index_.append(transaction));
  }
  TransactionIndex index_{file()};
};

TEST_F(TransactionIndexTest, the_file_is_made_with_the_first_entry) {
  EXPECT_TRUE(index_.empty());
  EXPECT_FALSE(*directory_->exists("index"));
  fill();
  EXPECT_EQ(file_bytes(), 4 * 34U);
  EXPECT_EQ(*index_.all(), transactions_);
  TransactionIndex again(file());
  again.set_size(4 * 34 + 5);
  EXPECT_EQ(*again.all(), transactions_);
}

TEST_F(TransactionIndexTest, those_that_overlap_are_collected) {
  fill();
  using List = std::vector<AbortedTransaction>;
  const auto collect = [&](std::int64_t from, std::int64_t to) { return *index_.collect(from, to); };
  EXPECT_EQ(collect(0, 100).transactions, transactions_);
  EXPECT_FALSE(collect(0, 100).complete);
  EXPECT_EQ(collect(0, 32).transactions, (List{transactions_[0], transactions_[1], transactions_[2]}));
  EXPECT_TRUE(collect(0, 32).complete);
  EXPECT_EQ(collect(0, 35).transactions, transactions_);
  EXPECT_TRUE(collect(0, 35).complete);
  EXPECT_EQ(collect(10, 35).transactions, transactions_);
  EXPECT_EQ(collect(11, 35).transactions, (List{transactions_[1], transactions_[2], transactions_[3]}));
  EXPECT_EQ(collect(20, 41).transactions, (List{transactions_[2], transactions_[3]}));
  EXPECT_FALSE(collect(20, 41).complete);
}

TEST_F(TransactionIndexTest, truncation) {
  fill();
  ASSERT_TRUE(index_.truncate(51));
  EXPECT_EQ(index_.count(), 4U);
  ASSERT_TRUE(index_.truncate(50));
  EXPECT_EQ(index_.count(), 3U);
  ASSERT_TRUE(index_.truncate(0));
  EXPECT_TRUE(index_.empty());
  EXPECT_EQ(file_bytes(), 0U);
}

TEST_F(TransactionIndexTest, sanity) {
  fill();
  EXPECT_TRUE(index_.sanity_check(10));
  EXPECT_FALSE(index_.sanity_check(11));
  auto file = directory_->open("index", {});
  const std::uint8_t version = 1;
  ASSERT_TRUE((*file)->write_at(codec::Bytes(&version, 1), 35));
  EXPECT_EQ(index_.all().error().kind, runtime::ErrorKind::corrupt);
}

}  // namespace
}  // namespace dohle::log
