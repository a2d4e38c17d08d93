// Plays one step of a story on a shard, and gives the answers in the words of the story. The format is told in
// compat-tests/tests/test_groups_stories.py.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "server/groups/shard_harness.h"

namespace dohle::groups {

class StoryPlayer {
 public:
  StoryPlayer() : harness_(settings()) {}

  void play(const std::string& line) {
    std::istringstream words(line);
    std::string verb;
    words >> verb;
    std::map<std::string, std::string> options;
    std::vector<std::string> names;
    for (std::string word; words >> word;) {
      if (const auto equals = word.find('='); equals != std::string::npos) {
        options[word.substr(0, equals)] = word.substr(equals + 1);
      } else {
        names.push_back(word);
      }
    }
    if (verb == "wait") return harness_.advance(std::stoll(names.at(0)));
    ++asked_;
    if (verb == "describe") return describe();
    const auto& name = names.at(0);
    if (verb == "join") return join(name, options);
    if (verb == "sync") return sync(name, options);
    if (verb == "heartbeat") return heartbeat(name, options);
    if (verb == "leave") return leave(name, options);
    if (verb == "commit") return commit(name, options);
    CHECK(false);
  }

  /// What was answered since the last call, sorted.
  std::vector<std::string> take_answers() {
    // A name may be learnt from another answer of the same step.
    std::vector<std::string> texts;
    answered_ += answers_.size();
    for (const auto& answer : std::exchange(answers_, {})) texts.push_back(answer());
    std::ranges::sort(texts);
    return texts;
  }

  ShardHarness& harness() { return harness_; }
  /// Ids are random: a story has the member's name.
  std::string alias(const std::string& id) {
    if (id.empty()) return "-";
    const auto found = aliases_.find(id);
    return found == aliases_.end() ? "?" : found->second;
  }

  /// Whether the name's JoinGroup or SyncGroup is parked: another one of it takes its place, and it is never answered.
  bool is_parked(const std::string& name) {
    const auto* group = harness_.classic("g");
    const auto* member = group == nullptr ? nullptr : group->find(ids_[name]);
    return member != nullptr && (member->is_awaiting_join() || member->is_awaiting_sync());
  }
  /// Requests so far, and how many of them have their answer.
  std::size_t asked() const { return asked_; }
  std::size_t answered() const { return answered_ + answers_.size(); }

 private:
  using Options = std::map<std::string, std::string>;

  static GroupSettings settings() {
    GroupSettings settings;
    settings.min_session_timeout_ms = 100;
    settings.initial_rebalance_delay_ms = 1000;
    settings.max_size = 4;
    return settings;
  }
  static std::string option(const Options& options, const std::string& key, const std::string& otherwise) {
    const auto found = options.find(key);
    return found == options.end() ? otherwise : found->second;
  }
  static std::vector<std::pair<std::string, std::string>> pairs(const std::string& text) {
    std::vector<std::pair<std::string, std::string>> result;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
      const auto colon = part.find(':');
      result.emplace_back(part.substr(0, colon), colon == std::string::npos ? "" : part.substr(colon + 1));
    }
    return result;
  }
  static codec::Blob blob(const std::string& text) { return {text.begin(), text.end()}; }
  static std::string text(const codec::Blob& blob) { return {blob.begin(), blob.end()}; }
  static std::string error(std::int16_t code) {
    return std::string(protocol::name(static_cast<protocol::ErrorCode>(code)));
  }

  /// The id that the member has, or what the step says: id=none, id=bogus, id=NAME for another's.
  std::string member_id(const std::string& name, const Options& options) {
    const auto id = option(options, "id", name);
    if (id == "none") return {};
    if (id == "bogus") return "bogus";
    return ids_[id];
  }
  std::int32_t generation(const std::string& name, const Options& options) {
    const auto found = options.find("generation");
    return found == options.end() ? generations_[name] : std::stoi(found->second);
  }
  static std::optional<std::string> instance(const Options& options) {
    const auto found = options.find("instance");
    return found == options.end() ? std::nullopt : std::optional(found->second);
  }
  void say(std::string answer) {
    answers_.push_back([answer = std::move(answer)] { return answer; });
  }
  static std::string joined_sorted(std::vector<std::string> parts) {
    std::ranges::sort(parts);
    std::string list;
    for (const auto& part : parts) list += (list.empty() ? "" : ",") + part;
    return list;
  }
  void join(const std::string& name, const Options& options) {
    protocol::JoinGroupRequest request;
    request.group_id = "g";
    request.member_id = member_id(name, options);
    request.group_instance_id = instance(options);
    request.session_timeout_ms = std::stoi(option(options, "session", "10000"));
    request.rebalance_timeout_ms = std::stoi(option(options, "rebalance", "10000"));
    request.protocol_type = option(options, "type", "story");
    for (const auto& [protocol, metadata] : pairs(option(options, "protocols", "range:x"))) {
      request.protocols.push_back({protocol, blob(metadata), {}});
    }
    const ClientInfo client{"client", "/127.0.0.1", static_cast<std::int16_t>(std::stoi(option(options, "v", "9")))};
    harness_.apply(
        harness_.shard().join(harness_.context(), client, request,
                              [this, name](protocol::JoinGroupResponse response) { joined(name, response); }));
  }

