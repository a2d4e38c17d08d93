// Files and directories of the operating system. A directory is its path: it holds no descriptor, so that ten thousand
// partitions cost none; after a rename in its parent it must be opened anew.
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "server/runtime/descriptor.h"
#include "server/runtime/file.h"

namespace dohle::runtime {
namespace {

/// Repeats a system call that a signal cut short.
template <typename Call>
auto retry_interrupted(Call call) {
  decltype(call()) result;
  do {
    result = call();
  } while (result < 0 && errno == EINTR);
  return result;
}

class RealFile final : public File {
 public:
  RealFile(Descriptor descriptor, std::string path) : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

  Result<std::size_t> read_at(codec::MutableBytes buffer, std::uint64_t offset_bytes) const override {
    std::size_t done = 0;
    while (done < buffer.size()) {
      ssize_t count = retry_interrupted([&] {
        return ::pread(descriptor(), buffer.data() + done, buffer.size() - done,
                       static_cast<off_t>(offset_bytes + done));
      });
      if (count < 0) return system_failure(errno, "read", path_);
      if (count == 0) break;
      done += static_cast<std::size_t>(count);
    }
    return done;
  }

  Status write_at(std::span<const codec::Bytes> pieces, std::uint64_t offset_bytes) override {
    std::size_t index = 0;  // the first piece that is not written whole
    std::size_t skip = 0;   // and how much of it is
    while (true) {
      while (index < pieces.size() && skip == pieces[index].size()) {
        ++index;
        skip = 0;
      }
      if (index == pieces.size()) return {};
      std::array<iovec, pieces_per_call> vectors;
      int count = fill(vectors, pieces, index, skip);
      ssize_t written = retry_interrupted(
          [&] { return ::pwritev(descriptor(), vectors.data(), count, static_cast<off_t>(offset_bytes)); });
      if (written < 0) return system_failure(errno, "write to", path_);
      if (written == 0) return system_failure(EIO, "write to", path_);
      // What is left is tried again: if the write was short for a reason, errno now says which.
      offset_bytes += static_cast<std::uint64_t>(written);
      advance(pieces, index, skip, static_cast<std::size_t>(written));
    }
  }

  Status truncate(std::uint64_t size_bytes) override {
    int failed = retry_interrupted([&] { return ::ftruncate(descriptor(), static_cast<off_t>(size_bytes)); });
    if (failed != 0) return system_failure(errno, "truncate", path_);
    return {};
  }

  Result<std::uint64_t> size() const override {
    struct stat status;
    if (::fstat(descriptor(), &status) != 0) return system_failure(errno, "ask the size of", path_);
    return static_cast<std::uint64_t>(status.st_size);
  }

  Status sync() override {
    // Not retried on EIO or anything else: the kernel reports a lost page once.
    int failed = retry_interrupted([&] { return ::fdatasync(descriptor()); });
    if (failed != 0) return system_failure(errno, "sync", path_);
    return {};
  }

  Status reserve(std::uint64_t end_bytes) override {
    auto begin_bytes = size();
    if (!begin_bytes) return std::unexpected(std::move(begin_bytes.error()));
    if (*begin_bytes >= end_bytes) return {};
    int failed = retry_interrupted([&] {
      return ::fallocate(descriptor(), FALLOC_FL_KEEP_SIZE, static_cast<off_t>(*begin_bytes),
                         static_cast<off_t>(end_bytes - *begin_bytes));
    });
    if (failed != 0) return system_failure(errno, "reserve space for", path_);
    return {};
  }

  int descriptor() const override { return descriptor_.get(); }
  const std::string& path() const override { return path_; }

 private:
  static constexpr std::size_t pieces_per_call = 64;

  static int fill(std::array<iovec, pieces_per_call>& vectors, std::span<const codec::Bytes> pieces, std::size_t index,
                  std::size_t skip) {
    std::size_t count = 0;
    for (; index < pieces.size() && count < vectors.size(); ++index, skip = 0) {
      codec::Bytes rest = pieces[index].subspan(skip);
      if (rest.empty()) continue;
      vectors[count++] = {const_cast<std::uint8_t*>(rest.data()), rest.size()};
    }
    return static_cast<int>(count);
  }

  static void advance(std::span<const codec::Bytes> pieces, std::size_t& index, std::size_t& skip,
                      std::size_t written) {
    while (written > 0) {
      std::size_t step = std::min(written, pieces[index].size() - skip);
      written -= step;
      skip += step;
      if (skip == pieces[index].size()) {
        ++index;
        skip = 0;
      }
    }
  }

  Descriptor descriptor_;
  std::string path_;
};

class RealDirectory final : public Directory {
 public:
  explicit RealDirectory(std::string path) : path_(std::move(path)) {}

