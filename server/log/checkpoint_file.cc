#include "server/log/checkpoint_file.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace dohle::log {

using runtime::ErrorKind;
using runtime::failure;
using runtime::Result;
using runtime::Status;

namespace {

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/// Takes the next line away, without its end ("\n" or "\r\n", as Java's readLine). False: there is none.
bool next_line(std::string_view& text, std::string_view& line) {
  if (text.empty()) return false;
  const std::size_t end = text.find('\n');
  line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> fields;
  std::size_t i = 0;
  while (i < line.size()) {
    std::size_t end = i;
    while (end < line.size() && !is_space(line[end])) ++end;
    fields.push_back(line.substr(i, end - i));
    while (end < line.size() && is_space(line[end])) ++end;
    i = end;
  }
  return fields;
}

template <typename Number>
bool parse_any_number(std::string_view text, Number& number) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return false;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

}  // namespace

bool parse_number(std::string_view text, std::int64_t& number) {
  return parse_any_number(text, number);
}
bool parse_number(std::string_view text, std::int32_t& number) {
  return parse_any_number(text, number);
}

Result<std::vector<std::vector<std::string_view>>> parse_checkpoint(std::string_view text, std::size_t field_count) {
  std::vector<std::vector<std::string_view>> entries;
  std::string_view line;
  if (!next_line(text, line)) return entries;
  std::int32_t version = -1;
  if (!parse_number(line, version) || version != 0) {
    return failure(ErrorKind::corrupt, fmt::format("checkpoint has version '{}', not 0", line));
  }
  if (!next_line(text, line)) return entries;
  std::int32_t count = -1;
  if (!parse_number(line, count))
    return failure(ErrorKind::corrupt, fmt::format("malformed checkpoint line: {}", line));
  while (next_line(text, line)) {
    auto fields = split(line);
    if (fields.size() != field_count) {
      return failure(ErrorKind::corrupt, fmt::format("malformed checkpoint line: {}", line));
    }
    entries.push_back(std::move(fields));
  }
  if (std::cmp_not_equal(entries.size(), count)) {
    return failure(ErrorKind::corrupt,
                   fmt::format("checkpoint has {} entries instead of the {} that it names", entries.size(), count));
  }
  return entries;
}

std::string format_checkpoint(const std::vector<std::string>& lines) {
  std::string text = fmt::format("0\n{}\n", lines.size());
  for (const std::string& line : lines) {
    text += line;
    text += '\n';
  }
  return text;
}

Result<PartitionOffsets> parse_offset_checkpoint(std::string_view text) {
  auto entries = parse_checkpoint(text, 3);
  if (!entries) return std::unexpected(std::move(entries.error()));
  PartitionOffsets offsets;
  for (const auto& fields : *entries) {
    TopicPartition partition{std::string(fields[0]), 0};
    std::int64_t offset = 0;
    if (!parse_number(fields[1], partition.partition) || !parse_number(fields[2], offset)) {
      return failure(ErrorKind::corrupt,
                     fmt::format("malformed checkpoint line: {} {} {}", fields[0], fields[1], fields[2]));
    }
    offsets[std::move(partition)] = offset;
  }
  return offsets;
}

std::string format_offset_checkpoint(const PartitionOffsets& offsets) {
  std::vector<std::string> lines;
  lines.reserve(offsets.size());
  for (const auto& [partition, offset] : offsets) {
    lines.push_back(fmt::format("{} {} {}", partition.topic, partition.partition, offset));
  }
  return format_checkpoint(lines);
}

Result<PartitionOffsets> read_offset_checkpoint(runtime::Directory& directory, const std::string& name) {
  const auto text = directory.read_file(name);
  if (!text) {
    if (text.error().kind == ErrorKind::not_found) return PartitionOffsets{};
    return std::unexpected(text.error());
  }
  auto offsets = parse_offset_checkpoint(*text);
  if (!offsets) offsets.error().message = fmt::format("{}/{}: {}", directory.path(), name, offsets.error().message);
  return offsets;
}

Status write_offset_checkpoint(runtime::Directory& directory, const std::string& name,
                               const PartitionOffsets& offsets) {
  return directory.replace_file(name, format_offset_checkpoint(offsets));
}

}  // namespace dohle::log
