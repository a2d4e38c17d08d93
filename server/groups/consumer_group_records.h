// The records of consumer groups (types 3 to 8 and 16), as Kafka 4.4.0 writes them.
// Source: GroupCoordinatorRecordHelpers.
#pragma once

#include <cstdint>
#include <string>

#include "server/coordinator/record.h"
#include "server/groups/consumer_group_member.h"
#include "server/groups/subscription_regex.h"

namespace dohle::groups {

coordinator::Record group_epoch_record(const std::string& group, std::int32_t epoch, std::int64_t metadata_hash);
coordinator::Record member_subscription_record(const std::string& group, const ConsumerGroupMember& member);
coordinator::Record target_assignment_record(const std::string& group, const std::string& member,
                                             const TopicPartitionSets& partitions);
coordinator::Record target_assignment_metadata_record(const std::string& group, std::int32_t epoch,
                                                      std::int64_t timestamp_ms);
coordinator::Record current_assignment_record(const std::string& group, const ConsumerGroupMember& member);
coordinator::Record regex_record(const std::string& group, const std::string& regex, const ResolvedRegex& resolved);

coordinator::Record group_epoch_tombstone(const std::string& group);
/// Of a record that 4.0 and older wrote.
coordinator::Record partition_metadata_tombstone(const std::string& group);
coordinator::Record member_subscription_tombstone(const std::string& group, const std::string& member);
coordinator::Record target_assignment_tombstone(const std::string& group, const std::string& member);
coordinator::Record target_assignment_metadata_tombstone(const std::string& group);
coordinator::Record current_assignment_tombstone(const std::string& group, const std::string& member);
coordinator::Record regex_tombstone(const std::string& group, const std::string& regex);

}  // namespace dohle::groups
