// Java's properties syntax, as java.util.Properties.load(InputStream) reads it: Kafka's Utils.loadProps uses that one,
// so bytes are ISO-8859-1 and other characters need \uXXXX.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/config/config_value.h"
#include "server/runtime/result.h"

namespace dohle::config {

/// Reads the text of a properties file. The last of several equal keys wins. Values come out as UTF-8.
/// The one error that Java knows: a malformed \uXXXX.
runtime::Result<ConfigMap> parse_properties(std::string_view bytes);

/// Reads a file from the disk; not_found, io or invalid, with the path in the message.
runtime::Result<ConfigMap> load_properties(const std::string& path);

/// Lays `--override key=value` arguments (without the option's name) over `properties`, in order. As Kafka's
/// CommandLineUtils.parseKeyValueArgs does, an argument without '=' gives an empty value.
void apply_overrides(const std::vector<std::string>& overrides, ConfigMap& properties);

}  // namespace dohle::config
