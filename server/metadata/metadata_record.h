// A record of `__cluster_metadata-0`: one of the generated record structs and the version that it is written with.
// On disk: unsigned varints for the frame version (1), the type and the version, then the body; nothing after it.
// Source: org.apache.kafka.metadata.MetadataRecordSerde, server.common.ApiMessageAndVersion.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "codec/bytes.h"
#include "protocol/messages/abort_transaction_record.h"
#include "protocol/messages/access_control_entry_record.h"
#include "protocol/messages/begin_transaction_record.h"
#include "protocol/messages/broker_registration_change_record.h"
#include "protocol/messages/clear_elr_record.h"
#include "protocol/messages/client_quota_record.h"
#include "protocol/messages/config_record.h"
#include "protocol/messages/delegation_token_record.h"
#include "protocol/messages/end_transaction_record.h"
#include "protocol/messages/feature_level_record.h"
#include "protocol/messages/fence_broker_record.h"
#include "protocol/messages/no_op_record.h"
#include "protocol/messages/partition_change_record.h"
#include "protocol/messages/partition_record.h"
#include "protocol/messages/producer_ids_record.h"
#include "protocol/messages/register_broker_record.h"
#include "protocol/messages/register_controller_record.h"
#include "protocol/messages/remove_access_control_entry_record.h"
#include "protocol/messages/remove_delegation_token_record.h"
#include "protocol/messages/remove_topic_record.h"
#include "protocol/messages/remove_user_scram_credential_record.h"
#include "protocol/messages/topic_record.h"
#include "protocol/messages/unfence_broker_record.h"
#include "protocol/messages/unregister_broker_record.h"
#include "protocol/messages/unregister_controller_record.h"
#include "protocol/messages/user_scram_credential_record.h"
#include "protocol/messages/zk_migration_state_record.h"
#include "server/runtime/result.h"

namespace dohle::metadata {

/// Every record type of 4.4.0; ids 6, 13 and 16 are unused.
using AnyRecord =
    std::variant<protocol::RegisterBrokerRecord, protocol::UnregisterBrokerRecord, protocol::TopicRecord,
                 protocol::PartitionRecord, protocol::ConfigRecord, protocol::PartitionChangeRecord,
                 protocol::FenceBrokerRecord, protocol::UnfenceBrokerRecord, protocol::RemoveTopicRecord,
                 protocol::DelegationTokenRecord, protocol::UserScramCredentialRecord, protocol::FeatureLevelRecord,
                 protocol::ClientQuotaRecord, protocol::ProducerIdsRecord, protocol::BrokerRegistrationChangeRecord,
                 protocol::AccessControlEntryRecord, protocol::RemoveAccessControlEntryRecord, protocol::NoOpRecord,
                 protocol::ZkMigrationStateRecord, protocol::RemoveUserScramCredentialRecord,
                 protocol::BeginTransactionRecord, protocol::EndTransactionRecord, protocol::AbortTransactionRecord,
                 protocol::RemoveDelegationTokenRecord, protocol::RegisterControllerRecord, protocol::ClearElrRecord,
                 protocol::UnregisterControllerRecord>;

struct MetadataRecord {
  AnyRecord message;
  std::int16_t version = 0;
  bool operator==(const MetadataRecord&) const = default;
};

/// The value of the record in a batch, frame included.
std::vector<std::uint8_t> encode_record(const MetadataRecord& record);
/// corrupt, with a line that names type and version: an unknown frame version, type or record version, a body that does
/// not parse, bytes after it.
runtime::Result<MetadataRecord> decode_record(codec::Bytes value);
/// "TopicRecord" and so on, for messages.
const char* record_name(const AnyRecord& record);

// The record versions that a metadata.version writes (MetadataVersion's xxxRecordVersion).
std::int16_t register_broker_record_version(std::int16_t metadata_version);
std::int16_t partition_record_version(std::int16_t metadata_version);
std::int16_t partition_change_record_version(std::int16_t metadata_version);

}  // namespace dohle::metadata
