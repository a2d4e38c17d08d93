// The process: arguments, configuration, signals, exit code. Everything else is the broker's.

#include <fmt/core.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "server/broker.h"
#include "server/config/broker_config.h"
#include "server/config/properties.h"
#include "server/runtime/log_line.h"
#include "server/runtime/open_files.h"
#include "server/runtime/signals.h"

namespace {

using namespace dohle;

constexpr const char* usage =
    "USAGE: dohle [server.properties] [--override property=value]*\n"
    "Without a file, the values of Kafka's own config/server.properties hold, with the data in ./data.\n";

struct Arguments {
  std::string file;
  std::vector<std::string> overrides;
  bool help = false;
};

runtime::Result<Arguments> parse(int count, char** values) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string argument = values[i];
    if (argument == "--help" || argument == "-h") {
      arguments.help = true;
    } else if (argument == "--override" && i + 1 < count) {
      arguments.overrides.emplace_back(values[++i]);
    } else if (argument.starts_with("--override=")) {
      arguments.overrides.push_back(argument.substr(std::string("--override=").size()));
    } else if (argument.starts_with("-")) {
      return runtime::failure(runtime::ErrorKind::invalid, "Unknown option " + argument);
    } else if (arguments.file.empty()) {
      arguments.file = argument;
    } else {
      return runtime::failure(runtime::ErrorKind::invalid, "Found non argument parameters: " + argument);
    }
  }
  return arguments;
}

runtime::Result<config::LoadedConfig> load(const Arguments& arguments) {
  config::ConfigMap properties = config::sample_properties();
  if (!arguments.file.empty()) {
    auto loaded = config::load_properties(arguments.file);
    if (!loaded) return std::unexpected(loaded.error());
    properties = std::move(*loaded);
  }
  config::apply_overrides(arguments.overrides, properties);
  return config::load_broker_config(properties);
}

int fail(const runtime::Error& error) {
  runtime::log_line(runtime::LogLevel::fatal, "kafka.Kafka$", error.message);
  return EXIT_FAILURE;
}

int run(const Arguments& arguments) {
  auto loaded = load(arguments);
  if (!loaded) return fail(loaded.error());
  for (const auto& warning : loaded->warnings)
    runtime::log_line(runtime::LogLevel::warn, "kafka.server.KafkaConfig", warning);
  if (auto limit = runtime::raise_open_file_limit(); !limit) {
    runtime::log_line(runtime::LogLevel::warn, "kafka.Kafka$", limit.error().message);
  }
  auto broker = server::Broker::start(std::move(loaded->config));
  if (!broker) return fail(broker.error());
  runtime::wait_for_stop_signal();
  if (auto stopped = (*broker)->stop(); !stopped) return fail(stopped.error());
  return EXIT_SUCCESS;
}

}  // namespace

int main(int count, char** values) {
  runtime::hold_stop_signals();
  const auto arguments = parse(count, values);
  if (!arguments || arguments->help) {
    if (!arguments) fmt::print(stderr, "{}\n", arguments.error().message);
    fmt::print(arguments ? stdout : stderr, "{}", usage);
    return arguments ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  try {
    return run(*arguments);
  } catch (const std::exception& error) {
    return fail({runtime::ErrorKind::invalid, 0, error.what()});
  }
}
