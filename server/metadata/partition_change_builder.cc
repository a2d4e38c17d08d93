#include "server/metadata/partition_change_builder.h"

#include <algorithm>
#include <set>
#include <utility>

namespace dohle::metadata {

namespace {

using Ids = std::vector<std::int32_t>;

constexpr std::int32_t no_leader_change = -2;
constexpr std::int8_t no_recovery_change = -1;
/// From 3.6-IV0 on an ISR shrink needs no new leader epoch (KAFKA-15021).
constexpr std::int16_t no_bump_on_shrink_version = 12;
constexpr std::int16_t directory_assignment_version = 17;

bool contains(const Ids& ids, std::int32_t id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

bool contains_all(const Ids& ids, const Ids& others) {
  return std::all_of(others.begin(), others.end(), [&](std::int32_t id) { return contains(ids, id); });
}

Ids without(const Ids& ids, const Ids& others) {
  Ids left;
  std::copy_if(ids.begin(), ids.end(), std::back_inserter(left),
               [&](std::int32_t id) { return !contains(others, id); });
  return left;
}

}  // namespace

PartitionChangeBuilder::PartitionChangeBuilder(const PartitionRegistration& partition, codec::Uuid topic_id,
                                               std::int32_t index, std::function<bool(std::int32_t)> acceptable_leader,
                                               const FeaturesImage& features, std::int32_t min_isr,
                                               std::function<codec::Uuid(std::int32_t)> default_directory)
    : partition_(partition),
      acceptable_leader_(std::move(acceptable_leader)),
      metadata_version_(features.metadata_version.value_or(0)),
      elr_enabled_(features.elr_enabled()),
      min_isr_(min_isr),
      default_directory_(std::move(default_directory)),
      target_isr_(partition.isr),
      target_replicas_(partition.replicas),
      target_removing_(partition.removing_replicas),
      target_adding_(partition.adding_replicas),
      target_elr_(partition.elr),
      target_recovery_state_(partition.leader_recovery_state) {
  record_.topic_id = topic_id;
  record_.partition_id = index;
  for (std::size_t i = 0; i < partition.replicas.size(); ++i) {
    directories_[partition.replicas[i]] = partition.directory_of(partition.replicas[i]);
  }
}

PartitionChangeBuilder& PartitionChangeBuilder::set_target_isr(Ids isr) {
  target_isr_ = std::move(isr);
  return *this;
}

PartitionChangeBuilder& PartitionChangeBuilder::set_target_replicas(Ids replicas) {
  target_replicas_ = std::move(replicas);
  return *this;
}

PartitionChangeBuilder& PartitionChangeBuilder::set_target_removing(Ids replicas) {
  target_removing_ = std::move(replicas);
  return *this;
}

PartitionChangeBuilder& PartitionChangeBuilder::set_target_adding(Ids replicas) {
  target_adding_ = std::move(replicas);
  return *this;
}

PartitionChangeBuilder& PartitionChangeBuilder::set_target_recovery_state(LeaderRecoveryState state) {
  target_recovery_state_ = state;
  return *this;
}

PartitionChangeBuilder& PartitionChangeBuilder::set_unclean_shutdown(std::int32_t broker_id) {
  unclean_shutdown_ = broker_id;
  return *this;
}

PartitionChangeBuilder& PartitionChangeBuilder::set_election(Election election) {
  election_ = election;
  return *this;
}

PartitionChangeBuilder& PartitionChangeBuilder::set_directory(std::int32_t broker_id, const codec::Uuid& directory) {
  directories_[broker_id] = directory;
  return *this;
}

std::optional<MetadataRecord> PartitionChangeBuilder::build() {
  complete_reassignment();
  populate_target_elr();
  try_election();
  // A broker that leaves the replicas must see a new leader epoch, even if the leader stays.
  if (record_.leader == no_leader_change && !contains_all(target_replicas_, partition_.replicas)) {
    record_.leader = partition_.leader;
  }
  update_elr();
  update_isr();
  bump_leader_epoch_where_needed();
  update_last_known_leader();
  set_assignment();
  if (target_recovery_state_ != partition_.leader_recovery_state) {
    record_.leader_recovery_state = static_cast<std::int8_t>(target_recovery_state_);
  }
  if (is_no_op()) return std::nullopt;
  return MetadataRecord{std::move(record_), partition_change_record_version(metadata_version_)};
}

/// The replicas that are being added are in sync and one that stays is too: then the ones to remove go.
void PartitionChangeBuilder::complete_reassignment() {
  if (target_removing_.empty() && target_adding_.empty()) return;
  const Ids isr = without(target_isr_, target_removing_);
  const Ids replicas = without(target_replicas_, target_removing_);
  if (!target_removing_.empty() && (isr.empty() || replicas.empty())) return;
  if (!contains_all(isr, target_adding_)) return;
  // Where the replication factor shrinks, all that stay must be in sync, so that the ISR does not get smaller for it.
  if (target_adding_.size() < target_removing_.size() && !contains_all(isr, replicas)) return;
  target_isr_ = isr;
  target_replicas_ = replicas;
  target_removing_.clear();
  target_adding_.clear();
}

void PartitionChangeBuilder::populate_target_elr() {
  if (!elr_enabled_) return;
  if (static_cast<std::int32_t>(target_isr_.size()) >= min_isr_) {
    target_elr_.clear();
    return;
  }
  // Who was eligible or in sync stays eligible, unless it is in the new ISR or may have lost data. In order of id, as
  // Java's HashSet of small numbers lists them.
  std::set<std::int32_t> candidates(target_elr_.begin(), target_elr_.end());
  candidates.insert(partition_.isr.begin(), partition_.isr.end());
  target_elr_.clear();
  for (const std::int32_t id : candidates) {
    if (!contains(target_isr_, id) && unclean_shutdown_ != id) target_elr_.push_back(id);
  }
}

bool PartitionChangeBuilder::can_lead_cleanly(std::int32_t replica) const {
  const bool eligible = contains(target_isr_, replica) || (target_isr_.empty() && contains(target_elr_, replica));
  return eligible && acceptable_leader_(replica);
}

bool PartitionChangeBuilder::can_elect_last_known_leader() const {
  // The last known ELR holds exactly the last leader, if the partition lost it while nobody else was eligible.
  return elr_enabled_ && target_elr_.empty() && target_isr_.empty() && partition_.last_known_elr.size() == 1 &&
         acceptable_leader_(partition_.last_known_elr.front());
}

PartitionChangeBuilder::Elected PartitionChangeBuilder::elect() const {
  const bool preferred_first = election_ == Election::preferred && !target_replicas_.empty();
  if (preferred_first && can_lead_cleanly(target_replicas_.front())) return {target_replicas_.front(), false};
  if (can_lead_cleanly(partition_.leader)) return {partition_.leader, false};
  for (const std::int32_t replica : target_replicas_) {
    if (can_lead_cleanly(replica)) return {replica, false};
  }
  if (can_elect_last_known_leader()) return {partition_.last_known_elr.front(), true};
  if (election_ == Election::unclean) {
    const auto alive = std::find_if(target_replicas_.begin(), target_replicas_.end(), acceptable_leader_);
    if (alive != target_replicas_.end()) return {*alive, true};
  }
  return {};
}

void PartitionChangeBuilder::try_election() {
  const Elected elected = elect();
  if (elected.leader == partition_.leader) return;
  if (contains(target_elr_, elected.leader)) {
    target_isr_ = {elected.leader};
    target_elr_ = without(target_elr_, {elected.leader});
  }
  record_.leader = elected.leader;
  if (!elected.unclean) return;
  // Whatever the others have that this one has not is lost.
  record_.isr = Ids{elected.leader};
  if (partition_.leader_recovery_state != LeaderRecoveryState::recovering) {
    record_.leader_recovery_state = static_cast<std::int8_t>(LeaderRecoveryState::recovering);
  }
}

void PartitionChangeBuilder::update_elr() {
  const bool unclean_election = record_.isr.has_value();
  if (unclean_election || !elr_enabled_) target_elr_.clear();
  if (target_elr_ != partition_.elr) record_.eligible_leader_replicas = target_elr_;
}

void PartitionChangeBuilder::update_isr() {
  // Only with ELR may an ISR become empty.
  if (!record_.isr && (!target_isr_.empty() || elr_enabled_) && target_isr_ != partition_.isr)
    record_.isr = target_isr_;
}

void PartitionChangeBuilder::bump_leader_epoch_where_needed() {
  if (metadata_version_ >= no_bump_on_shrink_version) return;
  if (record_.leader == no_leader_change && record_.isr && !contains_all(*record_.isr, partition_.isr)) {
    record_.leader = partition_.leader;
  }
}

void PartitionChangeBuilder::update_last_known_leader() {
  if (!elr_enabled_) return;
  if (record_.leader == no_leader && partition_.last_known_elr.empty()) {
    record_.last_known_elr = Ids{partition_.leader};
  } else if (record_.leader >= 0 && !partition_.last_known_elr.empty()) {
    record_.last_known_elr = Ids{};
  }
}

void PartitionChangeBuilder::set_assignment() {
  if (!target_replicas_.empty()) {
    if (metadata_version_ >= directory_assignment_version) {
      std::vector<codec::Uuid> directories;
      for (const std::int32_t replica : target_replicas_) {
        const auto known = directories_.find(replica);
        directories.push_back(known == directories_.end() ? default_directory_(replica) : known->second);
      }
      if (directories != partition_.directories) record_.directories = std::move(directories);
    }
    if (target_replicas_ != partition_.replicas) record_.replicas = target_replicas_;
  }
  if (target_removing_ != partition_.removing_replicas) record_.removing_replicas = target_removing_;
  if (target_adding_ != partition_.adding_replicas) record_.adding_replicas = target_adding_;
}

bool PartitionChangeBuilder::is_no_op() const {
  return !record_.isr && !record_.eligible_leader_replicas && !record_.last_known_elr && !record_.replicas &&
         !record_.removing_replicas && !record_.adding_replicas && !record_.directories &&
         record_.leader == no_leader_change && record_.leader_recovery_state == no_recovery_change;
}

}  // namespace dohle::metadata
