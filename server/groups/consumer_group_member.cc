#include "server/groups/consumer_group_member.h"

#include <algorithm>

namespace dohle::groups {

namespace {

using protocol::ConsumerGroupDescribeResponse;

/// Releases before 4.2 wrote no epochs.
OwnedPartitions owned_from(
    const std::vector<protocol::ConsumerGroupCurrentMemberAssignmentValue::TopicPartitions>& topics,
    std::int32_t member_epoch) {
  OwnedPartitions owned;
  for (const auto& topic : topics) {
    PartitionEpochs epochs;
    const bool has_epochs = topic.assignment_epochs && topic.assignment_epochs->size() == topic.partitions.size();
    for (std::size_t i = 0; i < topic.partitions.size(); ++i) {
      epochs.put(topic.partitions[i], has_epochs ? (*topic.assignment_epochs)[i] : std::max(member_epoch, 0));
    }
    owned.put(topic.topic_id, std::move(epochs));
  }
  return owned;
}

MemberState state_from(std::int8_t value) {
  return value >= 0 && value <= 2 ? static_cast<MemberState>(value) : MemberState::unknown;
}

}  // namespace

void ConsumerGroupMember::apply(const protocol::ConsumerGroupMemberMetadataValue& value) {
  instance_id = value.instance_id;
  rack_id = value.rack_id;
  client_id = value.client_id;
  client_host = value.client_host;
  topic_names = JavaHashSet<std::string>::of(value.subscribed_topic_names);
  topic_regex = value.subscribed_topic_regex;
  rebalance_timeout_ms = value.rebalance_timeout_ms;
  assignor_name = value.server_assignor;
  classic = value.classic_member_metadata;
}

void ConsumerGroupMember::apply(const protocol::ConsumerGroupCurrentMemberAssignmentValue& value) {
  epoch = value.member_epoch;
  previous_epoch = value.previous_member_epoch;
  state = state_from(value.state);
  assigned = owned_from(value.assigned_partitions, value.member_epoch);
  pending_revocation = owned_from(value.partitions_pending_revocation, value.member_epoch);
}

void ConsumerGroupMember::reset_assignment_epochs() {
  OwnedPartitions reset;
  for (const auto& [topic, epochs] : assigned) {
    auto& zeros = reset[topic];
    for (const auto& [partition, epoch_of_it] : epochs) zeros.put(partition, 0);
  }
  assigned = std::move(reset);
}

std::optional<std::int32_t> ConsumerGroupMember::assignment_epoch(const codec::Uuid& topic,
                                                                  std::int32_t partition) const {
  for (const auto* owned : {&assigned, &pending_revocation}) {
    const auto* epochs = owned->find(topic);
    const auto* found = epochs == nullptr ? nullptr : epochs->find(partition);
    if (found != nullptr) return *found;
  }
  return std::nullopt;
}

ConsumerGroupDescribeResponse::Member ConsumerGroupMember::describe(const TopicPartitionSets& target,
                                                                    const metadata::MetadataImage& image) const {
  ConsumerGroupDescribeResponse::Member answer;
  JavaHashMap<codec::Uuid, ConsumerGroupDescribeResponse::TopicPartitions> topics;
  for (const auto* owned : {&assigned, &pending_revocation}) {
    for (const auto& [id_of_topic, epochs] : *owned) {
      const auto* topic = image.topics->find(id_of_topic);
      if (topic == nullptr) continue;
      auto& partitions = topics.compute_if_absent(id_of_topic, [topic] {
        ConsumerGroupDescribeResponse::TopicPartitions fresh;
        fresh.topic_id = topic->id;
        fresh.topic_name = topic->name;
        return fresh;
      });
      for (const auto& [partition, epoch_of_it] : epochs) partitions.partitions.push_back(partition);
    }
  }
  for (const auto& [id_of_topic, partitions] : topics) answer.assignment.topic_partitions.push_back(partitions);
  for (const auto& [id_of_topic, partitions] : target) {
    const auto* topic = image.topics->find(id_of_topic);
    if (topic == nullptr) continue;
    auto& entry = answer.target_assignment.topic_partitions.emplace_back();
    entry.topic_id = topic->id;
    entry.topic_name = topic->name;
    entry.partitions = partitions;
  }
  answer.member_epoch = epoch;
  answer.member_id = id;
  answer.client_host = client_host;
  answer.client_id = client_id;
  answer.instance_id = instance_id;
  answer.rack_id = rack_id;
  answer.subscribed_topic_names = topic_names.keys();
  answer.subscribed_topic_regex = topic_regex;
  answer.member_type = classic ? 0 : 1;
  return answer;
}

}  // namespace dohle::groups
