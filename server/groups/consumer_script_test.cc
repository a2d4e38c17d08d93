// Random scripts of members, with the answers of Apache Kafka 4.4.0: compat-tests/groups_kip848/consumer_scripts.py
// says what a line means, and recorded them. Errors, epochs and assignments have to be equal after every step.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "server/groups/consumer_harness.h"

namespace dohle::groups {

namespace {

using Partitions = std::vector<std::pair<std::string, std::vector<std::int32_t>>>;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::optional<std::string> nullable(const std::string& word) {
  return word == "-" ? std::nullopt : std::optional(word);
}

class Script {
 public:
  void play(const std::vector<std::string>& words) {
    if (words[0] == "topic") {
      ids_[words[1]] = next_id_;
      harness_.put_topic(words[1], next_id_++, std::stoi(words[2]));
      return;
    }
    ConsumerHarness::Request request;
    request.group_id = words[0];
    request.member_id = words[1];
    request.member_epoch = std::stoi(words[2]);
    request.instance_id = nullable(words[3]);
    request.rebalance_timeout_ms = std::stoi(words[4]);
    if (words[5] != "-")
      request.subscribed_topic_names = words[5] == "\"\"" ? std::vector<std::string>{} : split(words[5], ',');
    request.server_assignor = nullable(words[6]);
    if (words[7] != "-") {
      request.topic_partitions.emplace();
      for (const auto& [topic, partitions] : parse(words[7])) {
        request.topic_partitions->push_back({codec::Uuid::reserved(ids_.at(topic)), partitions, {}});
      }
    }
    const auto answer = send(request);
    EXPECT_EQ(answer.error_code, std::stoi(words[9]));
    EXPECT_EQ(answer.member_epoch, std::stoi(words[10]));
    EXPECT_EQ(text_of(answer), words[11]);
  }

 private:
  /// A request that the service refuses does not get to the group.
  ConsumerHarness::Response send(const ConsumerHarness::Request& request) {
    const auto refused = ConsumerCoordinator::check(request, 1, harness_.settings.assignors);
    if (!refused) return harness_.send(request);
    ConsumerHarness::Response response;
    response.error_code = static_cast<std::int16_t>(refused->error);
    return response;
  }

  static Partitions parse(const std::string& text) {
    Partitions result;
    if (text == "\"\"") return result;
    for (const auto& topic : split(text, ';')) {
      auto& [name, partitions] = result.emplace_back();
      name = topic.substr(0, topic.find(':'));
      for (const auto& partition : split(topic.substr(topic.find(':') + 1), ','))
        partitions.push_back(std::stoi(partition));
    }
    return result;
  }

  std::string text_of(const ConsumerHarness::Response& answer) const {
    if (!answer.assignment) return "-";
    std::map<std::string, std::vector<std::int32_t>> topics;
    for (const auto& topic : answer.assignment->topic_partitions) {
      for (const auto& [name, id] : ids_) {
        if (codec::Uuid::reserved(id) == topic.topic_id) topics[name] = topic.partitions;
      }
    }
    std::string text;
    for (auto& [name, partitions] : topics) {
      std::ranges::sort(partitions);
      text += (text.empty() ? "" : ";") + name + ":";
      for (std::size_t i = 0; i < partitions.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(partitions[i]);
    }
    return text.empty() ? "\"\"" : text;
  }

  ConsumerHarness harness_;
  std::map<std::string, std::uint8_t> ids_;
  std::uint8_t next_id_ = 1;
};

TEST(ConsumerScript, AnswersAsKafkaDoes) {
  std::ifstream file("server/groups/testdata/consumer_scripts.txt");
  Script script;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    SCOPED_TRACE("line " + std::to_string(++number) + ": " + line);
    script.play(split(line, ' '));
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(number, 2'000);
}

}  // namespace

}  // namespace dohle::groups
