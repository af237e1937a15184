// SPDX-License-Identifier: MIT
#include "io/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <random>
#include <string>
#include <system_error>
#include <utility>

#include "procmap/error.hpp"
#include "procmap/io.hpp"

namespace procmap {

namespace {

constexpr int max_links = 40;                   // as Linux
constexpr std::size_t largest_piece = 1 << 30;  // Linux writes at most 2 GiB at once

/// The descriptor that a name in /dev or /proc stands for. Its file is shared with whoever opened it, who would not
/// see another file in its place.
std::optional<int> descriptor_named(std::string_view name) {
  if (name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  for (std::string_view const folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!name.starts_with(folder)) continue;
    int number = -1;
    auto const* const end = name.data() + name.size();
    auto const [rest, error] = std::from_chars(name.data() + folder.size(), end, number);
    if (error == std::errc() && rest == end && number >= 0) return number;
  }
  return std::nullopt;
}

/// A name that no other file has, unless somebody guesses 64 random bits.
std::string temporary_name() {
  std::random_device random;
  char digits[16];
  std::size_t used = 0;
  for (int i = 0; i < 2; ++i) {
    auto const end = std::to_chars(digits + used, digits + used + 8, random(), 16).ptr;
    used = static_cast<std::size_t>(end - digits);
  }
  return ".procmap-" + std::string(digits, used);
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)), target_(path_) { open(); }

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::open() {
  for (int links = 0;; ++links) {
    auto const name = target_.lexically_normal().string();
    if (auto const named = descriptor_named(name)) {
      descriptor_ = ::fcntl(*named, F_DUPFD_CLOEXEC, 0);
      if (descriptor_ < 0) fail(errno);
      return;
    }
    if (name.starts_with("/proc/")) return open_directly();  // links there lead to more than names
    struct ::stat status{};
    if (::lstat(target_.c_str(), &status) != 0) {
      if (errno != ENOENT) fail(errno);
      break;
    }
    if (!S_ISLNK(status.st_mode)) break;
    if (links == max_links) fail(ELOOP);
    std::error_code error;
    auto const next = std::filesystem::read_symlink(target_, error);
    if (error) fail(error.value());
    target_ = target_.parent_path() / next;
  }
  open_beside();
}

void OutputFile::open_beside() {
  struct ::stat old{};
  bool const exists = ::stat(target_.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) return open_directly();
  if (exists && ::access(target_.c_str(), W_OK) != 0) fail(errno);
  if (!target_.has_filename()) fail(ENOENT);
  do {
    temporary_ = target_.parent_path() / temporary_name();
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ >= 0) {
    if (exists) keep_attributes_of(old);
    return;
  }
  int const error = errno;
  temporary_.clear();
  if (exists && (error == EACCES || error == EPERM || error == EROFS)) return open_directly();
  fail(error);
}

void OutputFile::open_directly() {
  descriptor_ = ::open(target_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (descriptor_ < 0) fail(errno);
}

void OutputFile::keep_attributes_of(struct ::stat const& old) {
  // Only a privileged process may give a file away; one's own is the best that others can do.
  if (::fchown(descriptor_, old.st_uid, old.st_gid) != 0 && ::fchown(descriptor_, uid_t(-1), old.st_gid) != 0)
    errno = 0;
  if (::fchmod(descriptor_, old.st_mode & 07777) != 0) fail(errno);
}

void OutputFile::write(std::string_view text) {
  while (!text.empty()) {
    auto const written = ::write(descriptor_, text.data(), std::min(text.size(), largest_piece));
    if (written >= 0)
      text.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      fail(errno);
  }
}

void OutputFile::close() {
  // Only now may the old file go. Some file systems, and all pipes, know nothing of fsync.
  if (!temporary_.empty() && ::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP) fail(errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
  auto const folder = target_.has_parent_path() ? target_.parent_path() : std::filesystem::path(".");
  if (int const opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); opened >= 0) {
    ::fsync(opened);  // so that the new name survives a power cut; the file itself is whole anyway
    ::close(opened);
  }
}

// Clears up at once: a constructor that throws has no destructor.
void OutputFile::fail(int error) {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) ::unlink(std::exchange(temporary_, {}).c_str());
  throw FileError(path_.string() + ": " + std::generic_category().message(error));
}

void write_text(std::string_view text, std::filesystem::path const& path) {
  OutputFile file(path);
  file.write(text);
  file.close();
}

}  // namespace procmap
