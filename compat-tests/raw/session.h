// The commands of the raw client: one JSON object in, one out. README.md beside this file lists them.
#pragma once

#include <boost/json.hpp>
#include <map>
#include <string>

#include "compat-tests/raw/connection.h"

namespace dohle::raw {

class Session {
 public:
  /// Never throws: what is wrong is the `error` of the answer.
  boost::json::object run(const std::string& line);

 private:
  boost::json::object command(const boost::json::object& command);
  boost::json::object request(const boost::json::object& command);
  boost::json::object receive(Connection& connection, const boost::json::object& command);
  boost::json::object send_bytes(const boost::json::object& command);
  Connection& connection(const boost::json::object& command);

  std::map<std::string, Connection> connections_;
  std::int32_t next_correlation_id_ = 1;
};

}  // namespace dohle::raw
