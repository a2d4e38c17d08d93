// What test_broker.h declares; for one file of a binary.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "server/api/auto_topic_creator.h"
#include "server/api/config_schema.h"
#include "server/api/controller_home.h"
#include "server/api/dispatcher.h"
#include "server/api/fetch_session.h"
#include "server/api/marker_writer.h"
#include "server/api/producer_id_allocator.h"
#include "server/api/test_broker.h"
#include "server/coordinator/replica_partition_log.h"
#include "server/groups/group_coordinator.h"
#include "server/metadata/broker_lifecycle.h"
#include "server/metadata/meta_properties.h"
#include "server/metadata/storage_format.h"
#include "server/metadata/supported_features.h"
#include "server/runtime/check.h"
#include "server/runtime/disk_pool.h"
#include "server/runtime/log_line.h"
#include "server/runtime/reactor.h"
#include "server/transactions/transaction_coordinator.h"

namespace dohle::api {

inline config::BrokerConfig test_config(const std::map<std::string, std::string>& configs) {
  auto properties = config::sample_properties();
  for (const auto& [key, value] : configs) properties[key] = value;
  auto loaded = config::load_broker_config(properties);
  CHECK(loaded);
  return std::move(loaded->config);
}

struct TestBroker::Parts {
  explicit Parts(const std::map<std::string, std::string>& configs)
      : static_config(test_config(configs)),
        config(std::make_shared<config::BrokerConfig>(static_config)),
        schema(config),
        controller(settings(), schema),
        fetch_sessions(static_cast<std::size_t>(static_config.max_incremental_fetch_session_cache_slots)) {}

  config::BrokerConfig static_config;
  TestClock clock;
  testing::FakeDisk metadata_disk;
  testing::FakeDisk log_disk;
  runtime::Snapshot<config::BrokerConfig> config;
  runtime::Snapshot<metadata::MetadataImage> image{std::make_shared<metadata::MetadataImage>()};
  TableConfigSchema schema;
  metadata::Controller controller;
  std::unique_ptr<log::LogDirectories> directories;
  std::unique_ptr<metadata::BrokerLifecycle> lifecycle;
  runtime::DiskPool disk_pool{"disk", {}};
  std::unique_ptr<replica::ReplicaSet> replicas;
  std::unique_ptr<ControllerHome> home;
  std::unique_ptr<AutoTopicCreator> auto_topics;
  std::unique_ptr<ProducerIdAllocator> producer_ids;
  FetchSessionCache fetch_sessions;
  std::unique_ptr<Services> services;
  std::unique_ptr<Dispatcher> dispatcher;
  net::Session broker_session;
  net::Session controller_session;
  std::unique_ptr<runtime::ReactorPool> reactors = std::make_unique<runtime::ReactorPool>(1);
  std::unique_ptr<groups::GroupCoordinator> groups;
  std::unique_ptr<MarkerWriter> markers;
  std::unique_ptr<transactions::TransactionCoordinator> transactions;

  metadata::ControllerSettings settings() const {
    metadata::ControllerSettings result;
    result.node_id = node_id;
    result.default_partitions = static_config.num_partitions;
    result.default_min_insync_replicas = static_config.min_insync_replicas;
    return result;
  }

  void start();
  void stop();
  boost::asio::awaitable<void> handle(std::shared_ptr<codec::Blob> frame, net::Session* session,
                                      std::shared_ptr<std::promise<Answer>> promise);

