#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "protocol/message_codec.h"
#include "protocol/messages/api_versions.h"
#include "protocol/messages/fetch.h"
#include "protocol/messages/metadata.h"
#include "protocol/messages/offset_commit_value.h"
#include "protocol/messages/produce.h"
#include "protocol/messages/topic_record.h"
#include "protocol/messages/transaction_log_value.h"

namespace dohle::protocol {
namespace {

// The rules of Kafka's generated classes, one by one. Whole messages are compared with Kafka's bytes by
// compat-tests/protocol/test_golden_bytes.py.

using Octets = std::vector<std::uint8_t>;

template <typename Message>
bool decodes(const Octets& bytes, std::int16_t version, Message& message) {
  codec::Reader reader(bytes);
  decode(reader, version, message);
  return reader.ok() && reader.remaining() == 0;
}

template <typename Message>
bool decodes(const Octets& bytes, std::int16_t version) {
  Message message;
  return decodes(bytes, version, message);
}

template <typename Message>
Octets encoded(const Message& message, std::int16_t version) {
  codec::Writer writer;
  encode(writer, version, message);
  EXPECT_TRUE(writer.ok()) << writer.error();
  return {writer.bytes().begin(), writer.bytes().end()};
}

template <typename Message>
std::string refusal(const Message& message, std::int16_t version) {
  codec::Writer writer;
  encode(writer, version, message);
  return writer.error();
}

TEST(MessageDecoder, ReadsNullAndEmptyArraysApart) {
  MetadataRequest request;
  ASSERT_TRUE(decodes(Octets{0xff, 0xff, 0xff, 0xff}, 1, request));
  EXPECT_FALSE(request.topics.has_value());
  ASSERT_TRUE(decodes(Octets{0, 0, 0, 0}, 1, request));
  ASSERT_TRUE(request.topics.has_value());
  EXPECT_TRUE(request.topics->empty());
}

TEST(MessageDecoder, ACountBeyondWhatIsLeftFailsBeforeAnythingIsAllocated) {
  EXPECT_FALSE(decodes<MetadataRequest>(Octets{0x7f, 0xff, 0xff, 0xff, 0, 0}, 1));
  // Each topic takes at least two bytes, so four of them cannot be in six.
  EXPECT_FALSE(decodes<MetadataRequest>(Octets{0, 0, 0, 4, 0, 0, 0, 0, 0, 0}, 1));
  EXPECT_TRUE(decodes<MetadataRequest>(Octets{0, 0, 0, 3, 0, 0, 0, 0, 0, 0}, 1));
}

TEST(MessageDecoder, AnArrayHasAMillionElementsAtMost) {
  // Topics with empty names.
  const auto request = [](std::uint32_t count) {
    codec::Writer writer;
    writer.u32(count);
    for (std::uint32_t i = 0; i < count; ++i) writer.i16(0);
    return Octets(writer.bytes().begin(), writer.bytes().end());
  };
  EXPECT_TRUE(decodes<MetadataRequest>(request(1000000), 1));
  EXPECT_FALSE(decodes<MetadataRequest>(request(1000001), 1));
}

TEST(MessageDecoder, AStructHasTenThousandTagsAtMost) {
  const auto request = [](std::uint32_t count) {
    codec::Writer writer;
    for (const std::uint8_t byte : {0, 1, 0}) writer.i8(static_cast<std::int8_t>(byte));
    writer.uvarint(count);
    for (std::uint32_t tag = 0; tag < count; ++tag) {
      writer.uvarint(tag);
      writer.uvarint(0);
    }
    return Octets(writer.bytes().begin(), writer.bytes().end());
  };
  EXPECT_TRUE(decodes<MetadataRequest>(request(10000), 11));
  EXPECT_FALSE(decodes<MetadataRequest>(request(10001), 11));
}

TEST(MessageDecoder, ATagCountIsNeitherNegativeNorMoreThanTheBytesLeft) {
  EXPECT_FALSE(decodes<MetadataRequest>(Octets{0, 1, 0, 0xff, 0xff, 0xff, 0xff, 0x0f}, 11));
  EXPECT_FALSE(decodes<MetadataRequest>(Octets{0, 1, 0, 5, 0, 0}, 11));
}

TEST(MessageDecoder, ATextBeyondWhatIsLeftFails) {
  EXPECT_FALSE(decodes<MetadataRequest>(Octets{0, 0, 0, 1, 0, 3, 'a', 'b'}, 1));
  EXPECT_FALSE(decodes<MetadataRequest>(Octets{0, 0, 0, 1, 0xff, 0xff}, 1));
}

TEST(MessageDecoder, ATagOfAnotherVersionFails) {
  // Fetch v12 has tag 0 at the top, but not 1, which came with v15.
  FetchRequest request;
  request.cluster_id = "c";
  const Octets good = encoded(request, 12);
  EXPECT_TRUE(decodes<FetchRequest>(good, 12));
  Octets bad = good;
  bad[bad.size() - 4] = 1;  // 1 (count), 0 (tag), 2 (size), 2 'c'
  EXPECT_FALSE(decodes<FetchRequest>(bad, 12));
}

TEST(MessageDecoder, ATagLongerThanTheMessageFails) {
  EXPECT_FALSE(decodes<MetadataRequest>(Octets{1, 0, 0, 0, 1, 77, 3, 0, 0}, 9));
  EXPECT_TRUE(decodes<MetadataRequest>(Octets{1, 0, 0, 0, 1, 77, 2, 0, 0}, 9));
}

TEST(MessageDecoder, RecordsAreViewsIntoTheInput) {
  FetchResponse response;
  response.responses.resize(1);
  response.responses[0].partitions.resize(1);
  const Octets payload(100, 7);
  response.responses[0].partitions[0].records = Records::of(payload);
  const Octets bytes = encoded(response, 13);
  FetchResponse again;
  ASSERT_TRUE(decodes(bytes, 13, again));
  const codec::Bytes view = again.responses[0].partitions[0].records.bytes;
  EXPECT_GE(view.data(), bytes.data());
  EXPECT_LT(view.data(), bytes.data() + bytes.size());
  EXPECT_TRUE(std::ranges::equal(view, payload));
}

TEST(MessageDecoder, DecodingIntoAUsedMessageLeavesNothingOfIt) {
  OffsetCommitValue value;
  value.expire_timestamp = 99;
  value.metadata = "old";
  ASSERT_TRUE(decodes(Octets{0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6}, 2, value));
  EXPECT_EQ(value.expire_timestamp, -1);
  EXPECT_EQ(value.metadata, "");
  EXPECT_EQ(value.offset, 5);
}

TEST(MessageDecoder, TextThatIsNotUtf8KeepsItsBytes) {
  const Octets bytes = {0, 0, 0, 1, 0, 2, 0xff, 0xc0};
  MetadataRequest request;
  ASSERT_TRUE(decodes(bytes, 1, request));
  EXPECT_EQ(encoded(request, 1), bytes);
}

}  // namespace
}  // namespace dohle::protocol
