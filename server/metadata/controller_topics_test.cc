// The answers are those that Apache Kafka 4.4.0 gave to testdata/MakeSteps.java (stopped-dynamic/said.txt), on one
// broker.
#include <gtest/gtest.h>

#include "server/metadata/controller.h"
#include "server/metadata/metadata_delta.h"
#include "server/metadata/sample_test_support.h"

namespace dohle::metadata {
namespace {

using protocol::CreatePartitionsRequest;
using protocol::CreateTopicsRequest;
using protocol::DeleteTopicsRequest;

MetadataImage replayed(const MetadataImage& image, const std::vector<MetadataRecord>& records) {
  MetadataDelta delta(std::make_shared<MetadataImage>(image));
  for (const auto& record : records) EXPECT_TRUE(delta.replay(record).has_value());
  return *delta.apply({});
}

struct Story {
  MetadataImage image = image_with_brokers(1);
  Controller controller{{}, sample_schema};

  CreateTopicsRequest::CreatableTopic topic(const std::string& name, std::int32_t partitions, std::int16_t factor) {
    CreateTopicsRequest::CreatableTopic result;
    result.name = name;
    result.num_partitions = partitions;
    result.replication_factor = factor;
    return result;
  }
  /// "code message", and the change is made if there is one.
  std::string create(CreateTopicsRequest::CreatableTopic topic, bool validate_only = false) {
    CreateTopicsRequest request;
    request.topics.push_back(std::move(topic));
    request.validate_only = validate_only;
    const auto result = controller.create_topics(image, request);
    if (result.error.failed()) return line(result.error);
    const auto& answer = result.response.topics.at(0);
    image = replayed(image, result.records);
    EXPECT_EQ(answer.error_code == 0, !answer.topic_id.is_zero());
    return std::to_string(answer.error_code) + " " + answer.error_message.value_or("-");
  }
  std::string create(const std::string& name, std::int32_t partitions, std::int16_t factor) {
    return create(topic(name, partitions, factor));
  }
  std::string assign(const std::string& name,
                     std::vector<std::pair<std::int32_t, std::vector<std::int32_t>>> replicas) {
    auto request = topic(name, -1, -1);
    for (auto& [index, ids] : replicas) request.assignments.push_back({index, std::move(ids), {}});
    return create(std::move(request));
  }
  std::string configure(const std::string& name, const std::string& key, std::optional<std::string> value) {
    auto request = topic(name, 1, 1);
    request.configs.push_back({key, std::move(value), {}});
    return create(std::move(request));
  }
  std::string grow(const std::string& name, std::int32_t count,
                   std::optional<std::vector<std::vector<std::int32_t>>> replicas = std::nullopt) {
    CreatePartitionsRequest request;
    auto& topic = request.topics.emplace_back();
    topic.name = name;
    topic.count = count;
    topic.assignments = std::nullopt;
    if (replicas) {
      topic.assignments.emplace();
      for (auto& ids : *replicas) topic.assignments->push_back({std::move(ids), {}});
    }
    const auto result = controller.create_partitions(image, request);
    if (result.error.failed()) return line(result.error);
    image = replayed(image, result.records);
    const auto& answer = result.response.results.at(0);
    return std::to_string(answer.error_code) + " " + answer.error_message.value_or("-");
  }
  static std::string line(const ApiError& error) {
    return std::to_string(static_cast<int>(error.code)) + " " + error.message.value_or("-");
  }
};

TEST(ControllerTopics, CreatesAsKafkaDoesAndRefusesInItsWords) {
  Story story;
  EXPECT_EQ(story.create("plain", 3, 1), "0 -");
  EXPECT_EQ(story.create("defaults", -1, -1), "0 -");
  EXPECT_EQ(story.create("plain", 3, 1), "36 Topic 'plain' already exists.");
  EXPECT_EQ(story.create("bad name", 1, 1),
            "17 Topic name is invalid: 'bad name' contains one or more characters other than ASCII alphanumerics, '.', "
            "'_' and '-'");
  EXPECT_EQ(story.create("..", 1, 1), "17 Topic name is invalid: '..' is not allowed");
  EXPECT_EQ(story.create("", 1, 1), "17 Topic name is invalid: the empty string is not allowed");
  EXPECT_EQ(story.create("a.b", 1, 1), "0 -");
  EXPECT_EQ(story.create("a_b", 1, 1), "17 Topic 'a_b' collides with existing topic: a.b");
  EXPECT_EQ(story.create("n0", 0, 1), "37 Number of partitions was set to an invalid non-positive value.");
  EXPECT_EQ(story.create("n-2", -2, 1), "37 Number of partitions was set to an invalid non-positive value.");
  EXPECT_EQ(story.create("r0", 1, 0), "38 Replication factor must be larger than 0, or -1 to use the default value.");
  EXPECT_EQ(
      story.create("r3", 1, 3),
      "38 Unable to replicate the partition 3 time(s): The target replication factor of 3 cannot be reached because "
      "only 1 broker(s) are registered or some brokers have all their log directories cordoned.");
  EXPECT_EQ(story.create("many", 10001, 1), "44 Excessively large number of partitions per request.");
  EXPECT_EQ(story.create("__cluster_metadata", 1, 1),
            "42 Creation of internal topic __cluster_metadata is prohibited.");
  const auto before = story.image.topics->size();
  EXPECT_EQ(story.create(story.topic("vo", 2, 1), true), "0 -");
  EXPECT_EQ(story.image.topics->size(), before);
}

TEST(ControllerTopics, ManualAssignmentsAreChecked) {
  Story story;
  EXPECT_EQ(story.assign("assigned", {{0, {1}}, {1, {1}}}), "0 -");
  EXPECT_EQ(story.assign("m1", {{1, {1}}}), "39 partitions should be a consecutive 0-based integer sequence");
  EXPECT_EQ(story.assign("m7", {{0, {1}}, {2, {1}}}), "39 partitions should be a consecutive 0-based integer sequence");
  EXPECT_EQ(story.assign("m2", {{0, {1, 1}}}),
            "39 The manual partition assignment includes the broker 1 more than once.");
  EXPECT_EQ(story.assign("m3", {{0, {7}}}),
            "39 The manual partition assignment includes broker 7, but no such broker is registered.");
  EXPECT_EQ(story.assign("m4", {{0, {}}}), "39 The manual partition assignment includes an empty replica list.");
  auto both = story.topic("both", 1, -1);
  both.assignments.push_back({0, {1}, {}});
  EXPECT_EQ(story.create(both), "42 A manual partition assignment was specified, but numPartitions was not set to -1.");
}

TEST(ControllerTopics, ConfigurationsStandBetweenTopicAndPartitions) {
  Story story;
  EXPECT_EQ(story.configure("c1", "no.such", "1"), "40 Unknown topic config name: no.such");
  EXPECT_EQ(story.configure("c4", "segment.bytes", std::nullopt),
            "40 Null value not supported for topic configs: segment.bytes");
  CreateTopicsRequest request;
  request.topics.push_back(story.topic("c", 2, 1));
  request.topics.back().configs.push_back({"cleanup.policy", "compact", {}});
  const auto result = story.controller.create_topics(story.image, request);
  std::string names;
  for (const auto& record : result.records) names += std::string(record_name(record.message)) + " ";
  EXPECT_EQ(names, "TopicRecord ConfigRecord PartitionRecord PartitionRecord ");
  EXPECT_EQ(result.response.topics.at(0).num_partitions, 2);
  EXPECT_EQ(result.response.topics.at(0).replication_factor, 1);
  EXPECT_EQ(result.response.topics.at(0).configs->at(0).name, "cleanup.policy");
}

TEST(ControllerTopics, TheSameNameTwiceIsRefusedAndTheOthersGoOn) {
  Story story;
  CreateTopicsRequest request;
  for (const char* name : {"twice", "once", "twice"}) request.topics.push_back(story.topic(name, 1, 1));
  const auto result = story.controller.create_topics(story.image, request);
  ASSERT_EQ(result.response.topics.size(), 2U);
  EXPECT_EQ(result.response.topics[0].name, "once");
  EXPECT_EQ(result.response.topics[0].error_code, 0);
  EXPECT_EQ(result.response.topics[1].error_message, "Duplicate topic name.");
}

TEST(ControllerTopics, TopicsGrow) {
  Story story;
  ASSERT_EQ(story.create("plain", 3, 1), "0 -");
  EXPECT_EQ(story.grow("plain", 5), "0 -");
  EXPECT_EQ(story.image.topics->find("plain")->partitions.size(), 5U);
  EXPECT_EQ(story.grow("plain", 5), "37 Topic already has 5 partition(s).");
  EXPECT_EQ(story.grow("plain", 4), "37 The topic plain currently has 5 partition(s); 4 would not be an increase.");
  EXPECT_EQ(story.grow("nosuch", 4), "3 -");
  EXPECT_EQ(story.grow("plain", 6, {{{1}, {1}}}),
            "39 Attempted to add 1 additional partition(s), but only 2 assignment(s) were specified.");
  EXPECT_EQ(story.grow("plain", 6, {{{7}}}),
            "39 The manual partition assignment includes broker 7, but no such broker is registered.");
  EXPECT_EQ(story.grow("plain", 20000), "44 Excessively large number of additional partitions per request.");
}

TEST(ControllerTopics, DeletesByNameOrId) {
  Story story;
  ASSERT_EQ(story.create("a", 1, 1), "0 -");
  ASSERT_EQ(story.create("b", 1, 1), "0 -");
  const codec::Uuid id = story.image.topics->find("b")->id;
  DeleteTopicsRequest request;
  request.topics.resize(5);
  request.topics[0].name = "a";
  request.topics[1].topic_id = id;
  request.topics[2].name = "nosuch";
  request.topics[3].topic_id = codec::Uuid::reserved(111);
  request.topics[4].name = "x";
  request.topics[4].topic_id = id;
  const auto result = story.controller.delete_topics(story.image, request, 6);
  std::map<std::string, std::string> lines;
  for (const auto& line : result.response.responses) {
    lines[line.name.value_or(line.topic_id.to_string())] =
        std::to_string(line.error_code) + " " + line.error_message.value_or("-");
  }
  EXPECT_EQ(lines["a"], "0 -");
  EXPECT_EQ(lines["b"], "0 -");
  EXPECT_EQ(lines["nosuch"], "3 This server does not host this topic-partition.");
  EXPECT_EQ(lines[codec::Uuid::reserved(111).to_string()], "100 This server does not host this topic ID.");
  EXPECT_EQ(lines["x"], "42 You may not specify both topic name and topic id.");
  EXPECT_EQ(replayed(story.image, result.records).topics->size(), 0U);
}

}  // namespace
}  // namespace dohle::metadata
