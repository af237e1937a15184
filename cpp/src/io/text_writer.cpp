// SPDX-License-Identifier: MIT
#include "io/text_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <system_error>
#include <utility>

#include "procmap/error.hpp"

namespace procmap {

TextWriter::TextWriter(std::filesystem::path path)
    : path_(std::move(path)), buffer_(std::make_unique_for_overwrite<char[]>(capacity)) {
  errno = 0;
  file_.open(path_, std::ios::binary | std::ios::trunc);
  if (!file_) fail();
}

void TextWriter::put(std::int64_t number) {
  constexpr std::size_t longest = 20;
  reserve(longest);
  auto* const begin = buffer_.get() + used_;
  used_ += static_cast<std::size_t>(std::to_chars(begin, begin + longest, number).ptr - begin);
}

void TextWriter::put(char c) {
  reserve(1);
  buffer_[used_++] = c;
}

void TextWriter::put(std::string_view text) {
  reserve(text.size());
  std::ranges::copy(text, buffer_.get() + used_);
  used_ += text.size();
}

void TextWriter::close() {
  flush();
  errno = 0;
  file_.close();
  if (!file_) fail();
}

void TextWriter::reserve(std::size_t bytes) {
  if (used_ + bytes > capacity) flush();
}

void TextWriter::flush() {
  errno = 0;
  file_.write(buffer_.get(), static_cast<std::streamsize>(used_));
  if (!file_) fail();
  used_ = 0;
}

void TextWriter::fail() const {
  throw FileError(path_.string() + ": " + (errno ? std::generic_category().message(errno) : "cannot be written"));
}

}  // namespace procmap
