#include "server/api/marker_writer.h"

#include <future>

#include "server/api/transaction_fixture.h"

namespace dohle::api {
namespace {

using protocol::ErrorCode;

class Markers : public TransactionFixture {
 protected:
  MarkerResults write_markers(const std::set<transactions::TopicPartition>& partitions) {
    protocol::EndTransactionMarker marker;
    marker.producer_id = 7;
    marker.producer_epoch = 0;
    std::promise<MarkerResults> results;
    broker().services().markers.write(marker, 0, partitions,
                                      [&results](MarkerResults done) { results.set_value(std::move(done)); });
    return results.get_future().get();
  }
};

TEST_F(Markers, AreWrittenWhereThePartitionIs) {
  create_topic("t");
  const auto results = write_markers({{"t", 0}, {"t", 1}, {"u", 0}});
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].second, ErrorCode::none);
  EXPECT_EQ(results[1].second, ErrorCode::unknown_topic_or_partition);
  EXPECT_EQ(results[2].second, ErrorCode::unknown_topic_or_partition);
  EXPECT_EQ(broker().partition("t", 0)->log_end_offset(), 1);
}

TEST_F(Markers, WithFlushingWaitForTheDisk) {
  create_topic("t", 1, {{"flush.messages", "1"}});
  EXPECT_EQ(write_markers({{"t", 0}}).at(0).second, ErrorCode::none);
  EXPECT_EQ(broker().partition("t", 0)->high_watermark(), 1);
}

TEST_F(Markers, OfAPartitionThatIsGoneAreNotNeeded) {
  create_topic("t");
  auto producer = init("a");
  ASSERT_EQ(write("a", producer, "t", 0, 12).error_code, 0);
  ASSERT_EQ(end("a", producer, false, 5).error_code, 0);
  EXPECT_EQ(init("a").error_code, 0) << "the transaction was completed";
}

}  // namespace
}  // namespace dohle::api
