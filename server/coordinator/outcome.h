// What an operation on a coordinator's state comes to, and how its answer leaves.
// Source: org.apache.kafka.coordinator.common.runtime.CoordinatorResult.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "protocol/error_code.h"
#include "server/coordinator/record.h"
#include "server/log/producer_state.h"

namespace dohle::coordinator {

/// Answers one request, once. May be kept in the state machine (a parked JoinGroup) and called by a later operation.
/// Called on the shard's home thread; the api's Promise carries the answer back to the connection's.
template <typename Response>
using Reply = std::move_only_function<void(Response)>;

/// Called on the home thread when the operation's records are committed (none), or when they could not be appended. The
/// error is the one that clients hear: see append_error().
using Completion = std::move_only_function<void(protocol::ErrorCode)>;

/// The producer of a transactional batch (TxnOffsetCommit).
struct ProducerIdentity {
  std::int64_t id = -1;
  std::int16_t epoch = -1;
  /// The proof that the transaction's coordinator knows of the write; the default where none is needed (KIP-890).
  log::VerificationGuard guard{};
};

struct Outcome {
  /// One atomic batch. Without records the completions wait until what is in the log already is committed.
  std::vector<Record> records;
  /// False where the operation changed the state itself and the records only write it down (the classic protocol). A
  /// failed append is then mended by the completions.
  bool replay = true;
  /// False: the records may be spread over several batches where they are too large for one (expiry).
  bool atomic = true;
  /// Set: the records are part of this producer's transaction, and are held back until its marker.
  std::optional<ProducerIdentity> producer;
  /// Run in this order.
  std::vector<Completion> completions;

  /// Answers when the records are committed; `failed` makes the answer of an append that failed.
  template <typename Response, typename Failed>
  void answer(Reply<Response> reply, Response response, Failed failed) {
    completions.push_back([reply = std::move(reply), response = std::move(response),
                           failed = std::move(failed)](protocol::ErrorCode error) mutable {
      reply(error == protocol::ErrorCode::none ? std::move(response) : failed(error));
    });
  }
};

/// What clients hear of a failed append or of any other failure of an operation: errors that only a producer could
/// understand become those of a coordinator. Source: CoordinatorOperationExceptionHelper.
inline protocol::ErrorCode append_error(protocol::ErrorCode error) {
  using protocol::ErrorCode;
  switch (error) {
    case ErrorCode::network_exception:
      return ErrorCode::coordinator_load_in_progress;
    case ErrorCode::unknown_topic_or_partition:
    case ErrorCode::not_enough_replicas:
    case ErrorCode::request_timed_out:
      return ErrorCode::coordinator_not_available;
    case ErrorCode::not_leader_or_follower:
    case ErrorCode::kafka_storage_error:
      return ErrorCode::not_coordinator;
    case ErrorCode::message_too_large:
    case ErrorCode::record_list_too_large:
    case ErrorCode::invalid_fetch_size:
      return ErrorCode::unknown_server_error;
    default:
      return error;
  }
}

}  // namespace dohle::coordinator
