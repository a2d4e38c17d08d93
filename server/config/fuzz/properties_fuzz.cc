// Whatever the file holds: parsing it ends, and what it gives can be laid over the sample and loaded or refused.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "server/config/broker_config.h"
#include "server/config/properties.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto properties = dohle::config::parse_properties({reinterpret_cast<const char*>(data), size});
  if (!properties) return 0;
  dohle::config::ConfigMap merged = dohle::config::sample_properties();
  for (const auto& [name, text] : *properties) {
    // The search for the nearest name is quadratic in the length, and no part of what is fuzzed here.
    if (name.size() < 64) merged[name] = text;
  }
  (void)dohle::config::load_broker_config(merged);
  return 0;
}
