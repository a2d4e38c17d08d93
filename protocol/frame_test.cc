#include "protocol/frame.h"

#include <gtest/gtest.h>

#include <vector>

namespace dohle::protocol {
namespace {

// Expected versions: ApiKeys.requestHeaderVersion and responseHeaderVersion of the 4.4.0 jars.

std::vector<std::uint8_t> frame(std::initializer_list<int> bytes) {
  return {bytes.begin(), bytes.end()};
}

TEST(Frame, HeaderVersionsFollowFlexibility) {
  const ApiInfo& produce = api_info(ApiKey::produce);
  EXPECT_EQ(request_header_version(produce, 8), 1);
  EXPECT_EQ(request_header_version(produce, 9), 2);
  EXPECT_EQ(response_header_version(produce, 8), 0);
  EXPECT_EQ(response_header_version(produce, 9), 1);
}

TEST(Frame, ApiVersionsAlwaysAnswersWithHeaderZero) {
  const ApiInfo& api = api_info(ApiKey::api_versions);
  EXPECT_EQ(request_header_version(api, 2), 1);
  EXPECT_EQ(request_header_version(api, 3), 2);
  EXPECT_EQ(request_header_version(api, 32767), 2);
  EXPECT_EQ(response_header_version(api, 0), 0);
  EXPECT_EQ(response_header_version(api, 5), 0);
}

TEST(Frame, SaslHandshakeIsNeverFlexible) {
  EXPECT_EQ(request_header_version(api_info(ApiKey::sasl_handshake), 1), 1);
  EXPECT_EQ(response_header_version(api_info(ApiKey::sasl_handshake), 1), 0);
}

TEST(Frame, ReadsHeaderTwoWithItsOldStyleClientIdAndItsTags) {
  // Metadata v9, correlation id 7, client id "ab" with a two-byte length, one unknown tag 5 of two bytes, body 0xee.
  const auto bytes = frame({0, 3, 0, 9, 0, 0, 0, 7, 0, 2, 'a', 'b', 1, 5, 2, 0xca, 0xfe, 0xee});
  codec::Reader reader(bytes);
  const RequestHeader header = decode_request_header(reader);
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(header.request_api_key, 3);
  EXPECT_EQ(header.request_api_version, 9);
  EXPECT_EQ(header.correlation_id, 7);
  EXPECT_EQ(header.client_id, "ab");
  ASSERT_EQ(header.unknown_tags.size(), 1u);
  EXPECT_EQ(header.unknown_tags[0], (UnknownTag{5, {0xca, 0xfe}}));
  EXPECT_EQ(reader.remaining(), 1u);
  codec::Writer writer;
  encode_request_header(writer, header);
  EXPECT_TRUE(std::ranges::equal(writer.bytes(), codec::Bytes(bytes).first(bytes.size() - 1)));
}

TEST(Frame, ANullClientIdIsEmpty) {
  const auto bytes = frame({0, 3, 0, 1, 0, 0, 0, 7, 0xff, 0xff});
  codec::Reader reader(bytes);
  EXPECT_EQ(decode_request_header(reader).client_id, "");
  EXPECT_TRUE(reader.ok());
}

TEST(Frame, RefusesKeysWithoutVersionsAndMalformedHeaders) {
  const std::vector<std::vector<std::uint8_t>> bad = {
      {},
      frame({0, 3, 0}),
      frame({0, 95, 0, 0, 0, 0, 0, 0, 0xff, 0xff}),           // no such key
      frame({0xff, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff}),      // -1
      frame({0, 4, 0, 0, 0, 0, 0, 0, 0xff, 0xff}),            // LeaderAndIsr, removed
      frame({0, 3, 0, 1, 0, 0, 0, 7, 0, 9, 'a'}),             // client id longer than the frame
      frame({0, 3, 0, 9, 0, 0, 0, 7, 0, 1, 'a', 1, 0, 200}),  // tag longer than the frame
  };
  for (const auto& bytes : bad) {
    codec::Reader reader(bytes);
    decode_request_header(reader);
    EXPECT_FALSE(reader.ok());
  }
}

TEST(Frame, WritesAndReadsResponseHeaders) {
  codec::Writer plain;
  encode_response_header(plain, api_info(ApiKey::produce), 8, 258);
  EXPECT_TRUE(std::ranges::equal(plain.bytes(), frame({0, 0, 1, 2})));
  codec::Writer flexible;
  encode_response_header(flexible, api_info(ApiKey::produce), 9, 258);
  EXPECT_TRUE(std::ranges::equal(flexible.bytes(), frame({0, 0, 1, 2, 0})));
  codec::Reader reader(flexible.bytes());
  EXPECT_EQ(decode_response_header(reader, api_info(ApiKey::produce), 9), 258);
  EXPECT_EQ(reader.remaining(), 0u);
}

TEST(Frame, AdmitsAsABrokerDoes) {
  const auto admitted = [](ApiKey key, std::int16_t version, Listener listener = Listener::broker,
                           bool unstable = false) {
    return admit({static_cast<std::int16_t>(key), version}, listener, unstable);
  };
  EXPECT_EQ(admitted(ApiKey::produce, 3), Admission::accept);
  EXPECT_EQ(admitted(ApiKey::produce, 2), Admission::close_connection);
  EXPECT_EQ(admitted(ApiKey::produce, 14), Admission::close_connection);
  EXPECT_EQ(admitted(ApiKey::produce, -1), Admission::close_connection);
  EXPECT_EQ(admitted(ApiKey::produce, 3, Listener::controller), Admission::close_connection);
  EXPECT_EQ(admitted(ApiKey::vote, 2), Admission::close_connection);
  EXPECT_EQ(admitted(ApiKey::vote, 2, Listener::controller), Admission::accept);
  EXPECT_EQ(admitted(ApiKey::leader_and_isr, 0), Admission::close_connection);
  EXPECT_EQ(admitted(ApiKey::init_producer_id, 5), Admission::accept);
  EXPECT_EQ(admitted(ApiKey::init_producer_id, 6), Admission::close_connection);
  EXPECT_EQ(admitted(ApiKey::init_producer_id, 6, Listener::broker, true), Admission::accept);
  EXPECT_EQ(admit({95, 0}, Listener::broker, false), Admission::close_connection);
  EXPECT_EQ(admit({-1, 0}, Listener::broker, false), Admission::close_connection);
}

TEST(Frame, AdmitsApiVersionsInAnyVersion) {
  const std::int16_t key = static_cast<std::int16_t>(ApiKey::api_versions);
  EXPECT_EQ(admit({key, 0}, Listener::broker, false), Admission::accept);
  EXPECT_EQ(admit({key, 5}, Listener::broker, false), Admission::accept);
  EXPECT_EQ(admit({key, 6}, Listener::broker, false), Admission::answer_unsupported_version);
  EXPECT_EQ(admit({key, -1}, Listener::broker, false), Admission::answer_unsupported_version);
}

}  // namespace
}  // namespace dohle::protocol