  Result<std::shared_ptr<File>> open(const std::string& name, OpenOptions options) override {
    int flags = O_CLOEXEC | (options.read_only ? O_RDONLY : O_RDWR);
    if (options.create) flags |= O_CREAT;
    if (options.create && options.exclusive) flags |= O_EXCL;
    std::string path = child(name);
    Descriptor descriptor(retry_interrupted([&] { return ::open(path.c_str(), flags, 0644); }));
    if (descriptor.get() < 0) return system_failure(errno, "open", path);
    return std::make_shared<RealFile>(std::move(descriptor), std::move(path));
  }

  Result<std::vector<DirectoryEntry>> list() const override {
    std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(path_.c_str()), ::closedir);
    if (stream == nullptr) return system_failure(errno, "list", path_);
    std::vector<DirectoryEntry> entries;
    while (true) {
      errno = 0;
      const dirent* found = ::readdir(stream.get());
      if (found == nullptr) break;
      std::string name = found->d_name;
      if (name == "." || name == "..") continue;
      struct stat status;
      if (::fstatat(::dirfd(stream.get()), found->d_name, &status, 0) != 0) {
        if (errno == ENOENT) continue;  // removed meanwhile
        return system_failure(errno, "look at", child(name));
      }
      bool is_directory = S_ISDIR(status.st_mode);
      std::uint64_t size_bytes = is_directory ? 0 : static_cast<std::uint64_t>(status.st_size);
      entries.push_back(DirectoryEntry{std::move(name), is_directory, size_bytes});
    }
    if (errno != 0) return system_failure(errno, "list", path_);
    return entries;
  }

  Result<bool> exists(const std::string& name) const override {
    struct stat status;
    std::string path = child(name);
    if (::stat(path.c_str(), &status) == 0) return true;
    if (errno == ENOENT) return false;
    return system_failure(errno, "look at", path);
  }

  Status rename(const std::string& from, const std::string& to) override {
    if (::rename(child(from).c_str(), child(to).c_str()) != 0) return system_failure(errno, "rename", child(from));
    return {};
  }

  Status remove(const std::string& name) override {
    std::string path = child(name);
    if (::unlink(path.c_str()) == 0) return {};
    // Linux says EISDIR, POSIX EPERM.
    if (errno == EISDIR || errno == EPERM) {
      if (::rmdir(path.c_str()) == 0) return {};
    }
    return system_failure(errno, "remove", path);
  }

  Result<std::shared_ptr<Directory>> subdirectory(const std::string& name, bool create) override {
    std::string path = child(name);
    if (create && ::mkdir(path.c_str(), 0755) != 0 && errno != EEXIST) {
      return system_failure(errno, "make the directory", path);
    }
    struct stat status;
    if (::stat(path.c_str(), &status) != 0) return system_failure(errno, "open the directory", path);
    if (!S_ISDIR(status.st_mode)) return system_failure(ENOTDIR, "open the directory", path);
    return std::make_shared<RealDirectory>(std::move(path));
  }

  Status sync() override {
    Descriptor descriptor(retry_interrupted([&] { return ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
    if (descriptor.get() < 0) return system_failure(errno, "open the directory", path_);
    if (retry_interrupted([&] { return ::fsync(descriptor.get()); }) != 0) {
      return system_failure(errno, "sync the directory", path_);
    }
    return {};
  }

  const std::string& path() const override { return path_; }

 private:
  std::string child(const std::string& name) const { return path_ == "/" ? path_ + name : path_ + "/" + name; }

  std::string path_;
};

Status make_with_parents(const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    std::string prefix = path.substr(0, end);
    if (!prefix.empty() && ::mkdir(prefix.c_str(), 0755) != 0 && errno != EEXIST) {
      // A read-only parent that is there already says EROFS or EACCES instead of EEXIST on some file systems.
      struct stat status;
      int reason = errno;
      if (::stat(prefix.c_str(), &status) != 0) return system_failure(reason, "make the directory", prefix);
    }
    if (end == std::string::npos) return {};
  }
}

}  // namespace

Result<std::shared_ptr<Directory>> open_directory(const std::string& path, bool create) {
  std::string trimmed = path;
  while (trimmed.size() > 1 && trimmed.back() == '/') trimmed.pop_back();
  if (trimmed.empty()) return failure(ErrorKind::invalid, "the path of a directory is empty");
  if (create) DOHLE_RETURN_IF_ERROR(make_with_parents(trimmed));
  struct stat status;
  if (::stat(trimmed.c_str(), &status) != 0) return system_failure(errno, "open the directory", trimmed);
  if (!S_ISDIR(status.st_mode)) return system_failure(ENOTDIR, "open the directory", trimmed);
  // Found out now and by name, not at the first read in the middle of a recovery.
  if (::access(trimmed.c_str(), R_OK | X_OK) != 0) return system_failure(errno, "read the directory", trimmed);
  return std::make_shared<RealDirectory>(std::move(trimmed));
}

}  // namespace dohle::runtime
