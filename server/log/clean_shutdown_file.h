// .kafka_cleanshutdown: written last when a broker stops in order, removed when it starts. That it is there says that
// no log needs recovery; its content, one line of JSON, gives the broker epoch of that life.
// Follows Kafka's CleanShutdownFileHandler (KIP-966).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/runtime/file.h"
#include "server/runtime/result.h"

namespace dohle::log {

inline constexpr const char* clean_shutdown_file_name = ".kafka_cleanshutdown";

std::string format_clean_shutdown(std::int64_t broker_epoch);
/// nullopt: not readable, which Kafka takes for an unknown epoch.
std::optional<std::int64_t> parse_clean_shutdown(std::string_view text);

struct CleanShutdown {
  bool clean = false;
  std::optional<std::int64_t> broker_epoch;
};

/// Reads the file and removes it, so that a crash from now on is seen as one.
runtime::Result<CleanShutdown> take_clean_shutdown(runtime::Directory& directory);
runtime::Status write_clean_shutdown(runtime::Directory& directory, std::int64_t broker_epoch);

}  // namespace dohle::log
