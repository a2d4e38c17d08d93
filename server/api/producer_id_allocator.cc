#include "server/api/producer_id_allocator.h"

#include "server/api/controller_home.h"

namespace dohle::api {

std::optional<std::int64_t> ProducerIdAllocator::take() {
  const std::lock_guard lock(mutex_);
  if (next_id_ == end_id_) return std::nullopt;
  return next_id_++;
}

bool ProducerIdAllocator::is_empty() {
  const std::lock_guard lock(mutex_);
  return next_id_ == end_id_;
}

void ProducerIdAllocator::take_block(std::int64_t first_id, std::int32_t size) {
  // Several may have asked at once: the later block goes on where there is none, else its ids are a hole.
  const std::lock_guard lock(mutex_);
  if (next_id_ != end_id_) return;
  next_id_ = first_id;
  end_id_ = first_id + size;
}

std::function<metadata::ControllerResult<metadata::ProducerIdsBlock>(const metadata::Controller&,
                                                                     const metadata::MetadataImage&)>
ProducerIdAllocator::allocation() const {
  return [node_id = node_id_](const metadata::Controller& controller, const metadata::MetadataImage& image) {
    const auto* broker = image.cluster->broker(node_id);
    return controller.allocate_producer_ids(image, node_id, broker == nullptr ? -1 : broker->epoch);
  };
}

boost::asio::awaitable<void> ProducerIdAllocator::fill() {
  if (!is_empty()) co_return;
  const auto operation = allocation();
  const auto result = co_await controller_.run<metadata::ProducerIdsBlock>(operation);
  if (!result.error.failed()) take_block(result.response.first_producer_id, result.response.size);
}

boost::asio::awaitable<std::optional<std::int64_t>> ProducerIdAllocator::next() {
  if (auto id = take()) co_return id;
  co_await fill();
  co_return take();
}

std::optional<std::int64_t> ProducerIdAllocator::next_at_hand() {
  if (auto id = take()) return id;
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(is_asking_, true)) return std::nullopt;
  }
  controller_.post<metadata::ProducerIdsBlock>(
      allocation(), [this](const metadata::ControllerResult<metadata::ProducerIdsBlock>& result) {
        if (!result.error.failed()) take_block(result.response.first_producer_id, result.response.size);
        const std::lock_guard lock(mutex_);
        is_asking_ = false;
      });
  return std::nullopt;
}

}  // namespace dohle::api
