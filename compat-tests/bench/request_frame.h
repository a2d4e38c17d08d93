// Requests as frames, for the load generators.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codec/writer.h"
#include "protocol/frame.h"
#include "protocol/messages/produce.h"

namespace dohle::bench {

/// With its size in front; the correlation id is 0.
template <typename Request>
std::vector<std::uint8_t> frame_of(const Request& request, std::int16_t version) {
  codec::Writer writer;
  writer.i32(0);
  protocol::RequestHeader header;
  header.request_api_key = Request::api_key;
  header.request_api_version = version;
  header.client_id = "load";
  encode_request_header(writer, header);
  encode(writer, version, request);
  writer.patch_i32(0, static_cast<std::int32_t>(writer.size() - 4));
  return writer.release();
}

/// Of one batch for one partition.
inline std::vector<std::uint8_t> produce_frame(const std::string& topic_name, int index, const codec::Blob& batch,
                                               std::int16_t acks, std::int16_t version) {
  protocol::ProduceRequest request;
  request.acks = acks;
  request.timeout_ms = 30'000;
  auto& topic = request.topic_data.emplace_back();
  topic.name = topic_name;
  auto& partition = topic.partition_data.emplace_back();
  partition.index = index;
  partition.records = protocol::Records::of(batch);
  return frame_of(request, version);
}

}  // namespace dohle::bench
