#include "server/api/producer_id_allocator.h"

#include "server/api/controller_home.h"

namespace dohle::api {

std::optional<std::int64_t> ProducerIdAllocator::take() {
  const std::lock_guard lock(mutex_);
  if (next_id_ == end_id_) return std::nullopt;
  return next_id_++;
}

boost::asio::awaitable<std::optional<std::int64_t>> ProducerIdAllocator::next() {
  if (auto id = take()) co_return id;
  const auto node_id = node_id_;
  const auto operation = [node_id](const metadata::Controller& controller, const metadata::MetadataImage& image) {
    const auto* broker = image.cluster->broker(node_id);
    return controller.allocate_producer_ids(image, node_id, broker == nullptr ? -1 : broker->epoch);
  };
  const auto result = co_await controller_.run<metadata::ProducerIdsBlock>(operation);
  if (result.error.failed()) co_return std::nullopt;
  {
    // Several may have asked at once: the later block goes on where there is none, else its ids are a hole.
    const std::lock_guard lock(mutex_);
    if (next_id_ == end_id_) {
      next_id_ = result.response.first_producer_id;
      end_id_ = next_id_ + result.response.size;
    }
  }
  co_return take();
}

}  // namespace dohle::api
