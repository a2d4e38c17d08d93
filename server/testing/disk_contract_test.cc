// What runtime/file.h promises, on the operating system's disk and on the fake one: tests that use the fake are worth
// only as much as the two agree.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <functional>

#include "server/runtime/file.h"
#include "server/testing/fake_disk.h"
#include "server/testing/scratch_directory.h"

namespace dohle::testing {
namespace {

using codec::as_bytes;
using runtime::Directory;
using runtime::ErrorKind;
using runtime::File;

class DiskContract : public ::testing::TestWithParam<const char*> {
 protected:
  DiskContract() {
    if (std::string(GetParam()) == "real") {
      directory_ = runtime::open_directory(scratch_.path(), false).value();
    } else {
      directory_ = fake_.directory("/fake");
    }
  }

  std::string text(File& file) {
    std::string content(100, '?');
    auto read = file.read_at({reinterpret_cast<std::uint8_t*>(content.data()), content.size()}, 0);
    content.resize(read.value());
    return content;
  }

  std::vector<std::string> names(Directory& directory) {
    std::vector<std::string> found;
    auto entries = directory.list();
    for (const auto& entry : entries.value()) found.push_back(entry.name + (entry.is_directory ? "/" : ""));
    std::ranges::sort(found);
    return found;
  }

  ScratchDirectory scratch_;
  FakeDisk fake_;
  std::shared_ptr<Directory> directory_;
};

TEST_P(DiskContract, bytes_written_are_read_back_and_reading_ends_at_the_end) {
  auto file = directory_->open("a", {.create = true}).value();
  ASSERT_TRUE(file->write_at(as_bytes("hello world"), 0));
  std::vector<codec::Bytes> pieces{as_bytes("W"), as_bytes(""), as_bytes("ORLD"), as_bytes("!")};
  ASSERT_TRUE(file->write_at(pieces, 6));
  EXPECT_EQ(text(*file), "hello WORLD!");
  EXPECT_EQ(file->size().value(), 12u);
  std::vector<std::uint8_t> buffer(10);
  EXPECT_EQ(file->read_at(buffer, 8).value(), 4u);
  EXPECT_EQ(file->read_at(buffer, 12).value(), 0u);
  EXPECT_EQ(file->read_at(buffer, 1000).value(), 0u);
}

TEST_P(DiskContract, more_pieces_than_one_call_takes_are_all_written) {
  auto file = directory_->open("a", {.create = true}).value();
  std::string expected;
  std::vector<codec::Bytes> pieces;
  for (int i = 0; i < 3000; ++i) pieces.push_back(as_bytes(i % 7 == 0 ? "" : "x"));
  for (const auto& piece : pieces) expected += codec::as_text(piece);
  ASSERT_TRUE(file->write_at(pieces, 5));
  EXPECT_EQ(file->size().value(), expected.size() + 5);
  std::vector<std::uint8_t> buffer(expected.size());
  ASSERT_EQ(file->read_at(buffer, 5).value(), expected.size());
  EXPECT_EQ(codec::as_text(buffer), expected);
}

TEST_P(DiskContract, a_hole_reads_as_zeros) {
  auto file = directory_->open("a", {.create = true}).value();
  ASSERT_TRUE(file->write_at(as_bytes("x"), 3));
  EXPECT_EQ(text(*file), std::string("\0\0\0x", 4));
}

TEST_P(DiskContract, truncate_shortens_and_lengthens) {
  auto file = directory_->open("a", {.create = true}).value();
  ASSERT_TRUE(file->write_at(as_bytes("hello"), 0));
  ASSERT_TRUE(file->truncate(2));
  EXPECT_EQ(text(*file), "he");
  ASSERT_TRUE(file->truncate(4));
  EXPECT_EQ(text(*file), std::string("he\0\0", 4));
}

TEST_P(DiskContract, reserving_space_does_not_change_the_size) {
  auto file = directory_->open("a", {.create = true}).value();
  ASSERT_TRUE(file->write_at(as_bytes("hello"), 0));
  (void)file->reserve(1 << 20);  // a file system may not know how to
  EXPECT_EQ(file->size().value(), 5u);
  EXPECT_TRUE(file->sync());
}

TEST_P(DiskContract, open_says_not_found_and_keeps_exclusive_files) {
  auto missing = directory_->open("a", {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::not_found);
  EXPECT_NE(missing.error().message.find(directory_->path() + "/a"), std::string::npos) << missing.error().message;
  ASSERT_TRUE(directory_->open("a", {.create = true, .exclusive = true}));
  auto again = directory_->open("a", {.create = true, .exclusive = true});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().system_error, EEXIST);
}

TEST_P(DiskContract, a_file_opened_for_reading_refuses_writes) {
  ASSERT_TRUE(directory_->replace_file("a", "text"));
  auto file = directory_->open("a", {.read_only = true}).value();
  EXPECT_FALSE(file->write_at(as_bytes("x"), 0));
  EXPECT_FALSE(file->truncate(0));
  EXPECT_EQ(text(*file), "text");
}

TEST_P(DiskContract, a_renamed_or_removed_file_stays_open) {
  auto file = directory_->open("a", {.create = true}).value();
  ASSERT_TRUE(file->write_at(as_bytes("hello"), 0));
  ASSERT_TRUE(directory_->rename("a", "b"));
  EXPECT_EQ(names(*directory_), std::vector<std::string>{"b"});
  ASSERT_TRUE(directory_->remove("b"));
  EXPECT_EQ(names(*directory_), std::vector<std::string>{});
  EXPECT_EQ(text(*file), "hello");
}

TEST_P(DiskContract, rename_replaces_and_missing_names_are_not_found) {
  ASSERT_TRUE(directory_->replace_file("a", "1"));
  ASSERT_TRUE(directory_->replace_file("b", "2"));
  ASSERT_TRUE(directory_->rename("a", "b"));
  EXPECT_EQ(directory_->read_file("b").value(), "1");
  EXPECT_EQ(directory_->rename("a", "c").error().kind, ErrorKind::not_found);
  EXPECT_EQ(directory_->remove("a").error().kind, ErrorKind::not_found);
  EXPECT_EQ(directory_->read_file("a").error().kind, ErrorKind::not_found);
  EXPECT_FALSE(directory_->exists("a").value());
  EXPECT_TRUE(directory_->exists("b").value());
}

TEST_P(DiskContract, a_small_file_is_replaced_whole_and_read_up_to_a_limit) {
  ASSERT_TRUE(directory_->replace_file("meta.properties", "a long first version"));
  ASSERT_TRUE(directory_->replace_file("meta.properties", "second"));
  EXPECT_EQ(directory_->read_file("meta.properties").value(), "second");
  EXPECT_EQ(directory_->read_file("meta.properties", 6).value(), "second");
  EXPECT_EQ(directory_->read_file("meta.properties", 5).error().kind, ErrorKind::invalid);
  EXPECT_EQ(names(*directory_), std::vector<std::string>{"meta.properties"});
}

TEST_P(DiskContract, a_temporary_file_left_by_a_crash_is_overwritten) {
  auto left = directory_->open("x.tmp", {.create = true}).value();
  ASSERT_TRUE(left->write_at(as_bytes("much longer than the new text"), 0));
  ASSERT_TRUE(directory_->replace_file("x", "new"));
  EXPECT_EQ(directory_->read_file("x").value(), "new");
}

TEST_P(DiskContract, sub_directories_are_made_listed_renamed_and_removed_with_all_they_hold) {
  EXPECT_EQ(directory_->subdirectory("t-0", false).error().kind, ErrorKind::not_found);
  auto partition = directory_->subdirectory("t-0", true).value();
  EXPECT_EQ(partition->path(), directory_->path() + "/t-0");
  ASSERT_TRUE(directory_->subdirectory("t-0", true));
  ASSERT_TRUE(partition->replace_file("1.log", "abc"));
  ASSERT_TRUE(partition->subdirectory("deep", true).value()->replace_file("y", ""));
  EXPECT_EQ(names(*directory_), std::vector<std::string>{"t-0/"});
  EXPECT_FALSE(directory_->remove("t-0"));
  ASSERT_TRUE(directory_->rename("t-0", "t-0-delete"));
  EXPECT_FALSE(partition->list());
  auto moved = directory_->subdirectory("t-0-delete", false).value();
  EXPECT_EQ(moved->read_file("1.log").value(), "abc");
  ASSERT_TRUE(directory_->remove_tree("t-0-delete"));
  EXPECT_EQ(names(*directory_), std::vector<std::string>{});
  EXPECT_EQ(directory_->remove_tree("t-0-delete").error().kind, ErrorKind::not_found);
}

TEST_P(DiskContract, a_file_is_no_directory_and_a_directory_no_file) {
  ASSERT_TRUE(directory_->replace_file("f", ""));
  ASSERT_TRUE(directory_->subdirectory("d", true));
  EXPECT_EQ(directory_->subdirectory("f", false).error().system_error, ENOTDIR);
  EXPECT_EQ(directory_->open("d", {}).error().system_error, EISDIR);
  EXPECT_TRUE(directory_->sync());
}

INSTANTIATE_TEST_SUITE_P(Disks, DiskContract, ::testing::Values("real", "fake"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace dohle::testing
