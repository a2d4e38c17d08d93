#include "server/groups/embedded_consumer_protocol.h"

#include <algorithm>

#include "codec/reader.h"
#include "codec/writer.h"
#include "server/runtime/check.h"

namespace dohle::groups {

namespace {

template <typename Message>
std::optional<Message> parse(codec::Bytes bytes) {
  codec::Reader reader(bytes);
  const auto version = reader.i16();
  if (!reader.ok() || version < Message::min_version) return std::nullopt;
  Message message;
  decode(reader, std::min(version, Message::max_version), message);
  if (!reader.ok()) return std::nullopt;
  return message;
}

}  // namespace

std::optional<std::int16_t> embedded_version(codec::Bytes bytes) {
  codec::Reader reader(bytes);
  const auto version = reader.i16();
  if (!reader.ok() || version < 0) return std::nullopt;
  return version;
}

std::optional<protocol::ConsumerProtocolSubscription> parse_subscription(codec::Bytes bytes) {
  return parse<protocol::ConsumerProtocolSubscription>(bytes);
}

std::optional<protocol::ConsumerProtocolAssignment> parse_assignment(codec::Bytes bytes) {
  return parse<protocol::ConsumerProtocolAssignment>(bytes);
}

codec::Blob embedded_assignment(const TopicPartitionSets& partitions, const metadata::MetadataImage& image,
                                std::int16_t version) {
  protocol::ConsumerProtocolAssignment assignment;
  for (const auto& [id, list] : partitions) {
    const auto* topic = image.topics->find(id);
    if (topic != nullptr) assignment.assigned_partitions.push_back({topic->name, list});
  }
  version = std::min(version, protocol::ConsumerProtocolAssignment::max_version);
  codec::Writer writer;
  writer.i16(version);
  encode(writer, version, assignment);
  CHECK(writer.ok());
  return writer.release();
}

}  // namespace dohle::groups
