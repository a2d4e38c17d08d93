// Names of threads, for top, gdb and perf.
#pragma once

#include <string>

namespace dohle::runtime {

/// Names the calling thread; cut to the 15 bytes that Linux keeps.
void name_thread(const std::string& name);

}  // namespace dohle::runtime
