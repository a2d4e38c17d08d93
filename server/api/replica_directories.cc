#include "server/api/replica_directories.h"

#include <utility>

#include "server/api/controller_home.h"
#include "server/metadata/partition_changes.h"

namespace dohle::api {

using Result = metadata::ControllerResult<std::monostate>;

Result assign_directories(const metadata::Controller& controller, const metadata::MetadataImage& image,
                          std::int32_t node_id, const std::vector<ReplicaDirectory>& replicas) {
  Result result;
  for (const auto& replica : replicas) {
    const auto* topic = image.topics->find(replica.topic_id);
    const auto* partition = topic == nullptr ? nullptr : topic->partition(replica.partition);
    if (partition == nullptr || !partition->has_replica(node_id)) continue;
    if (partition->directory_of(node_id) == replica.directory) continue;
    auto record = metadata::change_partition(image, *topic, replica.partition, *partition, controller.settings())
                      .set_directory(node_id, replica.directory)
                      .build();
    if (record) result.records.push_back(std::move(*record));
  }
  return result;
}

ReplicaDirectories::ReplicaDirectories(std::int32_t node_id, ControllerHome& home, replica::ReplicaSet& replicas)
    : node_id_(node_id), home_(home), replicas_(replicas) {}

void ReplicaDirectories::chosen(const ReplicaDirectory& replica) {
  chosen_.push_back(replica);
  if (chosen_.size() > 1) return;  // the first has asked already
  home_.post<std::monostate>(
      [this](const metadata::Controller& controller, const metadata::MetadataImage& image) {
        return assign_directories(controller, image, node_id_, std::exchange(chosen_, {}));
      },
      [](const Result&) {});
}

void ReplicaDirectories::ready(const std::shared_ptr<replica::Partition>& partition, const codec::Uuid& directory,
                               replica::ReplicaMover& mover) {
  const ReplicaDirectory replica{partition->topic_id(), partition->index(), directory};
  home_.post<std::monostate>(
      [this, replica](const metadata::Controller& controller, const metadata::MetadataImage& image) {
        return assign_directories(controller, image, node_id_, {replica});
      },
      [this, partition, directory, &mover](const Result& result) {
        // A move that was ended or turned elsewhere meanwhile is not this one.
        const auto future = partition->future();
        const bool is_this = future && future->directory->id == directory;
        if (!result.error.failed() && is_this) replicas_.promote(*partition);
        if (!is_this && partition->directory()->id != directory) {
          chosen({partition->topic_id(), partition->index(), partition->directory()->id});
        }
        mover.done(*partition);
      });
}

}  // namespace dohle::api
