// What classic consumers put into the opaque bytes of their groups: subscriptions and assignments. A coordinator reads
// them where members of both protocols share a group. Source:
// org.apache.kafka.clients.consumer.internals.ConsumerProtocol.
#pragma once

#include <cstdint>
#include <optional>

#include "codec/bytes.h"
#include "protocol/messages/consumer_protocol_assignment.h"
#include "protocol/messages/consumer_protocol_subscription.h"
#include "server/groups/partition_assignor.h"
#include "server/metadata/metadata_image.h"

namespace dohle::groups {

// Nothing where Kafka says SchemaException: a negative version, or too few bytes. A version of the future is read as
// the newest that is known, and bytes that are left over do not matter.
std::optional<std::int16_t> embedded_version(codec::Bytes bytes);
std::optional<protocol::ConsumerProtocolSubscription> parse_subscription(codec::Bytes bytes);
std::optional<protocol::ConsumerProtocolAssignment> parse_assignment(codec::Bytes bytes);

/// Topics that are not in the image are left out. `version` is that of the member's subscription, and not negative.
codec::Blob embedded_assignment(const TopicPartitionSets& partitions, const metadata::MetadataImage& image,
                                std::int16_t version);

}  // namespace dohle::groups
