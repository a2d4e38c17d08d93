#include "protocol/message_json.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "protocol/messages/api_versions.h"
#include "protocol/messages/client_quota_record.h"
#include "protocol/messages/fetch.h"
#include "protocol/messages/metadata.h"

namespace dohle::protocol {
namespace {

// compat-tests/protocol compares every message with the output of Kafka's JsonConverter classes.

TEST(MessageJson, ShowsTheFieldsOfTheVersion) {
  MetadataRequest request;
  request.topics.emplace(1);
  request.topics->front().name = "t";
  EXPECT_EQ(to_json(request, 3), R"({"topics":[{"name":"t"}]})");
  EXPECT_EQ(to_json(request, 4), R"({"topics":[{"name":"t"}],"allowAutoTopicCreation":true})");
  request.topics.reset();
  EXPECT_EQ(to_json(request, 1), R"({"topics":null})");
}

TEST(MessageJson, EscapesTextAndReplacesWhatIsNotUtf8) {
  MetadataRequest request;
  request.topics.emplace(1);
  request.topics->front().name = "\"\\\n\x01\xc3\xa4\xff\xc0\x80\xed\xa0\x80";
  const std::string replaced = "\xef\xbf\xbd";
  EXPECT_EQ(to_json(request, 1), R"({"topics":[{"name":"\"\\\u000a\u0001)"
                                 "\xc3\xa4" +
                                     replaced + replaced + replaced + replaced + replaced + replaced + R"("}]})");
}

TEST(MessageJson, LeavesDefaultTagsOutAndShowsUnknownOnes) {
  ApiVersionsResponse response;
  response.unknown_tags = {{9, {1, 2}}};
  EXPECT_EQ(to_json(response, 3),
            R"({"errorCode":0,"apiKeys":[],"throttleTimeMs":0,"unknownTags":[{"tag":9,"bytes":"AQI="}]})");
  response.unknown_tags.clear();
  response.finalized_features_epoch = 4;
  EXPECT_EQ(to_json(response, 3), R"({"errorCode":0,"apiKeys":[],"throttleTimeMs":0,"finalizedFeaturesEpoch":4})");
}

TEST(MessageJson, ShowsRecordsBySizeOrByContent) {
  const std::vector<std::uint8_t> payload = {1, 2, 3};
  FetchResponse response;
  response.responses.resize(1);
  response.responses[0].partitions.resize(1);
  response.responses[0].partitions[0].records = Records::of(payload);
  EXPECT_NE(to_json(response, 4).find(R"("recordsSizeInBytes":3)"), std::string::npos);
  EXPECT_NE(to_json(response, 4, RecordsInJson::content).find(R"("records":"AQID")"), std::string::npos);
  response.responses[0].partitions[0].records = Records::external(7);
  EXPECT_NE(to_json(response, 4, RecordsInJson::content).find(R"("records":"","recordsExternalBytes":7)"),
            std::string::npos);
  response.responses[0].partitions[0].records = Records::null();
  EXPECT_NE(to_json(response, 4).find(R"("records":null)"), std::string::npos);
  EXPECT_NE(to_json(response, 4, RecordsInJson::content).find(R"("records":null)"), std::string::npos);
}

TEST(MessageJson, RealNumbersReadBackAsRealNumbers) {
  ClientQuotaRecord record;
  const auto value = [&](double number) {
    record.value = number;
    const std::string json = to_json(record, 0);
    const std::size_t start = json.find("\"value\":") + 8;
    return json.substr(start, json.find(',', start) - start);
  };
  EXPECT_EQ(value(1), "1.0");
  EXPECT_EQ(value(0.1), "0.1");
  EXPECT_EQ(value(1e300), "1e+300");
  EXPECT_EQ(value(std::numeric_limits<double>::infinity()), "\"Infinity\"");
  EXPECT_EQ(value(std::numeric_limits<double>::quiet_NaN()), "\"NaN\"");
}

TEST(MessageJson, Base64HasPadding) {
  const auto base64 = [](std::vector<std::uint8_t> bytes) { return to_base64(bytes); };
  EXPECT_EQ(base64({}), "");
  EXPECT_EQ(base64({'f'}), "Zg==");
  EXPECT_EQ(base64({'f', 'o'}), "Zm8=");
  EXPECT_EQ(base64({'f', 'o', 'o'}), "Zm9v");
  EXPECT_EQ(base64({0xfb, 0xff}), "+/8=");
}

}  // namespace
}  // namespace dohle::protocol
