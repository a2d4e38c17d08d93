#include "server/api/controller_home.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cstdlib>
#include <set>
#include <type_traits>

#include "server/runtime/log_line.h"

namespace dohle::api {

namespace {

/// Which topics, groups and broker configs a batch of records touches.
class ChangeCollector {
 public:
  explicit ChangeCollector(const metadata::MetadataImage& image) : image_(image) {}

  void operator()(const protocol::TopicRecord& record) { topics_.insert(record.topic_id); }
  void operator()(const protocol::PartitionRecord& record) { topics_.insert(record.topic_id); }
  void operator()(const protocol::PartitionChangeRecord& record) { topics_.insert(record.topic_id); }
  void operator()(const protocol::RemoveTopicRecord& record) { topics_.insert(record.topic_id); }
  void operator()(const protocol::ConfigRecord& record) {
    switch (static_cast<metadata::ConfigResourceType>(record.resource_type)) {
      case metadata::ConfigResourceType::topic:
        if (const auto* topic = image_.topics->find(record.resource_name)) topics_.insert(topic->id);
        break;
      case metadata::ConfigResourceType::broker:
        changes_.broker_configs = true;
        break;
      case metadata::ConfigResourceType::group:
        groups_.insert(record.resource_name);
        break;
      default:
        break;
    }
  }
  template <typename Other>
  void operator()(const Other&) {}

  MetadataChanges take() {
    changes_.topics.assign(topics_.begin(), topics_.end());
    changes_.groups.assign(groups_.begin(), groups_.end());
    return std::move(changes_);
  }

 private:
  const metadata::MetadataImage& image_;  // the new one
  MetadataChanges changes_;
  std::set<codec::Uuid> topics_;
  std::set<std::string> groups_;
};

/// What removes something, what may lower a retention, and what the broker says of itself and its replicas.
constexpr auto frees_space_or_must_be = []<typename Record>(const Record&) {
  return std::is_same_v<Record, protocol::RemoveTopicRecord> || std::is_same_v<Record, protocol::ConfigRecord> ||
         std::is_same_v<Record, protocol::PartitionChangeRecord> ||
         std::is_same_v<Record, protocol::BrokerRegistrationChangeRecord> ||
         std::is_same_v<Record, protocol::UnregisterBrokerRecord> ||
         std::is_same_v<Record, protocol::RemoveAccessControlEntryRecord> ||
         std::is_same_v<Record, protocol::RemoveUserScramCredentialRecord>;
};

}  // namespace

ControllerHome::ControllerHome(std::unique_ptr<metadata::QuorumNode> node, metadata::Controller controller,
                               runtime::Snapshot<metadata::MetadataImage>& image, Publisher publisher)
    : node_(std::move(node)),
      controller_(std::move(controller)),
      image_(image),
      publisher_(std::move(publisher)),
      work_(io_context_.get_executor()) {
  last_applied_offset_.store(node_->last_applied_offset(), std::memory_order_release);
  leader_epoch_ = node_->leader_epoch();
  kraft_version_ = node_->kraft_version();
  voter_directory_id_ = node_->options().directory_id;
  image_.publish(node_->image());
}

ControllerHome::~ControllerHome() {
  stop();
}

void ControllerHome::start() {
  thread_ = std::thread([this] { io_context_.run(); });
}

void ControllerHome::stop() {
  work_.reset();
  if (thread_.joinable()) thread_.join();
}

void ControllerHome::post_work(std::function<void()> work) {
  boost::asio::post(io_context_, std::move(work));
}

metadata::ApiError ControllerHome::check_growth(const std::vector<metadata::MetadataRecord>& records) const {
  const bool is_harmless = std::ranges::all_of(
      records, [](const auto& record) { return std::visit(frees_space_or_must_be, record.message); });
  if (is_harmless || !is_full_ || !is_full_()) return {};
  return {protocol::ErrorCode::kafka_storage_error, "The disk of the metadata log is almost full"};
}

void ControllerHome::commit(std::vector<metadata::MetadataRecord> records) {
  if (records.empty()) return;
  auto committed = node_->commit(records);
  if (!committed) {
    runtime::log_line(runtime::LogLevel::fatal, "kafka.server.KafkaRaftServer",
                      "The metadata log cannot be written: " + committed.error().message);
    std::_Exit(EXIT_FAILURE);
  }
  const auto image = node_->image();
  last_applied_offset_.store(*committed, std::memory_order_release);
  image_.publish(image);
  ChangeCollector collector(*image);
  for (const auto& record : records) std::visit(collector, record.message);
  publisher_(image, collector.take());
}

}  // namespace dohle::api
