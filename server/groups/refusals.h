// Answers that say nothing but an error.
#pragma once

#include <string>
#include <utility>

#include "protocol/error_code.h"
#include "protocol/messages/heartbeat.h"
#include "protocol/messages/join_group.h"
#include "protocol/messages/leave_group.h"
#include "protocol/messages/offset_delete.h"
#include "protocol/messages/offset_fetch.h"
#include "protocol/messages/sync_group.h"

namespace dohle::groups {

template <typename Response>
Response error_response(protocol::ErrorCode error) {
  Response response;
  response.error_code = static_cast<std::int16_t>(error);
  return response;
}

inline protocol::HeartbeatResponse heartbeat_error(protocol::ErrorCode error) {
  return error_response<protocol::HeartbeatResponse>(error);
}
inline protocol::OffsetDeleteResponse offset_delete_error(protocol::ErrorCode error) {
  return error_response<protocol::OffsetDeleteResponse>(error);
}
inline protocol::OffsetFetchResponse::OffsetFetchResponseGroup fetch_error(std::string group_id,
                                                                           protocol::ErrorCode error) {
  auto response = error_response<protocol::OffsetFetchResponse::OffsetFetchResponseGroup>(error);
  response.group_id = std::move(group_id);
  return response;
}

}  // namespace dohle::groups
