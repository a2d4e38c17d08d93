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

TEST(MessageEncoder, RefusesNullWhereTheVersionHasNone) {
  EXPECT_FALSE(decodes<MetadataRequest>(Octets{0xff, 0xff, 0xff, 0xff}, 0));
  MetadataRequest request;
  request.topics.reset();
  EXPECT_EQ(encoded(request, 1), (Octets{0xff, 0xff, 0xff, 0xff}));
  EXPECT_EQ(refusal(request, 0), "MetadataRequest version 0: topics is null");
}

TEST(MessageEncoder, AFieldOutsideItsVersionsIsRefusedUnlessDefaultOrIgnorable) {
  MetadataRequest request;
  request.allow_auto_topic_creation = false;
  EXPECT_NE(refusal(request, 3), "");
  EXPECT_EQ(refusal(request, 4), "");
  MetadataResponse response;
  response.cluster_id = "ignorable";
  EXPECT_EQ(refusal(response, 1), "");
}

TEST(MessageEncoder, RefusesVersionsThatTheMessageDoesNotHave) {
  EXPECT_NE(refusal(MetadataRequest{}, 14), "");
  EXPECT_NE(refusal(ProduceRequest{}, 2), "");
  EXPECT_FALSE(decodes<TopicRecord>(Octets{}, 1));
}

TEST(MessageEncoder, TextOfMoreThan32767BytesIsNoText) {
  MetadataRequest request;
  request.topics.emplace(1);
  request.topics->front().name = std::string(0x7fff, 'x');
  EXPECT_EQ(refusal(request, 9), "");
  request.topics->front().name->push_back('x');
  EXPECT_NE(refusal(request, 9), "");
}

TEST(MessageEncoder, KeepsUnknownTagsInOrderAmongTheKnownOnes) {
  ApiVersionsResponse response;
  response.finalized_features_epoch = 1;
  response.unknown_tags = {{4, {0xaa}}, {9, {}}};
  const Octets bytes = encoded(response, 3);
  EXPECT_EQ(bytes, (Octets{0, 0, 1, 0, 0, 0, 0, 3, 1, 8, 0, 0, 0, 0, 0, 0, 0, 1, 4, 1, 0xaa, 9, 0}));
  ApiVersionsResponse again;
  ASSERT_TRUE(decodes(bytes, 3, again));
  EXPECT_EQ(again, response);
}

TEST(MessageEncoder, RecordsThatWereNeverSetAreNullAsInKafka) {
  FetchResponse response;
  response.responses.resize(1);
  response.responses[0].partitions.resize(1);
  const Octets bytes = encoded(response, 4);
  EXPECT_EQ(Octets(bytes.end() - 4, bytes.end()), (Octets{0xff, 0xff, 0xff, 0xff}));
}

TEST(MessageEncoder, RefusesUnknownTagsOutOfOrderAndWhereThereAreNoTags) {
  ApiVersionsResponse response;
  response.unknown_tags = {{9, {}}, {4, {}}};
  EXPECT_NE(refusal(response, 3), "");
  response.unknown_tags = {{0x80000000, {}}};
  EXPECT_NE(refusal(response, 3), "");
  response.unknown_tags = {{9, {}}, {9, {}}};
  EXPECT_NE(refusal(response, 3), "");
  response.unknown_tags = {{9, {}}};
  EXPECT_EQ(refusal(response, 3), "");
  EXPECT_NE(refusal(response, 2), "");
}

TEST(MessageEncoder, ExternalRecordsCountInTheLengthAndLeaveAGap) {
  FetchResponse response;
  response.responses.resize(1);
  response.responses[0].partitions.resize(1);
  response.responses[0].partitions[0].records = Records::external(1000);
  codec::Writer writer;
  encode(writer, 4, response);
  ASSERT_EQ(writer.gaps().size(), 1u);
  EXPECT_EQ(writer.gaps()[0].size_bytes, 1000u);
  EXPECT_EQ(writer.gaps()[0].position, writer.size());
  codec::Reader length(writer.bytes().last(4));
  EXPECT_EQ(length.i32(), 1000);
}

TEST(MessageEncoder, ATaggedFieldOfAnOlderVersionMustBeDefault) {
  TransactionLogValue value;
  EXPECT_EQ(refusal(value, 0), "");
  value.next_producer_id = 5;
  EXPECT_NE(refusal(value, 0), "");
  EXPECT_EQ(refusal(value, 1), "");
}

}  // namespace
}  // namespace dohle::protocol
