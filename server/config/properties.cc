#include "server/config/properties.h"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>

namespace dohle::config {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\f';
}
bool is_line_end(char c) {
  return c == '\n' || c == '\r';
}

// Takes logical lines out of the text: comments and blank lines dropped, continued lines joined, blanks at their
// beginning dropped. Escapes are still in the result, but for the backslashes that continue a line.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text) {}

  std::optional<std::string> next() {
    cut_by_end_ = false;
    while (true) {
      skip_blanks(true);
      if (at_ == text_.size()) return std::nullopt;
      if (text_[at_] == '#' || text_[at_] == '!') {
        while (at_ < text_.size() && !is_line_end(text_[at_])) ++at_;
        continue;
      }
      std::string line = take_line();
      if (!line.empty() || cut_by_end_) return line;
    }
  }

 private:
  void skip_blanks(bool line_ends_too) {
    while (at_ < text_.size() && (is_blank(text_[at_]) || (line_ends_too && is_line_end(text_[at_])))) ++at_;
  }

  void skip_line_end() {
    char first = text_[at_++];
    if (first == '\r' && at_ < text_.size() && text_[at_] == '\n') ++at_;
  }

  std::string take_line() {
    std::string line;
    bool escaped = false;
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (is_line_end(c)) {
        skip_line_end();
        if (!escaped) return line;
        line.pop_back();
        escaped = false;
        skip_blanks(false);
        continue;
      }
      escaped = c == '\\' && !escaped;
      line += c;
      ++at_;
    }
    if (escaped) line.pop_back();
    cut_by_end_ = escaped;
    return line;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  // A backslash stood at the very end: Java takes that for a line, even if nothing else is on it.
  bool cut_by_end_ = false;
};

// Collects UTF-16 units, as Java has them, into UTF-8. A half of a pair that stays alone becomes '?', as in Java.
class Utf8Builder {
 public:
  void add(std::uint32_t unit) {
    bool low_half = unit >= 0xDC00 && unit < 0xE000;
    if (high_half_ != 0 && low_half) {
      append(0x10000 + ((high_half_ - 0xD800) << 10) + (unit - 0xDC00));
      high_half_ = 0;
      return;
    }
    flush();
    if (unit >= 0xD800 && unit < 0xDC00) {
      high_half_ = unit;
    } else {
      append(low_half ? '?' : unit);
    }
  }

  std::string take() {
    flush();
    return std::move(text_);
  }

 private:
  void flush() {
    if (high_half_ != 0) text_ += '?';
    high_half_ = 0;
  }

  void append(std::uint32_t point) {
    if (point < 0x80) {
      text_ += static_cast<char>(point);
    } else if (point < 0x800) {
      text_ += static_cast<char>(0xC0 | (point >> 6));
      text_ += static_cast<char>(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
      text_ += static_cast<char>(0xE0 | (point >> 12));
      text_ += static_cast<char>(0x80 | ((point >> 6) & 0x3F));
      text_ += static_cast<char>(0x80 | (point & 0x3F));
    } else {
      text_ += static_cast<char>(0xF0 | (point >> 18));
      text_ += static_cast<char>(0x80 | ((point >> 12) & 0x3F));
      text_ += static_cast<char>(0x80 | ((point >> 6) & 0x3F));
      text_ += static_cast<char>(0x80 | (point & 0x3F));
    }
  }

  std::string text_;
  std::uint32_t high_half_ = 0;
};

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::uint32_t> four_hex_digits(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  std::uint32_t unit = 0;
  for (char c : text.substr(0, 4)) {
    int digit = hex_digit(c);
    if (digit < 0) return std::nullopt;
    unit = unit * 16 + static_cast<std::uint32_t>(digit);
  }
  return unit;
}

char simple_escape(char c) {
  switch (c) {
    case 't':
      return '\t';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 'f':
      return '\f';
    default:
      return c;
  }
}

runtime::Result<std::string> unescape(std::string_view text) {
  Utf8Builder builder;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      c = text[++i];
      if (c == 'u') {
        auto unit = four_hex_digits(text.substr(i + 1));
        if (!unit) return runtime::failure(runtime::ErrorKind::invalid, "Malformed \\uxxxx encoding.");
        builder.add(*unit);
        i += 4;
        continue;
      }
      c = simple_escape(c);
    }
    builder.add(static_cast<unsigned char>(c));
  }
  return builder.take();
}

struct Split {
  std::string_view key;
  std::string_view value;
};

// The key ends at the first '=', ':' or blank that no backslash stands before; then blanks and one '=' or ':' go.
Split split_line(std::string_view line) {
  std::size_t end = 0;
  bool escaped = false;
  while (end < line.size()) {
    char c = line[end];
    if (!escaped && (c == '=' || c == ':' || is_blank(c))) break;
    escaped = c == '\\' && !escaped;
    ++end;
  }
  std::size_t value = end;
  bool separator_seen = false;
  while (value < line.size()) {
    char c = line[value];
    if (!is_blank(c)) {
      if (separator_seen || (c != '=' && c != ':')) break;
      separator_seen = true;
    }
    ++value;
  }
  return {line.substr(0, end), line.substr(value)};
}

}  // namespace

runtime::Result<ConfigMap> parse_properties(std::string_view bytes) {
  ConfigMap properties;
  LineReader lines(bytes);
  while (auto line = lines.next()) {
    Split split = split_line(*line);
    auto key = unescape(split.key);
    if (!key) return std::unexpected(key.error());
    auto value = unescape(split.value);
    if (!value) return std::unexpected(value.error());
    properties[std::move(*key)] = std::move(*value);
  }
  return properties;
}

runtime::Result<ConfigMap> load_properties(const std::string& path) {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) return runtime::system_failure(errno, "open", path);
  std::string text;
  char buffer[8192];
  while (std::size_t count = std::fread(buffer, 1, sizeof buffer, file.get())) text.append(buffer, count);
  if (std::ferror(file.get()) != 0) return runtime::system_failure(errno, "read", path);
  auto properties = parse_properties(text);
  if (!properties) properties.error().message = path + ": " + properties.error().message;
  return properties;
}

void apply_overrides(const std::vector<std::string>& overrides, ConfigMap& properties) {
  for (const std::string& argument : overrides) {
    std::size_t sign = argument.find('=');
    properties[argument.substr(0, sign)] = sign == std::string::npos ? "" : argument.substr(sign + 1);
  }
}

}  // namespace dohle::config
