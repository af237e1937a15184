// SPDX-License-Identifier: MIT
#include "io/text_writer.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace procmap {

TextWriter::TextWriter(std::filesystem::path path)
    : file_(std::move(path)), buffer_(std::make_unique_for_overwrite<char[]>(capacity)) {}

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
  file_.close();
}

void TextWriter::reserve(std::size_t bytes) {
  if (used_ + bytes > capacity) flush();
}

void TextWriter::flush() {
  file_.write({buffer_.get(), used_});
  used_ = 0;
}

}  // namespace procmap
