#include "server/testing/fake_disk.h"

#include <fmt/format.h>

#include <cerrno>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "server/testing/fake_inode.h"

namespace dohle::testing {

using runtime::Directory;
using runtime::DirectoryEntry;
using runtime::ErrorKind;
using runtime::failure;
using runtime::File;
using runtime::OpenOptions;
using runtime::Result;
using runtime::Status;
using runtime::system_failure;

struct FakeDisk::State {
  struct Failure {
    std::uint64_t nth;  // 0: every call
    int system_error;
    std::optional<DiskCall> call;
    std::size_t written_bytes;
    bool once;
  };

  explicit State(std::uint64_t seed) : random(seed) {}

  /// Counts the call; its failure if it is to fail now.
  std::optional<Failure> count(DiskCall call) {
    ++counts[call];
    std::optional<Failure> due;
    for (auto failing = failures.begin(); failing != failures.end();) {
      bool concerned = !failing->call || *failing->call == call;
      if (concerned && (failing->nth == 0 || --failing->nth == 0)) {
        due = *failing;
        failing = failing->once ? failures.erase(failing) : std::next(failing);
      } else {
        ++failing;
      }
    }
    return due;
  }

  /// Without the lock: others go on.
  void pause(DiskCall call) {
    std::chrono::microseconds duration{};
    {
      std::lock_guard lock(mutex);
      if (auto slow = delays.find(call); slow != delays.end()) duration = slow->second;
    }
    if (duration.count() > 0) std::this_thread::sleep_for(duration);
  }

  std::shared_ptr<FakeInode> resolve(const std::vector<std::string>& names) const {
    std::shared_ptr<FakeInode> inode = root;
    for (const std::string& name : names) {
      if (inode == nullptr || !inode->is_directory()) return nullptr;
      inode = inode->find(name);
    }
    return inode;
  }

  static std::uint64_t used(const FakeInode& inode) {
    std::uint64_t sum = inode.size_bytes();
    for (const auto& [name, child] : inode.entries()) sum += used(*child);
    return sum;
  }

  mutable std::mutex mutex;
  std::shared_ptr<FakeInode> root = std::make_shared<FakeInode>(true);
  std::uint64_t generation = 0;  // counts the crashes: handles of before are dead
  std::uint64_t capacity_bytes = UINT64_MAX;
  std::map<DiskCall, std::uint64_t> counts;
  std::map<DiskCall, std::chrono::microseconds> delays;
  std::vector<Failure> failures;
  std::mt19937_64 random;
};

namespace {

using State = FakeDisk::State;

std::unexpected<runtime::Error> dead(const std::string& path) {
  return failure(ErrorKind::closed, fmt::format("{} was open when the disk crashed", path));
}

class FakeFile final : public File {
 public:
  FakeFile(std::shared_ptr<State> state, std::shared_ptr<FakeInode> inode, std::string path, bool read_only)
      : state_(std::move(state)),
        inode_(std::move(inode)),
        path_(std::move(path)),
        read_only_(read_only),
        generation_(state_->generation) {}

  Result<std::size_t> read_at(codec::MutableBytes buffer, std::uint64_t offset_bytes) const override {
    state_->pause(DiskCall::read);
    std::lock_guard lock(state_->mutex);
    DOHLE_RETURN_IF_ERROR(admit(DiskCall::read, "read"));
    return inode_->read(buffer, offset_bytes);
  }

  Status write_at(std::span<const codec::Bytes> pieces, std::uint64_t offset_bytes) override {
    state_->pause(DiskCall::write);
    std::lock_guard lock(state_->mutex);
    if (generation_ != state_->generation) return dead(path_);
    std::uint64_t wanted = 0;
    for (codec::Bytes piece : pieces) wanted += piece.size();
    std::uint64_t allowed = wanted;
    int system_error = read_only_ ? EBADF : 0;
    if (read_only_) allowed = 0;
    if (auto due = state_->count(DiskCall::write)) {
      allowed = std::min<std::uint64_t>(allowed, due->written_bytes);
      system_error = due->system_error;
    }
    std::uint64_t room = room_until(offset_bytes + wanted);
    std::uint64_t fits = wanted > room ? room : wanted;
    if (system_error == 0 && fits < wanted) system_error = ENOSPC;
    allowed = std::min(allowed, fits);
    for (codec::Bytes piece : pieces) {
      std::size_t count = std::min<std::uint64_t>(piece.size(), allowed);
      inode_->write(piece.first(count), offset_bytes);
      offset_bytes += count;
      allowed -= count;
    }
    if (system_error != 0) return system_failure(system_error, "write to", path_);
    return {};
  }

  Status truncate(std::uint64_t size_bytes) override {
    state_->pause(DiskCall::truncate);
    std::lock_guard lock(state_->mutex);
    DOHLE_RETURN_IF_ERROR(admit(DiskCall::truncate, "truncate"));
    if (read_only_) return system_failure(EINVAL, "truncate", path_);
    inode_->truncate(size_bytes);
    return {};
  }

