// SPDX-License-Identifier: MIT
#include "io/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "procmap/error.hpp"
#include "procmap/io.hpp"
#include "support/files.hpp"
#include "support/message.hpp"

namespace procmap::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(TempFolder const& folder) {
  std::vector<std::string> names;
  for (auto const& entry : fs::directory_iterator(folder / "")) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

mode_t mode_of(fs::path const& path) {
  struct stat status{};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

TEST(OutputFile, TakesItsPlaceOnlyWhenItIsClosed) {
  TempFolder const folder;
  auto const path = folder.write("out", "old");
  OutputFile file(path);

  file.write("new");
  auto const before = text_of(path);
  file.close();

  EXPECT_EQ(before, "old");
  EXPECT_EQ(text_of(path), "new");
  EXPECT_EQ(names_in(folder), std::vector<std::string>{"out"});
}

TEST(OutputFile, WithoutCloseNothingWasWritten) {
  TempFolder const folder;
  auto const path = folder.write("out", "old");

  {
    OutputFile file(path);
    file.write("new");
  }

  EXPECT_EQ(text_of(path), "old");
  EXPECT_EQ(names_in(folder), std::vector<std::string>{"out"});
}

// In a process of its own, because the limit is one of the process. Exit status 0: FileError as expected.
TEST(OutputFile, WithoutRoomTheOldFileStaysAndNothingElse) {
  TempFolder const folder;
  auto const path = folder.write("out", "old");

  auto const child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit const limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    auto const message = message_of<FileError>([&] { write_text(std::string(5000, 'x'), path); });
    ::_exit(message == path.string() + ": File too large" ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);

  EXPECT_EQ(status, 0);
  EXPECT_EQ(text_of(path), "old");
  EXPECT_EQ(names_in(folder), std::vector<std::string>{"out"});
}

TEST(OutputFile, OfAKilledProcessLeavesTheOldFile) {
  TempFolder const folder;
  auto const path = folder.write("out", "old");

  auto const child = ::fork();
  if (child == 0) {
    OutputFile file(path);
    file.write("new");
    ::raise(SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);

  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(text_of(path), "old");
}

TEST(OutputFile, KeepsTheModeOfTheOldFileAndObeysTheUmaskForANewOne) {
  TempFolder const folder;
  auto const path = folder.write("out", "old");
  fs::permissions(path, fs::perms(0640));
  auto const umask = ::umask(027);

  write_text("new", path);
  write_text("new", folder / "fresh");
  ::umask(umask);

  EXPECT_EQ(mode_of(path), 0640u);
  EXPECT_EQ(mode_of(folder / "fresh"), 0640u);
}

TEST(OutputFile, FollowsSymbolicLinks) {
  TempFolder const folder;
  fs::create_directory(folder / "sub");
  folder.write("sub/real", "old");
  fs::create_symlink("sub/link", folder / "first");
  fs::create_symlink("real", folder / "sub/link");
  fs::create_symlink("sub/later", folder / "dangling");

  write_text("new", folder / "first");
  write_text("created", folder / "dangling");

  EXPECT_TRUE(fs::is_symlink(folder / "first"));
  EXPECT_TRUE(fs::is_symlink(folder / "sub/link"));
  EXPECT_EQ(text_of(folder / "sub/real"), "new");
  EXPECT_EQ(text_of(folder / "sub/later"), "created");
}

TEST(OutputFile, CircleOfSymbolicLinksIsAnError) {
  TempFolder const folder;
  fs::create_symlink("b", folder / "a");
  fs::create_symlink("a", folder / "b");

  EXPECT_EQ(message_of<FileError>([&] { write_text("new", folder / "a"); }),
            (folder / "a").string() + ": Too many levels of symbolic links");
}

TEST(OutputFile, MayBeAPipe) {
  TempFolder const folder;
  auto const path = folder / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = text_of(path); });

  write_text("through a pipe", path);
  reader.join();

  EXPECT_EQ(read, "through a pipe");
  EXPECT_TRUE(fs::is_fifo(path));
}

TEST(OutputFile, GoesOnWhereADescriptorIs) {
  TempFolder const folder;
  auto const path = folder / "log";
  int const log = ::open(path.c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(::write(log, "before,", 7), 7);

  write_text("inside,", "/dev/fd/" + std::to_string(log));
  ASSERT_EQ(::write(log, "after", 5), 5);
  ::close(log);

  EXPECT_EQ(text_of(path), "before,inside,after");
}

TEST(OutputFile, FoldersAndMissingFoldersAreErrors) {
  TempFolder const folder;
  auto const message = [](fs::path const& path) { return message_of<FileError>([&] { write_text("x", path); }); };

  EXPECT_EQ(message(folder / "."), (folder / ".").string() + ": Is a directory");
  EXPECT_EQ(message(folder / "no/out"), (folder / "no/out").string() + ": No such file or directory");
  EXPECT_EQ(message(folder / "no/"), (folder / "no/").string() + ": No such file or directory");
  EXPECT_EQ(message(""), ": No such file or directory");
  if (fs::exists("/dev/full")) {
    EXPECT_EQ(message("/dev/full"), "/dev/full: No space left on device");
  }
}

TEST(OutputFile, MayBeInTheCurrentFolder) {
  TempFolder const folder;
  auto const before = fs::current_path();
  fs::current_path(folder / "");

  write_text("here", "out");
  fs::current_path(before);

  EXPECT_EQ(text_of(folder / "out"), "here");
}

}  // namespace
}  // namespace procmap::test
