#include "server/broker.h"

#include <chrono>
#include <thread>

#include "server/api/auto_topic_creator.h"
#include "server/api/config_schema.h"
#include "server/api/controller_home.h"
#include "server/api/dispatcher.h"
#include "server/api/fetch_session.h"
#include "server/api/marker_writer.h"
#include "server/api/producer_id_allocator.h"
#include "server/api/replica_directories.h"
#include "server/api/services.h"
#include "server/broker_storage.h"
#include "server/config/listener_limits.h"
#include "server/coordinator/replica_partition_log.h"
#include "server/groups/group_coordinator.h"
#include "server/metadata/broker_lifecycle.h"
#include "server/net/listener.h"
#include "server/replica/replica_mover.h"
#include "server/replica/replica_set.h"
#include "server/replica/replica_upkeep.h"
#include "server/runtime/disk_pool.h"
#include "server/runtime/log_line.h"
#include "server/runtime/reactor.h"
#include "server/runtime/signals.h"
#include "server/transactions/transaction_coordinator.h"

namespace dohle::server {

namespace {

constexpr const char* lifecycle_logger = "kafka.server.BrokerLifecycleManager";
constexpr const char* server_logger = "kafka.server.KafkaRaftServer";

/// How long a stop lets responses in flight finish.
constexpr std::chrono::milliseconds stop_patience{5'000};
/// Memory of all requests together, where queued.max.request.bytes sets no limit.
constexpr std::uint64_t request_memory_bytes = 512ULL << 20;

int reactor_count() {
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

runtime::MemoryBudget::Limits budget_limits(const config::BrokerConfig& config) {
  runtime::MemoryBudget::Limits limits;
  const auto configured = config.queued_max_request_bytes;
  limits.total_bytes = configured > 0 ? static_cast<std::uint64_t>(configured) : request_memory_bytes;
  return limits;
}

/// For the listeners of one role: Kafka counts the connections of broker and controller apart.
net::ConnectionQuota::Limits quota_limits(const config::BrokerConfig& config,
                                          const std::vector<config::Listener>& listeners) {
  net::ConnectionQuota::Limits limits;
  limits.connections_max = config.max_connections;
  limits.connections_per_address_max = config.max_connections_per_ip;
  limits.creations_per_second_max = config.max_connection_creation_rate;
  for (const auto& [address, count] : config.max_connections_per_ip_overrides) {
    limits.address_overrides[address] = count;
  }
  for (const auto& listener : listeners) {
    const auto own = config::listener_limits(config, listener.name);
    limits.listeners[listener.name] = {own.max_connections, own.max_connection_creation_rate};
  }
  limits.protected_listener = config.inter_broker_listener_name;
  limits.rate_windows.count = config.values.get_int("quota.window.num");
  limits.rate_windows.size_ms = std::int64_t{config.values.get_int("quota.window.size.seconds")} * 1000;
  return limits;
}

/// Numbers of connections: the controller's begin here.
constexpr std::uint64_t first_controller_connection = 1ULL << 62;

net::ListenerOptions listener_options(const config::BrokerConfig& config, const config::Listener& listener,
                                      bool is_controller) {
  net::ListenerOptions options;
  options.name = listener.name;
  options.is_controller = is_controller;
  options.host = listener.host;
  options.port = static_cast<std::uint16_t>(listener.port);
  options.socket.backlog = config.socket_listen_backlog_size;
  // Fixed buffers would switch off the kernel's own sizing; Kafka's default is a hundred KiB, which costs throughput.
  options.connection.frame_bytes_max = static_cast<std::size_t>(config.socket_request_max_bytes);
  options.connection.idle_ms_max = config.connections_max_idle_ms;
  return options;
}

metadata::QuorumNodeOptions node_options(const config::BrokerConfig& config, const Storage& storage) {
  metadata::QuorumNodeOptions options;
  options.node_id = config.node_id;
  options.cluster_id = storage.cluster_id;
  options.directory_id = storage.metadata_directory_id;
  options.controller_endpoints = controller_endpoints(config);
  options.default_min_insync_replicas = config.min_insync_replicas;
  options.segment_size_bytes_max = static_cast<std::uint64_t>(config.metadata_log_segment_bytes);
  options.record_bytes_between_snapshots_max =
      static_cast<std::uint64_t>(config.metadata_log_max_record_bytes_between_snapshots);
  options.snapshot_interval_ms_max = config.metadata_log_max_snapshot_interval_ms;
  for (const auto& voter : config.quorum_voters) {
    options.static_voters[voter.node_id] = {.name = "",
                                            .host = voter.address.host,
                                            .port = static_cast<std::uint16_t>(voter.address.port),
                                            .security_protocol = 0};
  }
  return options;
}

metadata::ControllerSettings controller_settings(const config::BrokerConfig& config) {
  metadata::ControllerSettings settings;
  settings.node_id = config.node_id;
  settings.default_partitions = config.num_partitions;
  settings.default_replication_factor = static_cast<std::int16_t>(config.default_replication_factor);
  settings.default_min_insync_replicas = config.min_insync_replicas;
  settings.default_unclean_leader_election = config.values.get_bool("unclean.leader.election.enable");
  return settings;
}

}  // namespace

/// In the order of their making; destroyed the other way round.
struct Broker::Parts {
  explicit Parts(config::BrokerConfig initial)
      : static_config(std::move(initial)),
        config(std::make_shared<config::BrokerConfig>(static_config)),
        schema(config),
        controller(controller_settings(static_config), schema),
        budget(budget_limits(static_config)),
        quota(quota_limits(static_config, static_config.broker_listeners())),
        controller_quota(quota_limits(static_config, static_config.controller_listeners()),
                         first_controller_connection),
        fetch_sessions(static_cast<std::size_t>(static_config.max_incremental_fetch_session_cache_slots)) {}

  config::BrokerConfig static_config;
  runtime::Clock& clock = runtime::system_clock();
  runtime::Snapshot<config::BrokerConfig> config;
  runtime::Snapshot<metadata::MetadataImage> image{std::make_shared<metadata::MetadataImage>()};
  Storage storage;
  log::SpaceGauge metadata_space{static_config.metadata_log_dir};
  api::TableConfigSchema schema;
  metadata::Controller controller;
  std::unique_ptr<metadata::BrokerLifecycle> lifecycle;
  runtime::DiskPool disk_pool{"disk", {}};
  runtime::MemoryBudget budget;
  net::ConnectionQuota quota;
  net::ConnectionQuota controller_quota;
  std::unique_ptr<replica::ReplicaSet> replicas;
  std::unique_ptr<replica::ReplicaUpkeep> upkeep;
  std::unique_ptr<api::ControllerHome> home;
  std::unique_ptr<api::ReplicaDirectories> replica_directories;
  std::unique_ptr<replica::ReplicaMover> mover;
  std::unique_ptr<api::AutoTopicCreator> auto_topics;
  std::unique_ptr<api::ProducerIdAllocator> producer_ids;
  api::FetchSessionCache fetch_sessions;
  std::unique_ptr<api::Services> services;
  std::unique_ptr<api::Dispatcher> dispatcher;
  std::unique_ptr<runtime::ReactorPool> reactors;
  std::unique_ptr<groups::GroupCoordinator> groups;
  std::unique_ptr<api::MarkerWriter> markers;
  std::unique_ptr<transactions::TransactionCoordinator> transactions;
  std::vector<std::unique_ptr<net::Listener>> listeners;

  runtime::Status start();
  runtime::Status stop();

 private:
  runtime::Status open_listeners();
  runtime::Status start_quorum(std::unique_ptr<metadata::QuorumNode>& node);
  runtime::Result<std::vector<log::LoadedLog>> load_logs(const metadata::MetadataImage& image);
  metadata::BrokerRegistrationRequest registration() const;
  void apply_broker_configs(const metadata::MetadataImage& image);
  void change_quotas(const config::BrokerConfig& current);
  void apply_cordons();
  void directory_failed(const log::LogDirectory& directory);
  void start_replicas(std::vector<log::LoadedLog> logs);
  void publish(const metadata::ImagePointer& image, const api::MetadataChanges& changes);
  runtime::Status close_logs();
};

runtime::Status Broker::Parts::open_listeners() {
  reactors = std::make_unique<runtime::ReactorPool>(reactor_count());
  const auto open = [this](const config::Listener& listener, bool is_controller) -> runtime::Status {
    auto opened = net::Listener::open(
        listener_options(static_config, listener, is_controller), *reactors, is_controller ? controller_quota : quota,
        budget, [this](net::Request request) { return dispatcher->handle(request); }, &disk_pool);
    if (!opened) return std::unexpected(std::move(opened.error()));
    listeners.push_back(std::move(*opened));
    return {};
  };
  for (const auto& listener : static_config.broker_listeners()) DOHLE_RETURN_IF_ERROR(open(listener, false));
  for (const auto& listener : static_config.controller_listeners()) DOHLE_RETURN_IF_ERROR(open(listener, true));
  return {};
}

metadata::BrokerRegistrationRequest Broker::Parts::registration() const {
  metadata::BrokerRegistrationRequest request;
  request.broker_id = static_config.node_id;
  request.cluster_id = storage.cluster_id;
  request.incarnation_id = codec::Uuid::random();
  request.endpoints = broker_endpoints(static_config);
  request.features = metadata::supported_features();
  request.rack = static_config.rack;
  for (const auto& entry : storage.directories->all()) request.log_directories.push_back(entry->id);
  std::ranges::sort(request.log_directories);
  request.previous_broker_epoch = storage.directories->previous_broker_epoch().value_or(-1);
  return request;
}

runtime::Status Broker::Parts::start_quorum(std::unique_ptr<metadata::QuorumNode>& node) {
  // Reads and understands everything before anything is written.
  auto opened = metadata::QuorumNode::open(storage.metadata_directory, node_options(static_config, storage), clock);
  if (!opened) return std::unexpected(std::move(opened.error()));
  node = std::move(*opened);
  DOHLE_RETURN_IF_ERROR(storage.directories->start());
  DOHLE_RETURN_IF_ERROR(node->activate());
  lifecycle = std::make_unique<metadata::BrokerLifecycle>(*node, controller);
  auto epoch = lifecycle->register_broker(registration());
  if (!epoch) return std::unexpected(std::move(epoch.error()));
  return {};
}

void Broker::Parts::apply_broker_configs(const metadata::MetadataImage& metadata_image) {
  const auto configs_of = [&](std::string name) {
    return api::to_config_map(metadata_image.configs->configs({metadata::ConfigResourceType::broker, std::move(name)}));
  };
  auto dynamic =
      config::with_dynamic_configs(static_config, configs_of(""), configs_of(std::to_string(static_config.node_id)));
  for (const auto& warning : dynamic.warnings) {
    runtime::log_line(runtime::LogLevel::warn, "kafka.server.DynamicBrokerConfig", warning);
  }
  config.publish(std::make_shared<config::BrokerConfig>(std::move(dynamic.config)));
  change_quotas(*config.current());
}

void Broker::Parts::change_quotas(const config::BrokerConfig& current) {
  // They live where connections are accepted. Dropped when the reactors have ended.
  auto change = [this, broker_limits = quota_limits(current, current.broker_listeners()),
                 controller_limits = quota_limits(current, current.controller_listeners())]() mutable {
    quota.change(std::move(broker_limits));
    controller_quota.change(std::move(controller_limits));
  };
  reactors->at(0).post(std::move(change));
}

runtime::Result<std::vector<log::LoadedLog>> Broker::Parts::load_logs(const metadata::MetadataImage& metadata_image) {
  log::LogDirectoriesOptions options;
  const auto config_of = [this, &metadata_image](const std::string& topic) {
    const auto& overrides = metadata_image.configs->configs({metadata::ConfigResourceType::topic, topic});
    const auto parsed = config::make_log_config(*config.current(), api::to_config_map(overrides));
    return parsed ? *parsed : log::LogConfig{};
  };
  options.default_config = config_of("");
  options.config_of = config_of;
  options.producers.producer_id_expiration_ms = static_config.producer_id_expiration_ms;
  options.producers.max_transaction_timeout_ms = static_config.transaction_max_timeout_ms;
  options.producers.transaction_verification =
      static_config.values.get_bool("transaction.partition.verification.enable");
  options.recovery_threads_per_directory = static_config.num_recovery_threads_per_data_dir;
  return storage.directories->load(std::move(options));
}

void Broker::Parts::publish(const metadata::ImagePointer& published, const api::MetadataChanges& changes) {
  if (changes.broker_configs) {
    apply_broker_configs(*published);
    apply_cordons();
    replicas->reconfigure(*published);
  }
  replicas->apply(*published, changes.topics);
  groups->runtime().image_changed(published, changes.topics);
  transactions->runtime().image_changed(published, changes.topics);
}

/// cordoned.log.dirs (KIP-1066): for what is placed here, and for the controller.
void Broker::Parts::apply_cordons() {
  const auto paths = config.current()->values.get_list("cordoned.log.dirs");
  std::vector<codec::Uuid> cordoned;
  for (const auto& entry : storage.directories->all()) {
    entry->cordoned = std::ranges::any_of(paths, [&](const auto& path) { return path == "*" || path == entry->path; });
    if (entry->cordoned) cordoned.push_back(entry->id);
  }
  home->post<std::monostate>(
      [this, cordoned](const metadata::Controller& decides, const metadata::MetadataImage& newest) {
        return decides.set_cordoned_directories(newest, static_config.node_id, cordoned);
      },
      [](const auto&) {});
}

/// Any thread. One log directory is the metadata's too: without it there is no broker (Kafka stops as well).
void Broker::Parts::directory_failed(const log::LogDirectory& directory) {
  const auto& all = storage.directories->all();
  if (std::ranges::none_of(all, [](const auto& entry) { return entry->online.load(); })) {
    runtime::log_line(runtime::LogLevel::fatal, server_logger, "Shutdown broker because all log dirs have failed");
    runtime::request_stop();
    return;
  }
  home->post<std::monostate>(
      [this, id = directory.id](const metadata::Controller& decides, const metadata::MetadataImage& newest) {
        return decides.directories_offline(newest, static_config.node_id, {id});
      },
      [](const auto&) {});
}

void Broker::Parts::start_replicas(std::vector<log::LoadedLog> logs) {
  replica_directories = std::make_unique<api::ReplicaDirectories>(static_config.node_id, *home, *replicas);
  replicas->on_directory_chosen([this](const codec::Uuid& topic_id, std::int32_t partition, const codec::Uuid& id) {
    replica_directories->chosen({topic_id, partition, id});
  });
  replicas->start(*image.current(), std::move(logs));
  mover = std::make_unique<replica::ReplicaMover>(*replicas, config, [this](const auto& partition, const auto& id) {
    replica_directories->ready(partition, id, *mover);
  });
  apply_cordons();
}

runtime::Status Broker::Parts::start() {
  auto opened = open_storage(static_config, clock);
  if (!opened) return std::unexpected(std::move(opened.error()));
  storage = std::move(*opened);
  DOHLE_RETURN_IF_ERROR(open_listeners());
  std::unique_ptr<metadata::QuorumNode> node;
  DOHLE_RETURN_IF_ERROR(start_quorum(node));
  apply_broker_configs(*node->image());
  auto logs = load_logs(*node->image());
  if (!logs) return std::unexpected(std::move(logs.error()));
  DOHLE_RETURN_IF_ERROR(lifecycle->unfence());

  replicas = std::make_unique<replica::ReplicaSet>(static_config.node_id, *storage.directories, config);
  replicas->on_directory_failure([this](const log::LogDirectory& directory) { directory_failed(directory); });
  home = std::make_unique<api::ControllerHome>(
      std::move(node), controller, image,
      [this](const metadata::ImagePointer& published, const api::MetadataChanges& changes) {
        publish(published, changes);
      });
  home->refuse_growth_when([this] {
    const auto level = metadata_space.level(clock.monotonic_ms(), config.current()->values.originals());
    return level == log::SpaceLevel::critical;
  });
  start_replicas(std::move(*logs));
  upkeep = std::make_unique<replica::ReplicaUpkeep>(*replicas, *storage.directories, config, clock);
  auto_topics = std::make_unique<api::AutoTopicCreator>(*home, config, image);
  producer_ids = std::make_unique<api::ProducerIdAllocator>(static_config.node_id, *home, image);
  groups = std::make_unique<groups::GroupCoordinator>(
      static_config, *reactors, disk_pool,
      coordinator::replica_partition_logs(groups::offsets_topic, *replicas, disk_pool, image), image, clock);
  groups->runtime().image_changed(image.current(), {});
  markers = std::make_unique<api::MarkerWriter>(*replicas, disk_pool, image, clock, *groups);
  transactions = std::make_unique<transactions::TransactionCoordinator>(
      static_config, *reactors, disk_pool,
      coordinator::replica_partition_logs(transactions::transaction_state_topic, *replicas, disk_pool, image), image,
      clock, [this] { return producer_ids->next_at_hand(); }, *markers);
  markers->set_coordinator(*transactions);
  transactions->runtime().image_changed(image.current(), {});
  services = std::make_unique<api::Services>(api::Services{.node_id = static_config.node_id,
                                                           .cluster_id = storage.cluster_id,
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
  dispatcher = std::make_unique<api::Dispatcher>(*services);

  home->start();
  upkeep->start();
  mover->start();
  reactors->start();
  for (const auto& listener : listeners) listener->start();
  runtime::log_info(lifecycle_logger,
                    "[BrokerLifecycleManager id={}] The broker has been unfenced. Transitioning from RECOVERY to "
                    "RUNNING.",
                    static_config.node_id);
  runtime::log_info(server_logger, "[KafkaRaftServer nodeId={}] Kafka Server started", static_config.node_id);
  return {};
}

runtime::Status Broker::Parts::close_logs() {
  runtime::Status result;
  replicas->for_each([&result](const auto& partition) {
    if (!partition->directory()->online) return;
    auto closed = partition->with_log([](log::Log& log) { return log.close(); });
    if (!closed && result) result = std::move(closed);
    const auto future = partition->future();
    if (!future || !future->directory->online) return;
    auto future_closed = future->log->close();
    if (!future_closed && result) result = std::move(future_closed);
  });
  DOHLE_RETURN_IF_ERROR(result);
  upkeep->write_checkpoints(true, true, true);
  return storage.directories->write_clean_shutdown(lifecycle->epoch());
}

runtime::Status Broker::Parts::stop() {
  runtime::log_info(server_logger, "[KafkaRaftServer nodeId={}] shutting down", static_config.node_id);
  transactions->runtime().stop();
  groups->runtime().stop();
  for (const auto& listener : listeners) listener->stop(stop_patience);
  reactors->stop();
  upkeep->stop();
  mover->stop();
  disk_pool.stop();
  home->stop();
  DOHLE_RETURN_IF_ERROR(lifecycle->stop());
  DOHLE_RETURN_IF_ERROR(home->node().close());
  DOHLE_RETURN_IF_ERROR(close_logs());
  runtime::log_info(server_logger, "[KafkaRaftServer nodeId={}] shut down completed", static_config.node_id);
  return {};
}

Broker::Broker(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Broker::~Broker() = default;

runtime::Result<std::unique_ptr<Broker>> Broker::start(config::BrokerConfig config) {
  auto parts = std::make_unique<Parts>(std::move(config));
  DOHLE_RETURN_IF_ERROR(parts->start());
  return std::unique_ptr<Broker>(new Broker(std::move(parts)));
}

runtime::Status Broker::stop() {
  return parts_->stop();
}

}  // namespace dohle::server
