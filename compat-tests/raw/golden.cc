// Compares our codec with vectors that Kafka's own classes made (compat-tests/protocol/GoldenVectors.java).
//
// Input, a vector a line: {"message", "version", "value": {...}, "bytes": hex} for what Kafka wrote, with "json" as its
// JsonConverter shows it; {..., "refused": reason} for what it would not write; {"garbage": hex, "accepted":
// true|false, "left", "rewritten"} for bytes that its reader was given. Output: a line for each difference, then one
// object with the counts.
//
// --plant KIND MESSAGE FIELD changes our tables first, so that the tests can see this program find it.
#include <boost/json.hpp>
#include <cstdio>
#include <deque>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "compat-tests/raw/message_from_json.h"
#include "protocol/api_key.h"
#include "protocol/error_code.h"
#include "protocol/frame.h"
#include "protocol/message_codec.h"
#include "protocol/message_json.h"

namespace dohle::raw {

namespace {

namespace json = boost::json;
using protocol::Field;
using protocol::FieldType;
using protocol::MessageSchema;
using protocol::StructSchema;

/// Copies of a message's tables that can be changed.
struct PlantedSchema {
  std::deque<std::vector<Field>> fields;
  std::deque<StructSchema> structs;
  MessageSchema message;

  const StructSchema* copy(const StructSchema& original) {
    std::vector<Field>& copied = fields.emplace_back(original.fields.begin(), original.fields.end());
    for (Field& field : copied) {
      if (field.structure) field.structure = copy(*field.structure);
    }
    StructSchema& result = structs.emplace_back(original);
    result.fields = copied;
    return &result;
  }

  explicit PlantedSchema(const MessageSchema& original) : message(original) { message.root = copy(*original.root); }

  Field* find(std::string_view name) {
    for (std::vector<Field>& list : fields) {
      for (Field& field : list) {
        if (field.name == name) return &field;
      }
    }
    return nullptr;
  }

  bool plant(std::string_view kind, std::string_view name) {
    Field* field = find(name);
    if (!field) return false;
    if (kind == "order") {
      std::swap(field[0], field[1]);
    } else if (kind == "type") {
      field->type = field->type == FieldType::int64 ? FieldType::int32 : FieldType::int16;
    } else if (kind == "tag") {
      field->tag += 1;
    } else if (kind == "nullability") {
      field->nullable = {};
    } else if (kind == "versions") {
      field->versions.first = static_cast<std::int16_t>(field->versions.first + 1);
    } else if (kind == "default") {
      field->default_number += 1;
    } else if (kind == "ignorable") {
      field->ignorable = !field->ignorable;
    } else {
      return false;
    }
    return true;
  }
};

struct Counts {
  std::set<std::string> messages;
  std::set<std::pair<std::string, std::int64_t>> versions;
  std::int64_t vectors = 0;
  std::int64_t refusals = 0;
  std::int64_t garbage = 0;
  std::int64_t differences = 0;
};

class Comparison {
 public:
  explicit Comparison(const PlantedSchema* planted) : planted_(planted) {}

  void line(const std::string& text) {
    const json::value vector = json::parse(text);
    const std::string name(vector.at("message").as_string());
    version_ = static_cast<std::int16_t>(vector.at("version").as_int64());
    label_ = name + " v" + std::to_string(version_);
    schema_ = protocol::find_message(name.c_str());
    if (!schema_) return differ("we don't have this message");
    if (planted_ && name == planted_->message.name) schema_ = &planted_->message;
    counts_.messages.insert(name);
    counts_.versions.insert({name, version_});
    ++counts_.vectors;
    const json::object& object = vector.as_object();
    if (object.contains("garbage")) return garbage(vector);
    encode_value(vector);
    if (object.contains("bytes")) decode_bytes(vector);
  }

  const Counts& counts() const { return counts_; }

