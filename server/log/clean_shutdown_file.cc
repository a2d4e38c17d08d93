#include "server/log/clean_shutdown_file.h"

#include <fmt/format.h>

#include "codec/bytes.h"
#include "server/log/checkpoint_file.h"

namespace dohle::log {

using runtime::ErrorKind;
using runtime::Result;
using runtime::Status;

std::string format_clean_shutdown(std::int64_t broker_epoch) {
  return fmt::format("{{\"version\":0,\"brokerEpoch\":{}}}", broker_epoch);
}

std::optional<std::int64_t> parse_clean_shutdown(std::string_view text) {
  // Kafka and we write one flat object; what else the object may hold is ignored.
  constexpr std::string_view name = "\"brokerEpoch\"";
  if (text.find('{') == std::string_view::npos || text.find('}') == std::string_view::npos) return std::nullopt;
  std::size_t position = text.find(name);
  if (position == std::string_view::npos) return std::nullopt;
  position = text.find_first_not_of(" \t\r\n", position + name.size());
  if (position == std::string_view::npos || text[position] != ':') return std::nullopt;
  position = text.find_first_not_of(" \t\r\n", position + 1);
  if (position == std::string_view::npos) return std::nullopt;
  const std::size_t end = text.find_first_of(" \t\r\n,}", position);
  std::int64_t epoch = 0;
  if (end == std::string_view::npos || !parse_number(text.substr(position, end - position), epoch)) return std::nullopt;
  return epoch;
}

Result<CleanShutdown> take_clean_shutdown(runtime::Directory& directory) {
  CleanShutdown shutdown;
  const auto text = directory.read_file(clean_shutdown_file_name);
  if (!text && text.error().kind == ErrorKind::not_found) return shutdown;
  shutdown.clean = true;
  if (text) shutdown.broker_epoch = parse_clean_shutdown(*text);
  DOHLE_RETURN_IF_ERROR(directory.remove(clean_shutdown_file_name));
  // Were it back after a crash, a torn log would be believed.
  DOHLE_RETURN_IF_ERROR(directory.sync());
  return shutdown;
}

Status write_clean_shutdown(runtime::Directory& directory, std::int64_t broker_epoch) {
  auto file = directory.open(clean_shutdown_file_name, {.create = true});
  if (!file) return std::unexpected(file.error());
  const std::string text = format_clean_shutdown(broker_epoch);
  DOHLE_RETURN_IF_ERROR((*file)->truncate(0));
  DOHLE_RETURN_IF_ERROR((*file)->write_at(codec::as_bytes(text), 0));
  DOHLE_RETURN_IF_ERROR((*file)->sync());
  return directory.sync();
}

}  // namespace dohle::log
