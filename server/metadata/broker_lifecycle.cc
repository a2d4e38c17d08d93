#include "server/metadata/broker_lifecycle.h"

#include <utility>

namespace dohle::metadata {

using runtime::Status;

namespace {

std::unexpected<runtime::Error> refusal(const ApiError& error) {
  return runtime::failure(runtime::ErrorKind::invalid,
                          error.message.value_or(std::string(protocol::default_message(error.code))));
}

}  // namespace

Status BrokerLifecycle::commit(ControllerResult<std::monostate> result) {
  if (result.error.failed()) return refusal(result.error);
  auto committed = node_.commit(std::move(result.records));
  return committed ? Status{} : std::unexpected(std::move(committed.error()));
}

runtime::Result<std::int64_t> BrokerLifecycle::register_broker(const BrokerRegistrationRequest& request) {
  auto result = controller_.register_broker(*node_.image(), request, node_.next_offset(), node_.cluster_id());
  if (result.error.failed()) return refusal(result.error);
  auto committed = node_.commit(std::move(result.records));
  if (!committed) return std::unexpected(std::move(committed.error()));
  broker_id_ = request.broker_id;
  epoch_ = result.response;
  cordoned_directories_ = request.cordoned_log_directories;
  return epoch_;
}

Status BrokerLifecycle::unfence() {
  DOHLE_RETURN_IF_ERROR(
      commit(controller_.set_cordoned_directories(*node_.image(), broker_id_, cordoned_directories_)));
  return commit(controller_.unfence_broker(*node_.image(), broker_id_));
}

Status BrokerLifecycle::stop() {
  DOHLE_RETURN_IF_ERROR(commit(controller_.begin_controlled_shutdown(*node_.image(), broker_id_)));
  return commit(controller_.fence_broker(*node_.image(), broker_id_));
}

}  // namespace dohle::metadata
