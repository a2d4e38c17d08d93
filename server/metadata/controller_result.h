// What each of the controller's operations answers with. Source: org.apache.kafka.controller.ControllerResult.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/error_code.h"
#include "server/metadata/metadata_record.h"

namespace dohle::metadata {

inline constexpr std::int32_t partitions_per_batch_max = 10'000;  // MAX_PARTITIONS_PER_BATCH
inline constexpr std::size_t records_per_operation_max = 10'000;  // MAX_RECORDS_PER_USER_OP

/// A code with its text; nullopt is a null message on the wire. Source: org.apache.kafka.common.requests.ApiError.
struct ApiError {
  protocol::ErrorCode code = protocol::ErrorCode::none;
  std::optional<std::string> message;
  bool failed() const { return code != protocol::ErrorCode::none; }
  bool operator==(const ApiError&) const = default;
};

/// `error` is for the request as a whole: then there are no records, and the caller answers every item of the request
/// with it, as Kafka's getErrorResponse does.
template <typename Response>
struct ControllerResult {
  ApiError error;
  std::vector<MetadataRecord> records;
  Response response;
};

/// What an operation with more than records_per_operation_max records comes to.
template <typename Response>
ControllerResult<Response> bounded(ControllerResult<Response> result) {
  if (result.records.size() <= records_per_operation_max) return result;
  ControllerResult<Response> refused;
  refused.error = {protocol::ErrorCode::policy_violation, "Unable to perform excessively large batch operation."};
  return refused;
}

}  // namespace dohle::metadata
