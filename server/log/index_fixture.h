// A directory of the fake disk with index files, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "server/log/file_cache.h"
#include "server/log/index_entries.h"
#include "server/testing/fake_disk.h"

namespace dohle::log {

class IndexFixture : public ::testing::Test {
 protected:
  IndexFile file(const std::string& name = "index") { return {directory_, name, &cache_}; }
  std::uint64_t file_bytes(const std::string& name = "index") {
    return directory_->read_file(name).value_or("").size();
  }

  dohle::testing::FakeDisk disk_;
  std::shared_ptr<runtime::Directory> directory_ = disk_.directory();
  FileCache cache_;
};

}  // namespace dohle::log
