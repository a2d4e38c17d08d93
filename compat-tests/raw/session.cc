#include "compat-tests/raw/session.h"

#include <set>
#include <stdexcept>

#include "compat-tests/raw/message_from_json.h"
#include "protocol/frame.h"
#include "protocol/message_codec.h"
#include "protocol/message_json.h"

namespace dohle::raw {

namespace {

namespace json = boost::json;
using protocol::MessageSchema;

/// What the caller of the tool did wrong; its text is the answer.
using Mistake = std::runtime_error;

struct Instance {
  explicit Instance(const MessageSchema& schema) : schema(schema), message(schema.create()) {}
  ~Instance() { schema.destroy(message); }
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const MessageSchema& schema;
  void* message;
};

void only(const json::object& object, const std::set<std::string_view>& names) {
  for (const auto& member : object) {
    if (!names.contains(member.key())) throw Mistake("unknown member " + std::string(member.key()));
  }
}

std::string text(const json::object& object, std::string_view name, std::string fallback = "") {
  const json::value* value = object.if_contains(name);
  return value ? std::string(value->as_string()) : fallback;
}

template <typename Number>
Number number(const json::object& object, std::string_view name, Number fallback) {
  const json::value* value = object.if_contains(name);
  return value ? value->to_number<Number>() : fallback;
}

std::chrono::milliseconds timeout(const json::object& command) {
  constexpr std::int64_t default_ms = 10000;
  return std::chrono::milliseconds(number<std::int64_t>(command, "timeout_ms", default_ms));
}

codec::Blob hex(const json::value& value) {
  std::optional<codec::Blob> bytes = from_hex(value.as_string());
  if (!bytes) throw Mistake("not hexadecimal");
  return *bytes;
}

const MessageSchema& message_named(const std::string& name) {
  const MessageSchema* schema = protocol::find_message(name.c_str());
  if (!schema) throw Mistake("no message " + name);
  return *schema;
}

const protocol::ApiInfo& api_named(const std::string& name) {
  for (const protocol::ApiInfo& api : protocol::all_apis()) {
    if (api.name == name && api.request) return api;
  }
  throw Mistake("no API " + name);
}

void write_body(codec::Writer& writer, const MessageSchema& schema, std::int16_t version, const json::object& command) {
  Instance instance(schema);
  RecordsStore store;
  const json::value* body = command.if_contains("body");
  const json::value empty = json::object();
  if (const auto wrong = message_from_json(schema, body ? *body : empty, instance.message, store))
    throw Mistake(*wrong);
  protocol::encode_message(writer, version, schema, instance.message);
  if (!writer.ok()) throw Mistake(writer.error());
}

/// `body` and `left`, or `undecodable`.
void read_body(codec::Reader& reader, const MessageSchema& schema, std::int16_t version, json::object& answer) {
  Instance instance(schema);
  protocol::decode_message(reader, version, schema, instance.message);
  if (!reader.ok()) {
    answer["undecodable"] = true;
    return;
  }
  answer["body"] = json::parse(protocol::to_json(schema, version, instance.message, protocol::RecordsInJson::content));
  answer["left"] = reader.remaining();
}

json::object encode(const json::object& command) {
  only(command, {"encode", "version", "body"});
  const MessageSchema& schema = message_named(text(command, "encode"));
  codec::Writer writer;
  write_body(writer, schema, number<std::int16_t>(command, "version", 0), command);
  return {{"bytes", to_hex(writer.bytes())}};
}

json::object decode(const json::object& command) {
  only(command, {"decode", "version", "bytes"});
  const MessageSchema& schema = message_named(text(command, "decode"));
  const codec::Blob bytes = hex(command.at("bytes"));
  codec::Reader reader(bytes);
  json::object answer;
  read_body(reader, schema, number<std::int16_t>(command, "version", 0), answer);
  return answer;
}

json::object outcome(Connection::Outcome outcome) {
  switch (outcome) {
    case Connection::Outcome::closed:
      return {{"closed", true}};
    case Connection::Outcome::timeout:
      return {{"timeout", true}};
    case Connection::Outcome::failed:
      return {{"error", "the connection failed"}};
    case Connection::Outcome::ok:
      break;
  }
  return {};
}

codec::Blob framed(codec::Bytes content) {
  codec::Writer writer;
  writer.i32(static_cast<std::int32_t>(content.size()));
  writer.raw(content);
  return writer.release();
}

}  // namespace

json::object Session::run(const std::string& line) {
  try {
    return command(json::parse(line).as_object());
  } catch (const std::exception& mistake) {
    return {{"error", mistake.what()}};
  }
}

json::object Session::command(const json::object& command) {
  if (command.contains("encode")) return encode(command);
  if (command.contains("decode")) return decode(command);
  if (command.contains("close")) {
    only(command, {"close"});
    connections_.erase(text(command, "close"));
    return {};
  }
  if (command.contains("api")) return request(command);
  if (command.contains("bytes") || command.contains("frame")) return send_bytes(command);
  only(command, {"connection", "host", "port", "receive", "expect_close", "timeout_ms"});
  Connection& chosen = connection(command);
  if (command.contains("receive")) return receive(chosen, command);
  if (command.contains("expect_close")) return outcome(chosen.wait_for_close(timeout(command)));
  return {};
}

json::object Session::request(const json::object& command) {
  only(command, {"connection", "host", "port", "api", "version", "body", "client_id", "correlation_id", "header_tags",
                 "wait", "timeout_ms"});
  const protocol::ApiInfo& api = api_named(text(command, "api"));
  const auto version = number<std::int16_t>(command, "version", api.stable_versions.last);
  protocol::RequestHeader header;
  header.request_api_key = static_cast<std::int16_t>(api.key);
  header.request_api_version = version;
  header.correlation_id = number<std::int32_t>(command, "correlation_id", next_correlation_id_++);
  header.client_id = text(command, "client_id", "dohle-raw");
  codec::Writer writer;
  protocol::encode_request_header(writer, header);
  write_body(writer, *api.request, version, command);
  Connection& chosen = connection(command);
  if (const auto sent = chosen.send(framed(writer.bytes())); sent != Connection::Outcome::ok) return outcome(sent);
  const json::value* wait = command.if_contains("wait");
  if (wait && !wait->as_bool()) return {{"correlation_id", header.correlation_id}};
  chosen.pending.push_back({&api, version});
  return receive(chosen, command);
}

json::object Session::receive(Connection& connection, const json::object& command) {
  if (const json::value* what = command.if_contains("receive"); what && what->is_object()) {
    const json::object& wanted = what->as_object();
    only(wanted, {"api", "version"});
    connection.pending.push_back({&api_named(text(wanted, "api")), number<std::int16_t>(wanted, "version", 0)});
  }
  codec::Blob frame;
  const Connection::Outcome received = connection.receive(frame, timeout(command));
  if (received != Connection::Outcome::ok) return outcome(received);
  if (connection.pending.empty()) return {{"frame", to_hex(frame)}};
  const Connection::Pending pending = connection.pending.front();
  connection.pending.pop_front();
  codec::Reader reader(frame);
  json::object answer;
  answer["correlation_id"] = protocol::decode_response_header(reader, *pending.api, pending.version);
  codec::Reader error_reader = reader;
  read_body(reader, *pending.api->response, pending.version, answer);
  // An ApiVersions answer to a version that the server does not have comes in version 0 (KIP-511).
  if (pending.api->key == protocol::ApiKey::api_versions && (answer.contains("undecodable") || answer["left"] != 0)) {
    answer.erase("undecodable");
    read_body(error_reader, *pending.api->response, 0, answer);
    answer["answered_version"] = 0;
  }
  if (answer.contains("undecodable")) answer["frame"] = to_hex(frame);
  return answer;
}

json::object Session::send_bytes(const json::object& command) {
  only(command, {"connection", "host", "port", "bytes", "frame", "receive", "timeout_ms"});
  Connection& chosen = connection(command);
  const codec::Blob bytes = command.contains("frame") ? framed(hex(command.at("frame"))) : hex(command.at("bytes"));
  if (const auto sent = chosen.send(bytes); sent != Connection::Outcome::ok) return outcome(sent);
  return command.contains("receive") ? receive(chosen, command) : json::object{};
}

Connection& Session::connection(const json::object& command) {
  const std::string name = text(command, "connection", "default");
  const auto found = connections_.find(name);
  if (found != connections_.end()) return found->second;
  if (!command.contains("port")) throw Mistake("connection " + name + " is not open, and no port is given");
  Connection& opened = connections_[name];
  const std::string error =
      opened.open(text(command, "host", "localhost"), number<std::uint16_t>(command, "port", 0), timeout(command));
  if (error.empty()) return opened;
  connections_.erase(name);
  throw Mistake(error);
}

}  // namespace dohle::raw
