// What every disk can do once it can do the primitive calls.
#include "server/runtime/file.h"

#include <fmt/format.h>

namespace dohle::runtime {

Result<std::string> Directory::read_file(const std::string& name, std::size_t size_bytes_max) {
  auto file = open(name, {.create = false, .exclusive = false, .read_only = true});
  if (!file) return std::unexpected(std::move(file.error()));
  auto size_bytes = (*file)->size();
  if (!size_bytes) return std::unexpected(std::move(size_bytes.error()));
  if (*size_bytes > size_bytes_max) {
    return failure(ErrorKind::invalid, fmt::format("{} has {} bytes, more than the {} that it may have",
                                                   (*file)->path(), *size_bytes, size_bytes_max));
  }
  std::string content(*size_bytes, '\0');
  auto read = (*file)->read_at({reinterpret_cast<std::uint8_t*>(content.data()), content.size()}, 0);
  if (!read) return std::unexpected(std::move(read.error()));
  content.resize(*read);
  return content;
}

Status Directory::replace_file(const std::string& name, std::string_view content) {
  std::string temporary = name + ".tmp";
  auto file = open(temporary, {.create = true});
  if (!file) return std::unexpected(std::move(file.error()));
  // One may be left from a crash.
  DOHLE_RETURN_IF_ERROR((*file)->truncate(0));
  DOHLE_RETURN_IF_ERROR((*file)->write_at(codec::as_bytes(content), 0));
  DOHLE_RETURN_IF_ERROR((*file)->sync());
  DOHLE_RETURN_IF_ERROR(rename(temporary, name));
  return sync();
}

Status Directory::remove_tree(const std::string& name) {
  {
    auto directory = subdirectory(name, false);
    if (!directory) return std::unexpected(std::move(directory.error()));
    auto entries = (*directory)->list();
    if (!entries) return std::unexpected(std::move(entries.error()));
    for (const DirectoryEntry& entry : *entries) {
      Status removed = entry.is_directory ? (*directory)->remove_tree(entry.name) : (*directory)->remove(entry.name);
      // Somebody else may have been quicker; gone is what we want.
      if (!removed && removed.error().kind != ErrorKind::not_found) return removed;
    }
  }
  return remove(name);
}

}  // namespace dohle::runtime
