// The bytes are those that TransactionLog.valueToBytes of Kafka 4.4.0 wrote.
#include "server/transactions/transaction_record.h"

#include <gtest/gtest.h>

namespace dohle::transactions {
namespace {

codec::Blob from_hex(std::string_view hex) {
  codec::Blob bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

TransactionMetadata empty_metadata() {
  TransactionMetadata metadata;
  metadata.producer_id = 1000;
  metadata.producer_epoch = 0;
  metadata.timeout_ms = 60000;
  metadata.last_update_ms = 1'700'000'000'000;
  return metadata;
}

TransactionMetadata ongoing_metadata(std::int16_t client_version) {
  auto metadata = empty_metadata();
  metadata.previous_producer_id = 1000;
  metadata.producer_epoch = 3;
  metadata.state = TransactionState::ongoing;
  metadata.partitions = {{"a", 1}};
  metadata.start_ms = 1'700'000'000'001;
  metadata.last_update_ms = 1'700'000'000'002;
  metadata.client_version = client_version;
  return metadata;
}

TransactionMetadata exhausted_metadata() {
  auto metadata = ongoing_metadata(2);
  metadata.next_producer_id = 2000;
  metadata.producer_epoch = 32767;
  metadata.state = TransactionState::prepare_commit;
  metadata.last_update_ms = 1'700'000'000'003;
  return metadata;
}

struct Sample {
  const char* name;
  TransactionMetadata metadata;
  std::int16_t transaction_version;
  const char* bytes;
};

std::vector<Sample> samples() {
  auto done = exhausted_metadata().completed(1'700'000'000'004);
  return {
      {"empty 0", empty_metadata(), 0, "000000000000000003e800000000ea6000ffffffff0000018bcfe56800ffffffffffffffff"},
      {"ongoing 0", ongoing_metadata(0), 0,
       "000000000000000003e800030000ea60010000000100016100000001000000010000018bcfe568020000018bcfe56801"},
      {"empty 1", empty_metadata(), 1, "000100000000000003e800000000ea6000000000018bcfe56800ffffffffffffffff00"},
      {"ongoing 1", ongoing_metadata(0), 1,
       "000100000000000003e800030000ea60010202610200000001000000018bcfe568020000018bcfe5680101000800000000000003e8"},
      {"empty 2", empty_metadata(), 2, "000100000000000003e800000000ea6000000000018bcfe56800ffffffffffffffff00"},
      {"ongoing 2", ongoing_metadata(2), 2,
       "000100000000000003e800030000ea60010202610200000001000000018bcfe568020000018bcfe568010200080000000000000"
       "3e802020002"},
      {"exhausted 2", exhausted_metadata(), 2,
       "000100000000000003e87fff0000ea60020202610200000001000000018bcfe568030000018bcfe568010300080000000000000"
       "3e8010800000000000007d002020002"},
      {"done 2", done, 2,
       "000100000000000007d000000000ea6004010000018bcfe568040000018bcfe5680102000800000000000003e802020002"},
  };
}

TEST(TransactionRecord, HasKafkasBytes) {
  for (const auto& sample : samples()) {
    const auto record = transaction_record("tx-1", sample.metadata, sample.transaction_version);
    EXPECT_EQ(record.key, from_hex("0000000474782d31")) << sample.name;
    EXPECT_EQ(record.value, from_hex(sample.bytes)) << sample.name;
  }
}

TEST(TransactionRecord, IsReadBackWithoutWhatItDoesNotSay) {
  for (const auto& sample : samples()) {
    const auto read = read_transaction_record({from_hex("0000000474782d31"), from_hex(sample.bytes)});
    ASSERT_TRUE(read.has_value() && read->has_value()) << sample.name;
    auto expected = sample.metadata;
    expected.last_producer_epoch = no_producer_epoch;
    if (sample.transaction_version == 0) {
      expected.previous_producer_id = no_producer_id;
      expected.next_producer_id = no_producer_id;
    }
    EXPECT_EQ((*read)->transactional_id, "tx-1");
    EXPECT_EQ((*read)->metadata, expected) << sample.name;
  }
}

TEST(TransactionRecord, WithoutAValueIsATombstone) {
  const auto record = transaction_tombstone("tx-1");
  EXPECT_EQ(record.key, from_hex("0000000474782d31"));
  EXPECT_FALSE(record.value.has_value());
  const auto read = read_transaction_record(record);
  ASSERT_TRUE(read.has_value() && read->has_value());
  EXPECT_FALSE((*read)->metadata.has_value());
}

TEST(TransactionRecord, OfALaterReleaseIsPassedOver) {
  const auto value = from_hex("000100000000000003e800000000ea6000000000018bcfe56800ffffffffffffffff00");
  const auto later_key = read_transaction_record({from_hex("0001000474782d31"), value});
  ASSERT_TRUE(later_key.has_value());
  EXPECT_FALSE(later_key->has_value());
  const auto later_value = read_transaction_record({from_hex("0000000474782d31"), from_hex("00020000")});
  ASSERT_TRUE(later_value.has_value());
  EXPECT_FALSE(later_value->has_value());
}

TEST(TransactionRecord, ThatIsBrokenIsAnError) {
  const auto key = from_hex("0000000474782d31");
  const std::pair<const char*, coordinator::Record> broken[] = {
      {"short key", {from_hex("00"), from_hex("0000")}},
      {"key without its id", {from_hex("00000004"), from_hex("0000")}},
      {"short value", {key, from_hex("000000000000")}},
      {"empty value", {key, from_hex("")}},
      {"unknown state", {key, from_hex("000000000000000003e800000000ea6008000000000000018bcfe56800ffffffffffffffff")}},
      {"no partitions", {key, from_hex("000000000000000003e800000000ea6001ffffffff0000018bcfe56800ffffffffffffffff")}},
      {"unknown client version",
       {key, from_hex("000100000000000003e800000000ea6000000000018bcfe56800ffffffffffffffff0102020003")}},
  };
  for (const auto& [what, record] : broken) {
    const auto read = read_transaction_record(record);
    ASSERT_FALSE(read.has_value()) << what;
    EXPECT_EQ(read.error().kind, runtime::ErrorKind::corrupt) << what;
  }
}

}  // namespace
}  // namespace dohle::transactions
