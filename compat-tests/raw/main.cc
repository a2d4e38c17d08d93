// dohle-raw: sends any message at any version to any server. Commands come on stdin, a JSON object a line; each gets
// one line as answer. README.md beside this file lists them.
#include <iostream>
#include <string>

#include "compat-tests/raw/session.h"

int main() {
  dohle::raw::Session session;
  for (std::string line; std::getline(std::cin, line);) {
    if (line.empty()) continue;
    std::cout << boost::json::serialize(session.run(line)) << std::endl;
  }
}
