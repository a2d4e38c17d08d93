// How many files the process may have open. Kafka's start script leaves that to the administrator; a server that is
// started by hand gets the soft limit of 1,024, at which a broker runs out with a few hundred partitions.
#pragma once

#include <cstdint>

#include "server/runtime/result.h"

namespace dohle::runtime {

/// Raises the soft limit of open files to the hard one; returns what holds now. Once, at start.
Result<std::uint64_t> raise_open_file_limit();

}  // namespace dohle::runtime
