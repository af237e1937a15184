// SPDX-License-Identifier: MIT
#include "io/file_text.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/quoted.hpp"
#include "procmap/error.hpp"

namespace procmap {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void throw_errno(fs::path const& path, int code) {
  throw FileError(path.string() + ": " + (code ? std::generic_category().message(code) : "cannot be read"));
}

/// Makes newlines of the carriage returns that end a line alone.
void end_lines(char* at, char const* end) {
  while ((at = static_cast<char*>(std::memchr(at, '\r', static_cast<std::size_t>(end - at))))) {
    auto* const first = at;
    while (at < end && *at == '\r') ++at;
    if (at == end || *at != '\n') std::fill(first, at, '\n');
  }
}

}  // namespace

FileText::FileText(std::unique_ptr<char[]> data, std::size_t size) : data_(std::move(data)), size_(size) {
  end_lines(data_.get(), data_.get() + size_);
  data_[size_] = '\n';
}

FileText FileText::read(fs::path const& path) {
  std::error_code failure;
  if (fs::is_directory(path, failure)) throw FileError(path.string() + ": is a directory");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw_errno(path, errno);

  // The size is only a guess: pipes have none, and a file may grow while it is read.
  auto const guess = fs::file_size(path, failure);
  std::size_t capacity = (failure ? 0 : static_cast<std::size_t>(guess)) + 4096, size = 0;
  auto data = std::make_unique_for_overwrite<char[]>(capacity);
  while (file) {
    if (size + 1 == capacity) {
      auto larger = std::make_unique_for_overwrite<char[]>(capacity * 2);
      std::copy_n(data.get(), size, larger.get());
      data = std::move(larger);
      capacity *= 2;
    }
    file.read(data.get() + size, static_cast<std::streamsize>(capacity - size - 1));
    size += static_cast<std::size_t>(file.gcount());
  }
  if (!file.eof()) throw_errno(path, errno);
  return {std::move(data), size};
}

FileText FileText::copy(std::string_view text) {
  auto data = std::make_unique_for_overwrite<char[]>(text.size() + 1);
  std::ranges::copy(text, data.get());
  return {std::move(data), text.size()};
}

void throw_at(std::string_view name, std::string_view text, char const* at, std::string const& message) {
  auto const line = 1 + std::count(text.data(), at, '\n');
  throw FileError(std::string(name) + ":" + std::to_string(line) + ": " + message);
}

std::string quote_token(char const* at) {
  auto const* end = at;
  while (!is_blank(*end) && *end != '\n') ++end;
  return quoted({at, end});
}

}  // namespace procmap
