// An image as records, in the order of a snapshot: features with metadata.version first, brokers and controllers,
// topics, configurations, client quotas, producer ids, ACLs, SCRAM credentials, delegation tokens. Replayed into an
// empty image they give the same one. Source: org.apache.kafka.image.MetadataImage.write.
#pragma once

#include <vector>

#include "server/metadata/metadata_image.h"
#include "server/metadata/metadata_record.h"

namespace dohle::metadata {

/// The image must have a metadata.version. What that version cannot say is left out, as in Kafka.
std::vector<MetadataRecord> image_to_records(const MetadataImage& image);

/// Source: PartitionRegistration.toRecord.
MetadataRecord partition_to_record(const codec::Uuid& topic_id, std::int32_t index,
                                   const PartitionRegistration& partition, const FeaturesImage& features);

}  // namespace dohle::metadata
