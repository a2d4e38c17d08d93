// Something to do on a shard: a request, in most cases.
#pragma once

#include <functional>
#include <utility>

#include "protocol/error_code.h"
#include "server/coordinator/outcome.h"
#include "server/coordinator/shard.h"

namespace dohle::coordinator {

/// Exactly one of the two is called, once, on the home thread of the partition.
class Operation {
 public:
  virtual ~Operation() = default;
  virtual Outcome run(Shard& shard, const OperationContext& context) = 0;
  /// There is no shard to run it on: NOT_COORDINATOR, or COORDINATOR_LOAD_IN_PROGRESS.
  virtual void refuse(protocol::ErrorCode error) = 0;
};

/// `function(S&, const OperationContext&, Reply<Response>)` is the operation, `failed(ErrorCode)` makes the answer of a
/// refusal.
template <typename S, typename Response, typename Function, typename Failed>
class RequestOperation final : public Operation {
 public:
  RequestOperation(Function function, Reply<Response> reply, Failed failed)
      : function_(std::move(function)), reply_(std::move(reply)), failed_(std::move(failed)) {}

  Outcome run(Shard& shard, const OperationContext& context) override {
    return function_(static_cast<S&>(shard), context, std::move(reply_));
  }
  void refuse(protocol::ErrorCode error) override { reply_(failed_(error)); }

 private:
  Function function_;
  Reply<Response> reply_;
  Failed failed_;
};

}  // namespace dohle::coordinator
