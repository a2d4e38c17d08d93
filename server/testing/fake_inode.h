// What the fake disk knows of one file or directory: what a reader sees now, and what a crash would leave.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "codec/bytes.h"

namespace dohle::testing {

/// Not thread-safe: the disk's lock is held.
class FakeInode {
 public:
  using Entries = std::map<std::string, std::shared_ptr<FakeInode>>;

  explicit FakeInode(bool is_directory) : is_directory_(is_directory) {}

  bool is_directory() const { return is_directory_; }

  // A file.
  std::size_t read(codec::MutableBytes buffer, std::uint64_t offset_bytes) const;
  void write(codec::Bytes bytes, std::uint64_t offset_bytes);
  void truncate(std::uint64_t size_bytes);
  std::uint64_t size_bytes() const { return content_.size(); }
  void sync_content();
  /// The dirty pages are clean though they never reached the disk.
  void fail_sync();

  // A directory.
  const Entries& entries() const { return entries_; }
  std::shared_ptr<FakeInode> find(const std::string& name) const;
  void link(const std::string& name, std::shared_ptr<FakeInode> inode);
  void unlink(const std::string& name);
  void rename(const std::string& from, const std::string& to);
  void sync_entries();

  /// Back to what was synced; with `random`, to something between that and what is there now.
  void crash(std::mt19937_64* random);

 private:
  void crash_content(std::mt19937_64* random);
  void crash_entries(std::mt19937_64* random);

  bool is_directory_;
  std::vector<std::uint8_t> content_;
  std::vector<std::uint8_t> durable_content_;
  std::uint64_t dirty_from_ = UINT64_MAX;  // content_ and durable_content_ agree below; UINT64_MAX: nothing to sync
  Entries entries_;
  std::vector<Entries> unsynced_;  // entries_ after each change since the last sync, the oldest first
  Entries durable_entries_;
};

}  // namespace dohle::testing
