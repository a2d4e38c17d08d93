#include "server/metadata/quorum_state.h"

#include <fmt/format.h>

#include <boost/json/src.hpp>

namespace dohle::metadata {

namespace json = boost::json;
using runtime::ErrorKind;

namespace {

std::unexpected<runtime::Error> corrupt(const std::string& path, std::string_view why) {
  return runtime::failure(ErrorKind::corrupt,
                          fmt::format("Error while reading the Quorum status from the file {}: {}", path, why));
}

/// The integer field `name`; nullopt if it is missing or not one.
template <typename Int>
std::optional<Int> integer(const json::object& object, const char* name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_int64()) return std::nullopt;
  const std::int64_t number = value->get_int64();
  if (number < std::numeric_limits<Int>::min() || number > std::numeric_limits<Int>::max()) return std::nullopt;
  return static_cast<Int>(number);
}

}  // namespace

runtime::Result<QuorumState> parse_quorum_state(std::string_view text, const std::string& path) {
  json::error_code error;
  const json::value value = json::parse(text.substr(0, text.find('\n')), error);
  if (error || !value.is_object()) return corrupt(path, "it is not a JSON object");
  const json::object& object = value.get_object();

  QuorumState state;
  const auto version = integer<std::int16_t>(object, "data_version");
  if (!version) return corrupt(path, "it does not have data_version field");
  if (*version < 0 || *version > 1) {
    return corrupt(path,
                   fmt::format("data_version ({}) is not within the min (0) and max (1) supported version", *version));
  }
  state.data_version = *version;
  const auto leader_id = integer<std::int32_t>(object, "leaderId");
  const auto leader_epoch = integer<std::int32_t>(object, "leaderEpoch");
  const auto voted_id = integer<std::int32_t>(object, "votedId");
  if (!leader_id || !leader_epoch || !voted_id) return corrupt(path, "leaderId, leaderEpoch or votedId is missing");
  state.leader_id = *leader_id;
  state.leader_epoch = *leader_epoch;
  state.voted_id = *voted_id;

  if (state.data_version == 1) {
    const json::value* directory = object.if_contains("votedDirectoryId");
    const auto id =
        directory != nullptr && directory->is_string() ? codec::Uuid::parse(directory->get_string()) : std::nullopt;
    if (!id) return corrupt(path, "votedDirectoryId is missing or not a uuid");
    state.voted_directory_id = *id;
    return state;
  }
  if (const json::value* cluster = object.if_contains("clusterId"); cluster != nullptr && cluster->is_string()) {
    state.cluster_id = cluster->get_string().c_str();
  }
  state.applied_offset = integer<std::int64_t>(object, "appliedOffset").value_or(0);
  if (const json::value* voters = object.if_contains("currentVoters"); voters != nullptr && voters->is_array()) {
    for (const json::value& voter : voters->get_array()) {
      const auto id = voter.is_object() ? integer<std::int32_t>(voter.get_object(), "voterId") : std::nullopt;
      if (!id) return corrupt(path, "currentVoters has an entry without voterId");
      state.current_voters.push_back(*id);
    }
  }
  return state;
}

std::string format_quorum_state(const QuorumState& state) {
  if (state.data_version == 1) {
    return fmt::format(R"({{"leaderId":{},"leaderEpoch":{},"votedId":{},"votedDirectoryId":"{}","data_version":1}})",
                       state.leader_id, state.leader_epoch, state.voted_id, state.voted_directory_id.to_string());
  }
  std::string voters;
  for (const std::int32_t id : state.current_voters) {
    voters += fmt::format(R"({}{{"voterId":{}}})", voters.empty() ? "" : ",", id);
  }
  return fmt::format(
      R"({{"clusterId":{},"leaderId":{},"leaderEpoch":{},"votedId":{},"appliedOffset":{},"currentVoters":[{}],"data_version":0}})",
      json::serialize(json::value(state.cluster_id)), state.leader_id, state.leader_epoch, state.voted_id,
      state.applied_offset, voters);
}

runtime::Result<std::optional<QuorumState>> read_quorum_state(runtime::Directory& directory) {
  const auto exists = directory.exists(quorum_state_name);
  if (!exists) return std::unexpected(exists.error());
  if (!*exists) return std::optional<QuorumState>{};
  const auto text = directory.read_file(quorum_state_name, 1 << 20);
  if (!text) return std::unexpected(text.error());
  auto state = parse_quorum_state(*text, directory.path() + "/" + quorum_state_name);
  if (!state) return std::unexpected(std::move(state.error()));
  return std::optional<QuorumState>(std::move(*state));
}

runtime::Status write_quorum_state(runtime::Directory& directory, const QuorumState& state) {
  return directory.replace_file(quorum_state_name, format_quorum_state(state));
}

}  // namespace dohle::metadata
