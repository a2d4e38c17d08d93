#include "server/testing/fake_inode.h"

#include <algorithm>
#include <cstring>

namespace dohle::testing {
namespace {

constexpr std::uint64_t page_bytes = 4096;

}  // namespace

std::size_t FakeInode::read(codec::MutableBytes buffer, std::uint64_t offset_bytes) const {
  if (offset_bytes >= content_.size()) return 0;
  std::size_t count = std::min<std::uint64_t>(buffer.size(), content_.size() - offset_bytes);
  std::copy_n(content_.begin() + static_cast<std::ptrdiff_t>(offset_bytes), count, buffer.begin());
  return count;
}

void FakeInode::write(codec::Bytes bytes, std::uint64_t offset_bytes) {
  if (bytes.empty()) return;
  dirty_from_ = std::min<std::uint64_t>({dirty_from_, offset_bytes, content_.size()});
  if (content_.size() < offset_bytes + bytes.size()) content_.resize(offset_bytes + bytes.size());
  std::copy(bytes.begin(), bytes.end(), content_.begin() + static_cast<std::ptrdiff_t>(offset_bytes));
}

void FakeInode::truncate(std::uint64_t size_bytes) {
  if (size_bytes == content_.size()) return;
  dirty_from_ = std::min<std::uint64_t>({dirty_from_, size_bytes, content_.size()});
  content_.resize(size_bytes);
}

void FakeInode::sync_content() {
  if (dirty_from_ == UINT64_MAX) return;
  // Only what may differ is copied: a log that is synced after each append stays linear.
  std::uint64_t from = std::min<std::uint64_t>(dirty_from_, durable_content_.size());
  durable_content_.resize(content_.size());
  if (from < content_.size()) {
    std::copy(content_.begin() + static_cast<std::ptrdiff_t>(from), content_.end(),
              durable_content_.begin() + static_cast<std::ptrdiff_t>(from));
  }
  dirty_from_ = UINT64_MAX;
}

void FakeInode::fail_sync() {
  dirty_from_ = UINT64_MAX;
}

std::shared_ptr<FakeInode> FakeInode::find(const std::string& name) const {
  auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : found->second;
}

void FakeInode::link(const std::string& name, std::shared_ptr<FakeInode> inode) {
  entries_[name] = std::move(inode);
  unsynced_.push_back(entries_);
}

void FakeInode::unlink(const std::string& name) {
  entries_.erase(name);
  unsynced_.push_back(entries_);
}

void FakeInode::rename(const std::string& from, const std::string& to) {
  std::shared_ptr<FakeInode> inode = find(from);
  entries_.erase(from);
  entries_[to] = std::move(inode);
  unsynced_.push_back(entries_);
}

void FakeInode::sync_entries() {
  durable_entries_ = entries_;
  unsynced_.clear();
}

void FakeInode::crash(std::mt19937_64* random) {
  if (is_directory_) {
    crash_entries(random);
    for (const auto& [name, inode] : entries_) inode->crash(random);
  } else {
    crash_content(random);
  }
}

void FakeInode::crash_entries(std::mt19937_64* random) {
  // File systems keep the order of changes to a directory, so what survives is a beginning of them.
  std::size_t kept = random == nullptr ? 0 : (*random)() % (unsynced_.size() + 1);
  if (kept > 0) durable_entries_ = unsynced_[kept - 1];
  entries_ = durable_entries_;
  unsynced_.clear();
}

void FakeInode::crash_content(std::mt19937_64* random) {
  if (random != nullptr && dirty_from_ != UINT64_MAX) {
    std::uint64_t low = std::min(content_.size(), durable_content_.size());
    std::uint64_t high = std::max(content_.size(), durable_content_.size());
    std::uint64_t size = 0;
    switch ((*random)() % 3) {
      case 0:
        size = durable_content_.size();
        break;
      case 1:
        size = content_.size();
        break;
      default:
        size = low + (*random)() % (high - low + 1);
    }
    std::vector<std::uint8_t> left = durable_content_;
    left.resize(size);
    for (std::uint64_t page = dirty_from_ / page_bytes * page_bytes; page < std::min(size, content_.size());
         page += page_bytes) {
      if ((*random)() % 2 == 0) continue;
      std::uint64_t end = std::min<std::uint64_t>({page + page_bytes, size, content_.size()});
      std::copy(content_.begin() + static_cast<std::ptrdiff_t>(page),
                content_.begin() + static_cast<std::ptrdiff_t>(end), left.begin() + static_cast<std::ptrdiff_t>(page));
    }
    durable_content_ = std::move(left);
  }
  content_ = durable_content_;
  dirty_from_ = UINT64_MAX;
}

}  // namespace dohle::testing
