// Records on their way from one image to the next: replay() them in order, then apply(). Only what they touch is
// copied. It knows nothing of metadata transactions: MetadataLoader holds their records back. One thread at a time.
// Source: org.apache.kafka.image.MetadataDelta and the deltas of its parts.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "server/metadata/metadata_image.h"
#include "server/metadata/metadata_record.h"
#include "server/runtime/result.h"

namespace dohle::metadata {

class MetadataDelta {
 public:
  explicit MetadataDelta(ImagePointer base);

  /// corrupt: a record that does not fit what is there (an unknown broker, topic or partition, an epoch that differs),
  /// or a feature level that a 4.4.0 node does not support. The delta is of no use after it.
  runtime::Status replay(const MetadataRecord& record);

  /// The next image. The delta is spent.
  ImagePointer apply(const MetadataProvenance& provenance);

 private:
  using Status = runtime::Status;

  Status apply_record(const protocol::RegisterBrokerRecord& record);
  Status apply_record(const protocol::UnregisterBrokerRecord& record);
  Status apply_record(const protocol::FenceBrokerRecord& record);
  Status apply_record(const protocol::UnfenceBrokerRecord& record);
  Status apply_record(const protocol::BrokerRegistrationChangeRecord& record);
  Status apply_record(const protocol::RegisterControllerRecord& record);
  Status apply_record(const protocol::UnregisterControllerRecord& record);
  Status apply_record(const protocol::TopicRecord& record);
  Status apply_record(const protocol::PartitionRecord& record);
  Status apply_record(const protocol::PartitionChangeRecord& record);
  Status apply_record(const protocol::RemoveTopicRecord& record);
  Status apply_record(const protocol::ClearElrRecord& record);
  Status apply_record(const protocol::ConfigRecord& record);
  Status apply_record(const protocol::ClientQuotaRecord& record);
  Status apply_record(const protocol::ProducerIdsRecord& record);
  Status apply_record(const protocol::FeatureLevelRecord& record);
  Status apply_record(const protocol::AccessControlEntryRecord& record);
  Status apply_record(const protocol::RemoveAccessControlEntryRecord& record);
  Status apply_record(const protocol::UserScramCredentialRecord& record);
  Status apply_record(const protocol::RemoveUserScramCredentialRecord& record);
  Status apply_record(const protocol::DelegationTokenRecord& record);
  Status apply_record(const protocol::RemoveDelegationTokenRecord& record);
  // Those that say nothing of the image: NoOp, ZkMigrationState, and the transactions' own.
  template <typename Record>
  Status apply_record(const Record&) {
    return {};
  }

  /// The registration to change, if its epoch is this one.
  runtime::Result<BrokerRegistration*> broker(std::int32_t id, std::int64_t epoch, const char* action);
  /// The topic to change; nullptr if there is none.
  TopicImage* topic(const codec::Uuid& id);

  ImagePointer base_;
  // A part that was touched is a copy of its own; the others are null.
  std::shared_ptr<FeaturesImage> features_;
  std::shared_ptr<ClusterImage> cluster_;
  std::shared_ptr<ConfigurationsImage> configs_;
  std::shared_ptr<ClientQuotasImage> client_quotas_;
  std::shared_ptr<ProducerIdsImage> producer_ids_;
  std::shared_ptr<AclsImage> acls_;
  std::shared_ptr<ScramImage> scram_;
  std::shared_ptr<DelegationTokenImage> delegation_tokens_;
  std::shared_ptr<TopicsImage> topics_;
  std::map<codec::Uuid, std::shared_ptr<TopicImage>> changed_topics_;  // not yet in topics_
};

/// `partition` after `change`. Source: PartitionRegistration.merge.
PartitionRegistration merge(const PartitionRegistration& partition, const protocol::PartitionChangeRecord& change);

}  // namespace dohle::metadata
