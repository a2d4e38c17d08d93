#include "server/groups/topic_metadata_hash.h"

#include <algorithm>
#include <string_view>

#include "codec/bytes.h"
#include "codec/xxh3.h"
#include "server/groups/java_hash_map.h"

namespace dohle::groups {

namespace {

/// What hash4j's HashStream64 would be fed.
class HashStream {
 public:
  void put(std::uint64_t value, int size_bytes) {
    for (int i = 0; i < size_bytes; ++i) bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  void put_int(std::int32_t value) { put(static_cast<std::uint32_t>(value), 4); }
  void put_long(std::int64_t value) { put(static_cast<std::uint64_t>(value), 8); }
  /// UTF-16 units, then how many.
  void put_string(const std::vector<std::uint16_t>& units) {
    for (const auto unit : units) put(unit, 2);
    put_int(static_cast<std::int32_t>(units.size()));
  }
  std::int64_t finish() const { return static_cast<std::int64_t>(codec::xxh3_64(bytes_)); }

 private:
  codec::Blob bytes_;
};

/// `text` is valid UTF-8: names and racks have passed a decoder.
std::vector<std::uint16_t> utf16(std::string_view text) {
  std::vector<std::uint16_t> units;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<std::uint8_t>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t point = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t j = 1; j < length && i + j < text.size(); ++j) {
      point = point << 6 | (static_cast<std::uint8_t>(text[i + j]) & 0x3FU);
    }
    if (point >= 0x10000) {
      units.push_back(static_cast<std::uint16_t>(0xD800 + ((point - 0x10000) >> 10)));
      units.push_back(static_cast<std::uint16_t>(0xDC00 + ((point - 0x10000) & 0x3FF)));
    } else {
      units.push_back(static_cast<std::uint16_t>(point));
    }
    i += length;
  }
  return units;
}

}  // namespace

std::int64_t topic_metadata_hash(const metadata::TopicImage& topic, const metadata::ClusterImage& cluster) {
  HashStream stream;
  const auto [most, least] = java_uuid_halves(topic.id);
  stream.put(0, 1);  // the format's version
  stream.put_long(most);
  stream.put_long(least);
  stream.put_string(utf16(topic.name));
  stream.put_int(static_cast<std::int32_t>(topic.partitions.size()));
  for (std::int32_t index = 0; index < static_cast<std::int32_t>(topic.partitions.size()); ++index) {
    stream.put_int(index);
    const auto* partition = topic.partition(index);
    if (partition == nullptr) continue;
    std::vector<std::vector<std::uint16_t>> racks;
    for (const auto replica : partition->replicas) {
      const auto* broker = cluster.broker(replica);
      if (broker != nullptr && broker->rack) racks.push_back(utf16(*broker->rack));
    }
    std::ranges::sort(racks);
    for (const auto& rack : racks) {
      stream.put_int(static_cast<std::int32_t>(rack.size()));
      stream.put_string(rack);
    }
  }
  return stream.finish();
}

std::int64_t group_metadata_hash(const std::vector<std::int64_t>& topic_hashes) {
  if (topic_hashes.empty()) return 0;
  HashStream stream;
  for (const auto hash : topic_hashes) stream.put_long(hash);
  return stream.finish();
}

std::int64_t group_metadata_hash(const std::set<std::string>& topic_names, const metadata::MetadataImage& image) {
  std::vector<std::int64_t> hashes;
  for (const auto& name : topic_names) {
    const auto* topic = image.topics->find(name);
    if (topic != nullptr) hashes.push_back(topic_metadata_hash(*topic, *image.cluster));
  }
  return group_metadata_hash(hashes);
}

}  // namespace dohle::groups
