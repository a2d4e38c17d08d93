// What CreateTopics and CreatePartitions do alike around the controller's operation.
#pragma once

#include <cstdint>

#include "server/metadata/controller_result.h"

namespace dohle::api {

/// `operation()`, or REQUEST_TIMED_OUT for all: with such a timeout the event's deadline has passed before its turn
/// comes, and Kafka's controller does not begin it.
template <typename Operation>
auto in_time(std::int32_t timeout_ms, const Operation& operation) -> decltype(operation()) {
  if (timeout_ms > 0) return operation();
  decltype(operation()) late;
  late.error.code = protocol::ErrorCode::request_timed_out;
  return late;
}

/// Each topic of the request gets the error of the request.
template <typename Topics, typename Answers>
void refuse_each(const Topics& topics, const metadata::ApiError& error, Answers& answers) {
  for (const auto& topic : topics) {
    auto& answer = answers.emplace_back();
    answer.name = topic.name;
    answer.error_code = static_cast<std::int16_t>(error.code);
    answer.error_message = error.message;
  }
}

}  // namespace dohle::api