 private:
  struct Instance {
    explicit Instance(const MessageSchema& schema) : schema(schema), message(schema.create()) {}
    ~Instance() { schema.destroy(message); }
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    const MessageSchema& schema;
    void* message;
  };

  void differ(const std::string& what) {
    ++counts_.differences;
    constexpr std::int64_t shown_max = 200;
    if (counts_.differences <= shown_max) std::cout << label_ << ": " << what << "\n";
  }

  std::string encoded(const void* message, std::string& error) {
    codec::Writer writer;
    protocol::encode_message(writer, version_, *schema_, message);
    error = writer.error();
    return to_hex(writer.bytes());
  }

  /// The same value as Kafka had gives the same bytes, or is refused as well.
  void encode_value(const json::value& vector) {
    Instance instance(*schema_);
    RecordsStore store;
    if (const auto wrong = message_from_json(*schema_, vector.at("value"), instance.message, store)) {
      return differ("cannot be made: " + *wrong);
    }
    std::string error;
    const std::string bytes = encoded(instance.message, error);
    if (vector.as_object().contains("refused")) {
      ++counts_.refusals;
      if (error.empty()) differ("Kafka refuses, we write: " + std::string(vector.at("refused").as_string()));
    } else if (!error.empty()) {
      differ("Kafka writes, we refuse: " + error);
    } else if (bytes != vector.at("bytes").as_string()) {
      differ("value encodes to " + bytes + ", Kafka's bytes are " + std::string(vector.at("bytes").as_string()));
    }
  }

  /// Kafka's bytes decode, encode to themselves, and print as Kafka prints them.
  void decode_bytes(const json::value& vector) {
    const std::string expected(vector.at("bytes").as_string());
    const codec::Blob bytes = *from_hex(expected);
    codec::Reader reader(bytes);
    Instance instance(*schema_);
    protocol::decode_message(reader, version_, *schema_, instance.message);
    if (!reader.ok()) return differ("Kafka's bytes don't decode: " + expected);
    if (reader.remaining() != 0) return differ("decoding leaves " + std::to_string(reader.remaining()) + " bytes");
    std::string error;
    const std::string again = encoded(instance.message, error);
    if (!error.empty()) return differ("what was decoded is refused: " + error);
    if (again != expected) differ("decoded and encoded: " + again + ", Kafka's bytes are " + expected);
    print(vector, instance);
  }

  void print(const json::value& vector, const Instance& instance) {
    const std::string full = protocol::to_json(*schema_, version_, instance.message, protocol::RecordsInJson::content);
    Instance copy(*schema_);
    RecordsStore store;
    if (const auto wrong = message_from_json(*schema_, json::parse(full), copy.message, store)) {
      return differ("our own JSON cannot be read: " + *wrong);
    }
    std::string error;
    if (encoded(copy.message, error) != vector.at("bytes").as_string()) differ("our own JSON loses something: " + full);
    if (!vector.as_object().contains("json")) return;
    json::value ours =
        json::parse(protocol::to_json(*schema_, version_, instance.message, protocol::RecordsInJson::size));
    drop_unknown_tags(ours);
    if (ours != vector.at("json")) {
      differ("JSON is " + json::serialize(ours) + ", Kafka's is " + json::serialize(vector.at("json")));
    }
  }

  static void drop_unknown_tags(json::value& value) {
    if (value.is_array()) {
      for (json::value& item : value.get_array()) drop_unknown_tags(item);
    } else if (value.is_object()) {
      value.get_object().erase("unknownTags");
      for (auto& member : value.get_object()) drop_unknown_tags(member.value());
    }
  }

  /// What Kafka's reader takes, ours takes; what it refuses, ours refuses.
  void garbage(const json::value& vector) {
    ++counts_.garbage;
    const codec::Blob bytes = *from_hex(vector.at("garbage").as_string());
    codec::Reader reader(bytes);
    Instance instance(*schema_);
    protocol::decode_message(reader, version_, *schema_, instance.message);
    const bool accepted = vector.at("accepted").as_bool();
    if (reader.ok() != accepted) {
      return differ(std::string(accepted ? "we refuse, Kafka accepts " : "we accept, Kafka refuses ") +
                    std::string(vector.at("garbage").as_string()));
    }
    if (accepted) accepted_garbage(vector, reader, instance);
  }

