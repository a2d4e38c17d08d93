// Puts what compaction wrote in the place of what it was made from. Follows LocalLog.replaceSegments.
//
//   x.log.cleaned -> x.log.swap      none of it counts while one file of the round is still called .cleaned
//   the old files -> *.deleted       from here on the swap is finished, whatever happens
//   x.log.swap    -> x.log
#include <algorithm>

#include "server/log/log.h"
#include "server/runtime/check.h"

namespace dohle::log {

using runtime::Result;
using runtime::Status;

namespace {

Status rename_all(runtime::Directory& directory, const std::vector<std::string>& names, std::string_view from,
                  std::string_view to) {
  for (const std::string& name : names) {
    DOHLE_RETURN_IF_ERROR(directory.rename(name + std::string(from), name + std::string(to)));
  }
  return {};
}

}  // namespace

SegmentPlace Log::cleaned_place(std::int64_t base_offset) const {
  SegmentPlace cleaned = place(base_offset);
  cleaned.name_suffix = cleaned_suffix;
  return cleaned;
}

Result<bool> Log::replace_segments(const std::vector<std::shared_ptr<LogSegment>>& replaced, LogSegment& cleaned) {
  CHECK(!closed_ && !replaced.empty() && cleaned.place().name_suffix == cleaned_suffix);
  const auto list = segments_.load();
  const auto& all = list->all();
  const auto first = std::ranges::find(all, replaced.front());
  // Retention, a truncation or a new name of the directory was faster.
  if (static_cast<std::size_t>(all.end() - first) <= replaced.size()) return false;
  if (!std::equal(replaced.begin(), replaced.end(), first)) return false;

  runtime::Directory& directory = *options_.directory;
  SegmentPlace final_place = cleaned.place();
  final_place.name_suffix.clear();
  const auto closed = LogSegment::closed(final_place, cleaned.file_sizes());
  const std::vector<std::string> names = closed->file_names();
  // Readers of the list in between reach the files through what is open, whatever they are called.
  cleaned.pin_files();
  const auto publish = [&](std::shared_ptr<LogSegment> segment) {
    std::vector<std::shared_ptr<LogSegment>> segments(all.begin(), first);
    segments.push_back(std::move(segment));
    segments.insert(segments.end(), first + static_cast<std::ptrdiff_t>(replaced.size()), all.end());
    publish_segments(std::move(segments));
  };
  const auto swap = [&]() -> Status {
    DOHLE_RETURN_IF_ERROR(rename_all(directory, names, cleaned_suffix, swap_suffix));
    publish(cleaned.shared_from_this());
    for (const auto& segment : replaced) {
      // The snapshot at the base of what stays is still right.
      const bool base_stays = segment->base_offset() == closed->base_offset();
      DOHLE_RETURN_IF_ERROR(base_stays ? schedule_files_removal(*segment) : schedule_removal(*segment));
    }
    DOHLE_RETURN_IF_ERROR(rename_all(directory, names, swap_suffix, ""));
    return {};
  };
  if (Status status = swap(); !status) return std::unexpected(std::move(status.error()));
  // A reader of the old list may have opened an old file by its name just before that was taken from it.
  for (const std::string& name : names) cache().forget(directory, name);
  publish(closed);
  return true;
}

}  // namespace dohle::log
