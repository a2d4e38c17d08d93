// The controller's home: the one thread that owns the quorum node, so that operations follow one another, each on the
// newest image. The order of a change: records synced, image published, partitions told, and only then the answer.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "server/metadata/controller.h"
#include "server/metadata/quorum_node.h"
#include "server/runtime/snapshot.h"

namespace dohle::api {

/// What a commit touched, so that nobody has to compare whole images.
struct MetadataChanges {
  std::vector<codec::Uuid> topics;  // created, changed, removed, or with a changed configuration
  bool broker_configs = false;      // the cluster's default or this broker's
  std::vector<std::string> groups;  // groups whose configuration changed
};

class ControllerHome {
 public:
  /// Called on the home thread after an image was published and before the answer leaves. Must not throw.
  using Publisher = std::function<void(const metadata::ImagePointer& image, const MetadataChanges& changes)>;

  /// `node` is active. The thread is started by start().
  ControllerHome(std::unique_ptr<metadata::QuorumNode> node, metadata::Controller controller,
                 runtime::Snapshot<metadata::MetadataImage>& image, Publisher publisher);
  ~ControllerHome();
  ControllerHome(const ControllerHome&) = delete;
  ControllerHome& operator=(const ControllerHome&) = delete;

  /// Asked before a commit: while it says true, changes that free no space are refused with KAFKA_STORAGE_ERROR (the
  /// disk of the metadata log is almost full). Before start().
  void refuse_growth_when(std::function<bool()> is_full) { is_full_ = std::move(is_full); }

  void start();
  /// Finishes what was asked for, then ends the thread. No call after it but with_node().
  void stop();

  /// Runs `operation(controller, image)` on the home thread, commits its records unless `validate_only`, and gives its
  /// result back on the caller's executor. A failed commit ends the process: the metadata directory is gone.
  template <typename Response>
  boost::asio::awaitable<metadata::ControllerResult<Response>> run(
      std::function<metadata::ControllerResult<Response>(const metadata::Controller&, const metadata::MetadataImage&)>
          operation,
      bool validate_only = false) {
    co_return co_await boost::asio::co_spawn(io_context_, run_here<Response>(std::move(operation), validate_only),
                                             boost::asio::use_awaitable);
  }

  /// The same without anybody who waits for the answer; `done` is called on the home thread.
  template <typename Response>
  void post(
      std::function<metadata::ControllerResult<Response>(const metadata::Controller&, const metadata::MetadataImage&)>
          operation,
      std::function<void(const metadata::ControllerResult<Response>&)> done) {
    post_work([this, operation = std::move(operation), done = std::move(done)] {
      auto result = operation(controller_, *node_->image());
      commit_unless_refused(result);
      done(result);
    });
  }

  /// For start and stop, while the home thread does not run: the caller is the home.
  metadata::QuorumNode& node() { return *node_; }
  const metadata::Controller& controller() const { return controller_; }
  /// Commits, publishes, tells the publisher. Home thread only, or while it does not run.
  void commit(std::vector<metadata::MetadataRecord> records);

  /// finalized_features_epoch of ApiVersions, and the quorum's numbers for DescribeQuorum. Any thread.
  std::int64_t last_applied_offset() const { return last_applied_offset_.load(std::memory_order_acquire); }
  std::int32_t leader_epoch() const { return leader_epoch_; }
  std::int16_t kraft_version() const { return kraft_version_; }
  /// Zero with static voters (kraft.version 0), whose directories nobody knows.
  codec::Uuid voter_directory_id() const { return kraft_version_ > 0 ? voter_directory_id_ : codec::Uuid{}; }

 private:
  template <typename Response>
  boost::asio::awaitable<metadata::ControllerResult<Response>> run_here(
      std::function<metadata::ControllerResult<Response>(const metadata::Controller&, const metadata::MetadataImage&)>
          operation,
      bool validate_only) {
    auto result = operation(controller_, *node_->image());
    if (!validate_only) commit_unless_refused(result);
    co_return result;
  }
  template <typename Response>
  void commit_unless_refused(metadata::ControllerResult<Response>& result) {
    if (result.error.failed()) return;
    result.error = check_growth(result.records);
    if (!result.error.failed()) commit(result.records);
  }
  metadata::ApiError check_growth(const std::vector<metadata::MetadataRecord>& records) const;
  void post_work(std::function<void()> work);

  std::unique_ptr<metadata::QuorumNode> node_;
  metadata::Controller controller_;
  runtime::Snapshot<metadata::MetadataImage>& image_;
  Publisher publisher_;
  std::function<bool()> is_full_;
  std::atomic<std::int64_t> last_applied_offset_{-1};
  std::int32_t leader_epoch_ = 0;
  std::int16_t kraft_version_ = 0;
  codec::Uuid voter_directory_id_;

  boost::asio::io_context io_context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::thread thread_;
};

}  // namespace dohle::api