 private:
  std::unique_ptr<metadata::QuorumNode> start_quorum();
  void register_broker(const std::string& cluster_id);
};

std::unique_ptr<metadata::QuorumNode> TestBroker::Parts::start_quorum() {
  metadata::FormatOptions format;
  format.node_id = node_id;
  format.cluster_id = metadata::random_cluster_id();
  format.controller_endpoint = {"CONTROLLER", "localhost", 9093, 0};
  auto directory = metadata_disk.directory("/metadata");
  CHECK(metadata::format_directory(*directory, true, format, clock.wall_ms()));
  auto log_directory = log_disk.directory("/logs");
  CHECK(metadata::format_directory(*log_directory, false, format, clock.wall_ms()));

  directories = std::make_unique<log::LogDirectories>(std::vector{log_directory}, clock);
  directories->all()[0]->id = metadata::read_meta_properties(*log_directory)->value().directory_id.value();
  CHECK(directories->start());

  metadata::QuorumNodeOptions options;
  options.node_id = node_id;
  options.cluster_id = format.cluster_id;
  options.directory_id = metadata::read_meta_properties(*directory)->value().directory_id.value();
  options.controller_endpoints = {format.controller_endpoint};
  auto opened = metadata::QuorumNode::open(directory, options, clock);
  CHECK(opened);
  CHECK((*opened)->activate());
  return std::move(*opened);
}

void TestBroker::Parts::register_broker(const std::string& cluster_id) {
  metadata::BrokerRegistrationRequest request;
  request.broker_id = node_id;
  request.cluster_id = cluster_id;
  request.incarnation_id = codec::Uuid::random();
  request.endpoints = {{"PLAINTEXT", "localhost", 9092, 0}};
  request.features = metadata::supported_features();
  request.log_directories = {directories->all()[0]->id};
  CHECK(lifecycle->register_broker(request));
  CHECK(lifecycle->unfence());
}

void TestBroker::Parts::start() {
  runtime::set_log_level(runtime::LogLevel::fatal);
  auto node = start_quorum();
  const auto cluster_id = node->cluster_id();
  lifecycle = std::make_unique<metadata::BrokerLifecycle>(*node, controller);
  register_broker(cluster_id);
  replicas = std::make_unique<replica::ReplicaSet>(node_id, *directories, config);
  home =
      std::make_unique<ControllerHome>(std::move(node), controller, image,
                                       [this](const metadata::ImagePointer& published, const MetadataChanges& changes) {
                                         if (changes.broker_configs) replicas->reconfigure(*published);
                                         replicas->apply(*published, changes.topics);
                                         groups->runtime().image_changed(published, changes.topics);
                                         transactions->runtime().image_changed(published, changes.topics);
                                       });
  log::LogDirectoriesOptions options;
  options.producers.transaction_verification = false;
  auto logs = directories->load(std::move(options));
  CHECK(logs);
  replicas->start(*image.current(), std::move(*logs));
  auto_topics = std::make_unique<AutoTopicCreator>(*home, config, image);
  producer_ids = std::make_unique<ProducerIdAllocator>(node_id, *home, image);
  groups = std::make_unique<groups::GroupCoordinator>(
      static_config, *reactors, disk_pool,
      coordinator::replica_partition_logs(groups::offsets_topic, *replicas, disk_pool, image), image, clock);
  groups->runtime().image_changed(image.current(), {});
  markers = std::make_unique<MarkerWriter>(*replicas, disk_pool, image, clock, *groups);
  transactions = std::make_unique<transactions::TransactionCoordinator>(
      static_config, *reactors, disk_pool,
      coordinator::replica_partition_logs(transactions::transaction_state_topic, *replicas, disk_pool, image), image,
      clock, [this] { return producer_ids->next_at_hand(); }, *markers);
  markers->set_coordinator(*transactions);
  services = std::make_unique<Services>(Services{.node_id = node_id,
                                                 .cluster_id = cluster_id,
                                                 .config = config,
                                                 .image = image,
                                                 .clock = clock,
                                                 .disk_pool = disk_pool,
                                                 .replicas = *replicas,
                                                 .controller = *home,
                                                 .auto_topics = *auto_topics,
                                                 .producer_ids = *producer_ids,
                                                 .fetch_sessions = fetch_sessions,
                                                 .groups = *groups,
                                                 .transactions = *transactions,
                                                 .markers = *markers});
  dispatcher = std::make_unique<Dispatcher>(*services);
  broker_session.listener = "PLAINTEXT";
  controller_session.listener = "CONTROLLER";
  controller_session.is_controller = true;
  home->start();
  reactors->start();
}

void TestBroker::Parts::stop() {
  transactions->runtime().stop();
  groups->runtime().stop();
  reactors->stop();
  disk_pool.stop();
  home->stop();
}

boost::asio::awaitable<void> TestBroker::Parts::handle(std::shared_ptr<codec::Blob> frame, net::Session* session,
                                                       std::shared_ptr<std::promise<Answer>> promise) {
  net::Request request{.frame = *frame, .session = session, .owner = nullptr, .received = {}};
  auto response = co_await dispatcher->handle(request);
  Answer answer;
  answer.action = response.action;
  for (const auto& piece : response.pieces) {
    if (const auto* bytes = std::get_if<std::vector<std::uint8_t>>(&piece)) {
      answer.bytes.insert(answer.bytes.end(), bytes->begin(), bytes->end());
      continue;
    }
    const auto& slice = std::get<net::FileSlice>(piece);
    codec::Blob read(slice.size_bytes);
    const auto count = slice.file->read_at(read, slice.offset_bytes);
    CHECK(count && *count == read.size());
    answer.bytes.insert(answer.bytes.end(), read.begin(), read.end());
  }
  promise->set_value(std::move(answer));
}

TestBroker::TestBroker(const std::map<std::string, std::string>& configs) : parts_(std::make_unique<Parts>(configs)) {
  parts_->start();
}

TestBroker::~TestBroker() {
  parts_->stop();
}

std::future<Answer> TestBroker::send(codec::Blob frame, bool on_controller) {
  auto promise = std::make_shared<std::promise<Answer>>();
  auto future = promise->get_future();
  auto* session = on_controller ? &parts_->controller_session : &parts_->broker_session;
  auto owned = std::make_shared<codec::Blob>(std::move(frame));
  parts_->reactors->at(0).spawn(parts_->handle(std::move(owned), session, std::move(promise)));
  return future;
}

void TestBroker::close_connection() {
  std::promise<void> done;
  parts_->reactors->at(0).post([&] {
    parts_->broker_session.closing.request();
    done.set_value();
  });
  done.get_future().wait();
}

const net::Session& TestBroker::session() const {
  return parts_->broker_session;
}

Services& TestBroker::services() {
  return *parts_->services;
}

TestClock& TestBroker::clock() {
  return parts_->clock;
}

testing::FakeDisk& TestBroker::log_disk() {
  return parts_->log_disk;
}

log::LogDirectories& TestBroker::directories() {
  return *parts_->directories;
}

std::shared_ptr<replica::Partition> TestBroker::partition(const std::string& topic, std::int32_t index) {
  return parts_->replicas->find(*parts_->image.current(), topic, index).partition;
}

}  // namespace dohle::api