  void accepted_garbage(const json::value& vector, const codec::Reader& reader, const Instance& instance) {
    if (reader.remaining() != static_cast<std::size_t>(vector.at("left").as_int64())) {
      differ("we leave " + std::to_string(reader.remaining()) + " bytes of " +
             std::string(vector.at("garbage").as_string()));
    }
    std::string error;
    const std::string again = encoded(instance.message, error);
    const json::object& object = vector.as_object();
    if (object.contains("rewritten") && again != object.at("rewritten").as_string()) {
      differ("from " + std::string(object.at("garbage").as_string()) + " we make " + again + error + ", Kafka " +
             std::string(object.at("rewritten").as_string()));
    }
    if (object.contains("refused") && error.empty()) differ("Kafka does not write what it read, we do: " + again);
  }

  const PlantedSchema* planted_;
  const MessageSchema* schema_ = nullptr;
  std::int16_t version_ = 0;
  std::string label_;
  Counts counts_;
};

/// The constant tables, in the form in which GoldenVectors.java prints Kafka's.
void print_tables() {
  for (int code = -1; protocol::name(static_cast<protocol::ErrorCode>(code)) != "UNKNOWN_SERVER_ERROR" || code < 0;
       ++code) {
    const auto error = static_cast<protocol::ErrorCode>(code);
    std::cout << "error\t" << code << "\t" << protocol::name(error) << "\t"
              << (protocol::is_retriable(error) ? "true" : "false") << "\t" << protocol::default_message(error) << "\n";
  }
  for (const protocol::ApiInfo& api : protocol::all_apis()) {
    std::cout << "api\t" << static_cast<int>(api.key) << "\t" << api.name << "\t" << api.on_broker << "\t"
              << api.on_controller << "\t";
    if (!api.versions.empty()) std::cout << api.versions.first << "\t" << api.versions.last << "\t";
    if (!api.versions.empty()) std::cout << api.stable_versions.last;
    std::cout << "\n";
    for (int version = api.versions.first; !api.versions.empty() && version <= api.versions.last + 2; ++version) {
      const auto number = static_cast<std::int16_t>(version);
      std::cout << "header\t" << static_cast<int>(api.key) << "\t" << version << "\t"
                << protocol::request_header_version(api, number) << "\t"
                << protocol::response_header_version(api, number) << "\n";
    }
  }
}

int run(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments == std::vector<std::string>{"--tables"}) {
    print_tables();
    return 0;
  }
  std::unique_ptr<PlantedSchema> planted;
  if (arguments.size() == 4 && arguments[0] == "--plant") {
    const MessageSchema* original = protocol::find_message(arguments[2].c_str());
    if (original) planted = std::make_unique<PlantedSchema>(*original);
    if (!planted || !planted->plant(arguments[1], arguments[3])) {
      std::cerr << "nothing to plant\n";
      return 2;
    }
  } else if (!arguments.empty()) {
    std::cerr << "dohle_golden [--tables | --plant KIND MESSAGE FIELD] < vectors\n";
    return 2;
  }
  Comparison comparison(planted.get());
  for (std::string line; std::getline(std::cin, line);) comparison.line(line);
  const Counts& counts = comparison.counts();
  std::cout << json::serialize(json::object{{"messages", counts.messages.size()},
                                            {"versions", counts.versions.size()},
                                            {"vectors", counts.vectors},
                                            {"refusals", counts.refusals},
                                            {"garbage", counts.garbage},
                                            {"differences", counts.differences}})
            << "\n";
  return counts.differences == 0 ? 0 : 1;
}

}  // namespace

}  // namespace dohle::raw

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  return dohle::raw::run(argc, argv);
}