  Result<std::uint64_t> size() const override {
    state_->pause(DiskCall::size);
    std::lock_guard lock(state_->mutex);
    DOHLE_RETURN_IF_ERROR(admit(DiskCall::size, "ask the size of"));
    return inode_->size_bytes();
  }

  Status sync() override {
    state_->pause(DiskCall::sync);
    std::lock_guard lock(state_->mutex);
    Status admitted = admit(DiskCall::sync, "sync");
    if (admitted) {
      inode_->sync_content();
    } else if (admitted.error().kind != ErrorKind::closed) {
      inode_->fail_sync();
    }
    return admitted;
  }

  Status reserve(std::uint64_t end_bytes) override {
    state_->pause(DiskCall::reserve);
    std::lock_guard lock(state_->mutex);
    DOHLE_RETURN_IF_ERROR(admit(DiskCall::reserve, "reserve space for"));
    if (room_until(end_bytes) == 0 && end_bytes > inode_->size_bytes()) {
      return system_failure(ENOSPC, "reserve space for", path_);
    }
    return {};
  }

  int descriptor() const override { return -1; }
  const std::string& path() const override { return path_; }

 private:
  Status admit(DiskCall call, const char* action) const {
    if (generation_ != state_->generation) return dead(path_);
    if (auto due = state_->count(call)) return system_failure(due->system_error, action, path_);
    return {};
  }

  /// How many bytes of a write that would end at `end_bytes` the disk can still take.
  std::uint64_t room_until(std::uint64_t end_bytes) const {
    std::uint64_t size_bytes = inode_->size_bytes();
    if (state_->capacity_bytes == UINT64_MAX || end_bytes <= size_bytes) return UINT64_MAX;
    std::uint64_t used = State::used(*state_->root);
    return state_->capacity_bytes > used ? state_->capacity_bytes - used : 0;
  }

  std::shared_ptr<State> state_;
  std::shared_ptr<FakeInode> inode_;
  std::string path_;
  bool read_only_;
  std::uint64_t generation_;
};

/// Like a real directory it is its path: every call looks it up again.
class FakeDirectory final : public Directory {
 public:
  /// Under the disk's lock.
  FakeDirectory(std::shared_ptr<State> state, std::vector<std::string> names)
      : state_(std::move(state)), names_(std::move(names)), generation_(state_->generation) {
    for (const std::string& name : names_) path_ += "/" + name;
  }

  Result<std::shared_ptr<File>> open(const std::string& name, OpenOptions options) override {
    state_->pause(DiskCall::open);
    std::lock_guard lock(state_->mutex);
    auto self = admit(DiskCall::open, "open", child(name));
    if (!self) return std::unexpected(std::move(self.error()));
    std::shared_ptr<FakeInode> inode = (*self)->find(name);
    if (inode == nullptr) {
      if (!options.create) return system_failure(ENOENT, "open", child(name));
      inode = std::make_shared<FakeInode>(false);
      (*self)->link(name, inode);
    } else if (options.create && options.exclusive) {
      return system_failure(EEXIST, "open", child(name));
    } else if (inode->is_directory()) {
      return system_failure(EISDIR, "open", child(name));
    }
    return std::make_shared<FakeFile>(state_, std::move(inode), child(name), options.read_only);
  }

  Result<std::vector<DirectoryEntry>> list() const override {
    state_->pause(DiskCall::list);
    std::lock_guard lock(state_->mutex);
    auto self = admit(DiskCall::list, "list", path_);
    if (!self) return std::unexpected(std::move(self.error()));
    std::vector<DirectoryEntry> entries;
    for (const auto& [name, inode] : (*self)->entries()) {
      entries.push_back(DirectoryEntry{name, inode->is_directory(), inode->size_bytes()});
    }
    return entries;
  }

  Result<bool> exists(const std::string& name) const override {
    state_->pause(DiskCall::exists);
    std::lock_guard lock(state_->mutex);
    auto self = admit(DiskCall::exists, "look at", child(name));
    if (!self) {
      if (self.error().kind == ErrorKind::not_found) return false;
      return std::unexpected(std::move(self.error()));
    }
    return (*self)->find(name) != nullptr;
  }

  Status rename(const std::string& from, const std::string& to) override {
    state_->pause(DiskCall::rename);
    std::lock_guard lock(state_->mutex);
    auto self = admit(DiskCall::rename, "rename", child(from));
    if (!self) return std::unexpected(std::move(self.error()));
    std::shared_ptr<FakeInode> moved = (*self)->find(from);
    if (moved == nullptr) return system_failure(ENOENT, "rename", child(from));
    if (from == to) return {};
    if (std::shared_ptr<FakeInode> target = (*self)->find(to)) {
      if (target->is_directory() && !moved->is_directory()) return system_failure(EISDIR, "rename", child(from));
      if (!target->is_directory() && moved->is_directory()) return system_failure(ENOTDIR, "rename", child(from));
      if (!target->entries().empty()) return system_failure(ENOTEMPTY, "rename", child(from));
    }
    (*self)->rename(from, to);
    return {};
  }

