// What a change of configurations comes to: the records, or why it is refused.
// Source: org.apache.kafka.controller.ConfigurationControlManager.
#pragma once

#include <vector>

#include "server/metadata/controller.h"
#include "server/metadata/metadata_image.h"
#include "server/metadata/metadata_record.h"

namespace dohle::metadata {

/// Appends the records of one resource's incremental change, if it is good. `fresh`: the resource (a topic) is being
/// created with it and is not in the image yet.
ApiError alter_config_incrementally(const MetadataImage& image, const ConfigSchema& schema,
                                    const ConfigAlteration& alteration, bool fresh,
                                    std::vector<MetadataRecord>& records);

/// The same for AlterConfigs, where what is not named goes back to its default.
ApiError replace_config(const MetadataImage& image, const ConfigSchema& schema, const ConfigAlteration& alteration,
                        std::vector<MetadataRecord>& records);

/// With ELR on, a change of min.insync.replicas makes the eligible replicas of the topic (or of all) void: appends the
/// ClearElrRecords that the ConfigRecords among `records`, from `begin` on, ask for.
void add_clear_elr_records(const MetadataImage& image, std::size_t begin, std::vector<MetadataRecord>& records);

}  // namespace dohle::metadata
