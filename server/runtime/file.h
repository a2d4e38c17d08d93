// Files and directories as the log and the metadata see them. `real_disk()` is the operating system; the fake disk of
// server/testing stands behind the same two interfaces, so that every test of what we store can lose power.
//
// All calls are synchronous and may block; which thread may do that is the caller's to know (DESIGN.md, "The disk
// pool"). Every failure is a Result; nothing throws.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "codec/bytes.h"
#include "server/runtime/result.h"

namespace dohle::runtime {

/// An open file. Calls with an offset may come from several threads at once; `truncate` not beside others.
class File {
 public:
  virtual ~File() = default;

  /// Fills `buffer` from `offset_bytes`; fewer bytes than asked only at the end of the file.
  virtual Result<std::size_t> read_at(codec::MutableBytes buffer, std::uint64_t offset_bytes) const = 0;
  /// Writes all pieces one after another in one call (pwritev). A short write is an error.
  virtual Status write_at(std::span<const codec::Bytes> pieces, std::uint64_t offset_bytes) = 0;
  Status write_at(codec::Bytes bytes, std::uint64_t offset_bytes) { return write_at({&bytes, 1}, offset_bytes); }
  virtual Status truncate(std::uint64_t size_bytes) = 0;
  virtual Result<std::uint64_t> size() const = 0;
  /// fdatasync: data and size are on the disk when it returns. After an error the file must not be trusted again.
  virtual Status sync() = 0;
  /// Reserves blocks up to `end_bytes` without changing the size (fallocate KEEP_SIZE); failure may be ignored.
  virtual Status reserve(std::uint64_t end_bytes) = 0;
  /// The descriptor for sendfile; -1 where there is none (fake disk): then the bytes are read and written.
  virtual int descriptor() const = 0;
  virtual const std::string& path() const = 0;
};

struct OpenOptions {
  bool create = false;     // make it if it is not there
  bool exclusive = false;  // with create: fail if it is there
  bool read_only = false;
};

struct DirectoryEntry {
  std::string name;
  bool is_directory = false;
  std::uint64_t size_bytes = 0;  // 0 for a directory
};

/// One directory of a disk. Names are single path components, relative to it.
class Directory {
 public:
  virtual ~Directory() = default;

  virtual Result<std::shared_ptr<File>> open(const std::string& name, OpenOptions options) = 0;
  /// In no particular order; without "." and "..".
  virtual Result<std::vector<DirectoryEntry>> list() const = 0;
  virtual Result<bool> exists(const std::string& name) const = 0;
  /// Atomic; replaces what is there under `to`.
  virtual Status rename(const std::string& from, const std::string& to) = 0;
  /// Removes a file, or an empty directory; not_found if there is none.
  virtual Status remove(const std::string& name) = 0;
  /// Opens a sub-directory, making it if `create` says so.
  virtual Result<std::shared_ptr<Directory>> subdirectory(const std::string& name, bool create) = 0;
  /// fsync of the directory: its entries (creations, renames, removals) are on the disk when it returns.
  virtual Status sync() = 0;
  virtual const std::string& path() const = 0;

  /// Reads a whole small file (checkpoints, properties); invalid above `size_bytes_max`.
  Result<std::string> read_file(const std::string& name, std::size_t size_bytes_max = 64 << 20);
  /// Writes `name` so that either the old or the new content is there after a crash: `<name>.tmp`, sync, rename,
  /// directory sync, as Kafka's Utils.atomicMoveWithFallback users do.
  Status replace_file(const std::string& name, std::string_view content);
  /// Removes a sub-directory with everything in it.
  Status remove_tree(const std::string& name);
};

/// A directory of the operating system. It is made, with its parents, if `create` says so.
Result<std::shared_ptr<Directory>> open_directory(const std::string& path, bool create);

}  // namespace dohle::runtime
