// Turns what shall become of a partition (its ISR, replicas, an election) into a PartitionChangeRecord, with the leader
// elections and the rules of eligible leader replicas (KIP-966) that follow from it.
// Source: org.apache.kafka.controller.PartitionChangeBuilder.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "server/metadata/metadata_image.h"
#include "server/metadata/metadata_record.h"

namespace dohle::metadata {

/// preferred: the first replica if it can be. online: keep the leader if it can stay, else from the ISR. unclean: as
/// online, and anybody who is alive rather than nobody.
enum class Election : std::uint8_t { preferred, online, unclean };

class PartitionChangeBuilder {
 public:
  /// `acceptable_leader` says whether a broker may lead this partition: active, with the replica's directory online.
  /// `min_isr` is the topic's min.insync.replicas, not above its replication factor. `default_directory` is where a
  /// broker keeps a replica that it did not have before. `partition` outlives the builder.
  PartitionChangeBuilder(const PartitionRegistration& partition, codec::Uuid topic_id, std::int32_t index,
                         std::function<bool(std::int32_t)> acceptable_leader, const FeaturesImage& features,
                         std::int32_t min_isr, std::function<codec::Uuid(std::int32_t)> default_directory);

  PartitionChangeBuilder& set_target_isr(std::vector<std::int32_t> isr);
  PartitionChangeBuilder& set_target_replicas(std::vector<std::int32_t> replicas);
  PartitionChangeBuilder& set_target_removing(std::vector<std::int32_t> replicas);
  PartitionChangeBuilder& set_target_adding(std::vector<std::int32_t> replicas);
  PartitionChangeBuilder& set_target_recovery_state(LeaderRecoveryState state);
  PartitionChangeBuilder& set_unclean_shutdown(std::int32_t broker_id);
  PartitionChangeBuilder& set_election(Election election);
  PartitionChangeBuilder& set_directory(std::int32_t broker_id, const codec::Uuid& directory);

  /// nullopt if nothing changes. Once per builder.
  std::optional<MetadataRecord> build();

 private:
  struct Elected {
    std::int32_t leader = no_leader;
    bool unclean = false;
  };

  bool can_lead_cleanly(std::int32_t replica) const;
  bool can_elect_last_known_leader() const;
  Elected elect() const;
  void complete_reassignment();
  void populate_target_elr();
  void try_election();
  void bump_leader_epoch_where_needed();
  void update_elr();
  void update_isr();
  void update_last_known_leader();
  void set_assignment();
  bool is_no_op() const;

  const PartitionRegistration& partition_;
  std::function<bool(std::int32_t)> acceptable_leader_;
  std::int16_t metadata_version_;
  bool elr_enabled_;
  std::int32_t min_isr_;
  std::function<codec::Uuid(std::int32_t)> default_directory_;
  Election election_ = Election::online;
  std::vector<std::int32_t> target_isr_;
  std::vector<std::int32_t> target_replicas_;
  std::vector<std::int32_t> target_removing_;
  std::vector<std::int32_t> target_adding_;
  std::vector<std::int32_t> target_elr_;
  LeaderRecoveryState target_recovery_state_;
  std::map<std::int32_t, codec::Uuid> directories_;
  std::optional<std::int32_t> unclean_shutdown_;
  protocol::PartitionChangeRecord record_;
};

}  // namespace dohle::metadata
