#include "server/metadata/metadata_record.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "codec/reader.h"
#include "codec/writer.h"
#include "server/runtime/check.h"

namespace dohle::metadata {

using runtime::ErrorKind;

namespace {

constexpr std::uint32_t frame_version = 1;

constexpr std::array record_names{"RegisterBrokerRecord",
                                  "UnregisterBrokerRecord",
                                  "TopicRecord",
                                  "PartitionRecord",
                                  "ConfigRecord",
                                  "PartitionChangeRecord",
                                  "FenceBrokerRecord",
                                  "UnfenceBrokerRecord",
                                  "RemoveTopicRecord",
                                  "DelegationTokenRecord",
                                  "UserScramCredentialRecord",
                                  "FeatureLevelRecord",
                                  "ClientQuotaRecord",
                                  "ProducerIdsRecord",
                                  "BrokerRegistrationChangeRecord",
                                  "AccessControlEntryRecord",
                                  "RemoveAccessControlEntryRecord",
                                  "NoOpRecord",
                                  "ZkMigrationStateRecord",
                                  "RemoveUserScramCredentialRecord",
                                  "BeginTransactionRecord",
                                  "EndTransactionRecord",
                                  "AbortTransactionRecord",
                                  "RemoveDelegationTokenRecord",
                                  "RegisterControllerRecord",
                                  "ClearElrRecord",
                                  "UnregisterControllerRecord"};
static_assert(record_names.size() == std::variant_size_v<AnyRecord>);

/// Decodes into the alternative whose type id is `type`. False if there is none.
template <std::size_t... Index>
bool decode_alternative(std::uint32_t type, std::int16_t version, codec::Reader& reader, AnyRecord& record,
                        bool& version_known, std::index_sequence<Index...>) {
  const auto attempt = [&]<typename Record>(std::type_identity<Record>) {
    if (Record::record_type != static_cast<std::int64_t>(type)) return false;
    version_known = version >= Record::min_version && version <= Record::max_version;
    if (version_known) decode(reader, version, record.emplace<Record>());
    return true;
  };
  return (attempt(std::type_identity<std::variant_alternative_t<Index, AnyRecord>>{}) || ...);
}

}  // namespace

std::vector<std::uint8_t> encode_record(const MetadataRecord& record) {
  codec::Writer writer;
  writer.uvarint(frame_version);
  std::visit(
      [&]<typename Record>(const Record& message) {
        writer.uvarint(static_cast<std::uint32_t>(Record::record_type));
        writer.uvarint(static_cast<std::uint32_t>(record.version));
        encode(writer, record.version, message);
      },
      record.message);
  // The controller chose a version that can say it all.
  CHECK(writer.ok());
  return writer.release();
}

runtime::Result<MetadataRecord> decode_record(codec::Bytes value) {
  codec::Reader reader(value);
  const std::uint32_t frame = reader.uvarint();
  const std::uint32_t type = reader.uvarint();
  const std::uint32_t version = reader.uvarint();
  if (!reader.ok()) return runtime::failure(ErrorKind::corrupt, "a metadata record without a whole frame");
  if (frame != frame_version) {
    return runtime::failure(ErrorKind::corrupt, fmt::format("unknown frame version {} of a metadata record", frame));
  }
  MetadataRecord record;
  record.version = static_cast<std::int16_t>(version);
  bool version_known = false;
  const bool type_known =
      version <= 0x7fff && decode_alternative(type, record.version, reader, record.message, version_known,
                                              std::make_index_sequence<std::variant_size_v<AnyRecord>>{});
  if (!type_known) return runtime::failure(ErrorKind::corrupt, fmt::format("unknown metadata record type {}", type));
  if (!version_known) {
    return runtime::failure(ErrorKind::corrupt,
                            fmt::format("unknown version {} of metadata record type {}", version, type));
  }
  if (!reader.ok() || reader.remaining() != 0) {
    return runtime::failure(ErrorKind::corrupt,
                            fmt::format("malformed {} version {}", record_name(record.message), version));
  }
  return record;
}

const char* record_name(const AnyRecord& record) {
  return record_names[record.index()];
}

std::int16_t register_broker_record_version(std::int16_t metadata_version) {
  if (metadata_version >= 30) return 4;  // cordoned log directories
  if (metadata_version >= 17) return 3;  // directory assignment
  if (metadata_version >= 8) return 2;   // ZooKeeper migration
  return 1;
}

std::int16_t partition_record_version(std::int16_t metadata_version) {
  if (metadata_version >= 23) return 2;  // eligible leader replicas
  return metadata_version >= 17 ? 1 : 0;
}

std::int16_t partition_change_record_version(std::int16_t metadata_version) {
  return partition_record_version(metadata_version);
}

}  // namespace dohle::metadata