  void joined(const std::string& name, const protocol::JoinGroupResponse& response) {
    const auto code = static_cast<protocol::ErrorCode>(response.error_code);
    if (code == protocol::ErrorCode::none || code == protocol::ErrorCode::member_id_required) {
      ids_[name] = response.member_id;
      aliases_[response.member_id] = name;
    }
    if (code != protocol::ErrorCode::none) return say("join " + name + " " + error(response.error_code));
    generations_[name] = response.generation_id;
    answers_.push_back([this, name, response] {
      std::vector<std::string> members;
      members.reserve(response.members.size());
      for (const auto& member : response.members) {
        members.push_back(alias(member.member_id) + ":" + text(member.metadata));
      }
      return "join " + name + " NONE generation=" + std::to_string(response.generation_id) +
             " protocol=" + response.protocol_name.value_or("-") + " leader=" + alias(response.leader) +
             " members=" + joined_sorted(std::move(members)) + (response.skip_assignment ? " skip" : "");
    });
  }

  void sync(const std::string& name, const Options& options) {
    protocol::SyncGroupRequest request;
    request.group_id = "g";
    request.member_id = member_id(name, options);
    request.group_instance_id = instance(options);
    request.generation_id = generation(name, options);
    request.protocol_type = option(options, "type", "story");
    request.protocol_name = option(options, "protocol", "range");
    if (const auto assigned = option(options, "assign", ""); !assigned.empty()) {
      for (const auto& [member, assignment] : pairs(assigned)) {
        request.assignments.push_back({ids_[member], blob(assignment), {}});
      }
    }
    harness_.apply(
        harness_.shard().sync(harness_.context(), request, [this, name](protocol::SyncGroupResponse response) {
          say("sync " + name + " " + error(response.error_code) + " assignment=" + text(response.assignment));
        }));
  }

  void heartbeat(const std::string& name, const Options& options) {
    protocol::HeartbeatRequest request;
    request.group_id = "g";
    request.member_id = member_id(name, options);
    request.group_instance_id = instance(options);
    request.generation_id = generation(name, options);
    harness_.apply(harness_.shard().heartbeat(request, [this, name](protocol::HeartbeatResponse response) {
      say("heartbeat " + name + " " + error(response.error_code));
    }));
  }

  void leave(const std::string& name, const Options& options) {
    protocol::LeaveGroupRequest request;
    request.group_id = "g";
    auto& member = request.members.emplace_back();
    member.member_id = member_id(name, options);
    member.group_instance_id = instance(options);
    harness_.apply(
        harness_.shard().leave(harness_.context(), request, [this, name](protocol::LeaveGroupResponse response) {
          const auto code = response.error_code != 0 ? response.error_code : response.members.at(0).error_code;
          say("leave " + name + " " + error(code));
        }));
  }

  void commit(const std::string& name, const Options& options) {
    protocol::OffsetCommitRequest request;
    request.group_id = "g";
    request.member_id = member_id(name, options);
    request.group_instance_id = instance(options);
    request.generation_id_or_member_epoch = generation(name, options);
    auto& topic = request.topics.emplace_back();
    topic.name = "t";
    topic.partitions.emplace_back().committed_offset = std::stoll(option(options, "offset", "7"));
    const auto version = static_cast<std::int16_t>(std::stoi(option(options, "v", "8")));
    harness_.apply(harness_.shard().commit(harness_.context(), request, version,
                                           [this, name](protocol::OffsetCommitResponse response) {
                                             const auto code = response.topics.at(0).partitions.at(0).error_code;
                                             say("commit " + name + " " + error(code));
                                           }));
  }

  void describe() {
    harness_.apply(harness_.shard().describe({"g"}, 5, [this](DescribedGroups groups) {
      const auto& group = groups.at(0);
      std::vector<std::string> members;
      members.reserve(group.members.size());
      for (const auto& member : group.members) {
        members.push_back(alias(member.member_id) + ":" + text(member.member_metadata) + ":" +
                          text(member.member_assignment));
      }
      say("describe " + error(group.error_code) + " state=" + group.group_state + " type=" + group.protocol_type +
          " protocol=" + group.protocol_data + " members=" + joined_sorted(std::move(members)));
    }));
  }

  ShardHarness harness_;
  std::map<std::string, std::string> ids_;      // name to id
  std::map<std::string, std::string> aliases_;  // id to name
  std::map<std::string, std::int32_t> generations_;
  std::vector<std::function<std::string()>> answers_;
  std::size_t asked_ = 0;
  std::size_t answered_ = 0;
};

}  // namespace dohle::groups
