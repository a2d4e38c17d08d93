#include "protocol/record_entry.h"

#include <vector>

#include "gtest/gtest.h"
#include "protocol/record_batch_vectors.h"

namespace dohle::protocol {
namespace {

using testing::batch_vector;

TEST(record_entry, walks_entries_of_all_formats) {
  codec::Blob log;
  for (const char* name : {"magic-0", "magic-1", "plain", "commit"}) {
    const codec::Blob entry = batch_vector(name);
    log.insert(log.end(), entry.begin(), entry.end());
  }
  std::vector<std::pair<int, std::int64_t>> seen;
  codec::Bytes rest = log;
  for (RecordEntry entry = next_entry(rest); entry.complete(); entry = next_entry(rest)) {
    seen.emplace_back(entry.magic, entry.offset());
    EXPECT_EQ(entry.batch().has_value(), entry.magic == 2);
    rest = rest.subspan(entry.bytes.size());
  }
  EXPECT_TRUE(rest.empty());
  EXPECT_EQ(seen, (std::vector<std::pair<int, std::int64_t>>{{0, 10}, {0, 11}, {1, 10}, {1, 11}, {2, 0}, {2, 42}}));
}

TEST(record_entry, every_cut_is_incomplete_and_says_what_it_lacks) {
  const codec::Blob bytes = batch_vector("plain");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const RecordEntry entry = next_entry(codec::Bytes(bytes).first(size));
    EXPECT_EQ(entry.status, EntryStatus::incomplete) << size;
    EXPECT_EQ(entry.size_bytes_needed, size < 12 ? 12 : size < 17 ? 17 : bytes.size()) << size;
  }
}

TEST(record_entry, corrupt_are_short_lengths_and_unknown_formats) {
  codec::Blob bytes = batch_vector("plain");
  bytes[16] = 3;
  EXPECT_EQ(next_entry(bytes).status, EntryStatus::corrupt);
  bytes[16] = 0xff;
  EXPECT_EQ(next_entry(bytes).status, EntryStatus::corrupt);
  bytes[16] = 2;
  bytes[11] = 13;
  EXPECT_EQ(next_entry(bytes).status, EntryStatus::corrupt);
  EXPECT_EQ(next_entry(codec::Bytes(bytes).first(12)).status, EntryStatus::corrupt) << "known from the length alone";
  bytes[11] = 14;
  EXPECT_TRUE(next_entry(bytes).complete());
  EXPECT_FALSE(next_entry(bytes).batch()) << "shorter than a batch's header";
  bytes[8] = 0x80;
  EXPECT_EQ(next_entry(bytes).status, EntryStatus::corrupt) << "negative";
}

TEST(record_entry, reads_legacy_messages) {
  const codec::Blob zero = batch_vector("magic-0");
  const LegacyEntry old(next_entry(zero));
  EXPECT_TRUE(old.is_valid());
  EXPECT_EQ(old.timestamp(), no_timestamp);
  EXPECT_EQ(old.compression(), codec::Compression::none);
  codec::Blob one = batch_vector("magic-1");
  EXPECT_EQ(LegacyEntry(next_entry(one)).timestamp(), 1500000000000);
  EXPECT_TRUE(LegacyEntry(next_entry(one)).is_valid());
  EXPECT_EQ(LegacyEntry(next_entry(one)).timestamp_type(), TimestampType::create_time);
  one[30] ^= 1;
  EXPECT_FALSE(LegacyEntry(next_entry(one)).is_valid());
  const codec::Blob wrapper = batch_vector("magic-1-gzip");
  EXPECT_EQ(LegacyEntry(next_entry(wrapper)).offset(), 11);
  EXPECT_EQ(LegacyEntry(next_entry(wrapper)).timestamp(), 1500000000009);
  EXPECT_EQ(LegacyEntry(next_entry(wrapper)).timestamp_type(), TimestampType::log_append_time);
  EXPECT_EQ(LegacyEntry(next_entry(wrapper)).compression(), codec::Compression::gzip);
}

TEST(record_entry, a_legacy_message_too_short_for_its_format_is_invalid) {
  codec::Blob bytes(12 + 14);
  bytes[11] = 14;
  bytes[16] = 1;
  EXPECT_FALSE(LegacyEntry(next_entry(bytes)).is_valid());
}

}  // namespace
}  // namespace dohle::protocol