  Status remove(const std::string& name) override {
    state_->pause(DiskCall::remove);
    std::lock_guard lock(state_->mutex);
    auto self = admit(DiskCall::remove, "remove", child(name));
    if (!self) return std::unexpected(std::move(self.error()));
    std::shared_ptr<FakeInode> inode = (*self)->find(name);
    if (inode == nullptr) return system_failure(ENOENT, "remove", child(name));
    if (!inode->entries().empty()) return system_failure(ENOTEMPTY, "remove", child(name));
    (*self)->unlink(name);
    return {};
  }

  Result<std::shared_ptr<Directory>> subdirectory(const std::string& name, bool create) override {
    state_->pause(DiskCall::subdirectory);
    std::lock_guard lock(state_->mutex);
    auto self = admit(DiskCall::subdirectory, "open the directory", child(name));
    if (!self) return std::unexpected(std::move(self.error()));
    std::shared_ptr<FakeInode> inode = (*self)->find(name);
    if (inode == nullptr) {
      if (!create) return system_failure(ENOENT, "open the directory", child(name));
      (*self)->link(name, std::make_shared<FakeInode>(true));
    } else if (!inode->is_directory()) {
      return system_failure(ENOTDIR, "open the directory", child(name));
    }
    std::vector<std::string> names = names_;
    names.push_back(name);
    return std::make_shared<FakeDirectory>(state_, std::move(names));
  }

  Status sync() override {
    state_->pause(DiskCall::sync_directory);
    std::lock_guard lock(state_->mutex);
    auto self = admit(DiskCall::sync_directory, "sync the directory", path_);
    if (!self) return std::unexpected(std::move(self.error()));
    (*self)->sync_entries();
    return {};
  }

  const std::string& path() const override { return path_; }

 private:
  Result<std::shared_ptr<FakeInode>> admit(DiskCall call, const char* action, const std::string& path) const {
    if (generation_ != state_->generation) return dead(path_);
    if (auto due = state_->count(call)) return system_failure(due->system_error, action, path);
    std::shared_ptr<FakeInode> self = state_->resolve(names_);
    if (self == nullptr || !self->is_directory()) return system_failure(ENOENT, action, path);
    return self;
  }

  std::string child(const std::string& name) const { return path_ + "/" + name; }

  std::shared_ptr<State> state_;
  std::vector<std::string> names_;
  std::string path_;
  std::uint64_t generation_;
};

std::vector<std::string> components(const std::string& path) {
  std::vector<std::string> names;
  std::string name;
  for (char letter : path + "/") {
    if (letter != '/') {
      name += letter;
    } else if (!name.empty()) {
      names.push_back(std::move(name));
      name.clear();
    }
  }
  return names;
}

}  // namespace

FakeDisk::FakeDisk(std::uint64_t seed) : state_(std::make_shared<State>(seed)) {}
FakeDisk::~FakeDisk() = default;

std::shared_ptr<Directory> FakeDisk::directory(const std::string& path) {
  std::lock_guard lock(state_->mutex);
  std::vector<std::string> names = components(path);
  std::shared_ptr<FakeInode> inode = state_->root;
  for (const std::string& name : names) {
    std::shared_ptr<FakeInode> child = inode->find(name);
    if (child == nullptr) {
      child = std::make_shared<FakeInode>(true);
      inode->link(name, child);
      inode->sync_entries();
    }
    inode = child;
  }
  return std::make_shared<FakeDirectory>(state_, std::move(names));
}

void FakeDisk::crash(CrashMode mode) {
  std::lock_guard lock(state_->mutex);
  ++state_->generation;
  state_->failures.clear();
  if (mode == CrashMode::lose_unsynced) state_->root->crash(nullptr);
  if (mode == CrashMode::lose_some) state_->root->crash(&state_->random);
}

void FakeDisk::fail_call(std::uint64_t nth, int system_error, std::optional<DiskCall> call, std::size_t written_bytes) {
  std::lock_guard lock(state_->mutex);
  state_->failures.push_back({nth, system_error, call, written_bytes, true});
}

void FakeDisk::fail_all(int system_error, std::optional<DiskCall> call) {
  std::lock_guard lock(state_->mutex);
  state_->failures.push_back({0, system_error, call, 0, false});
}

void FakeDisk::clear_failures() {
  std::lock_guard lock(state_->mutex);
  state_->failures.clear();
}

void FakeDisk::slow_down(DiskCall call, std::chrono::microseconds duration) {
  std::lock_guard lock(state_->mutex);
  state_->delays[call] = duration;
}

void FakeDisk::set_capacity(std::uint64_t bytes) {
  std::lock_guard lock(state_->mutex);
  state_->capacity_bytes = bytes;
}

std::uint64_t FakeDisk::used_bytes() const {
  std::lock_guard lock(state_->mutex);
  return State::used(*state_->root);
}

std::uint64_t FakeDisk::calls() const {
  std::lock_guard lock(state_->mutex);
  std::uint64_t sum = 0;
  for (const auto& [call, count] : state_->counts) sum += count;
  return sum;
}

std::uint64_t FakeDisk::calls(DiskCall call) const {
  std::lock_guard lock(state_->mutex);
  auto found = state_->counts.find(call);
  return found == state_->counts.end() ? 0 : found->second;
}

}  // namespace dohle::testing
