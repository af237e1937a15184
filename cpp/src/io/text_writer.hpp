// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>

namespace procmap {

/// Writes numbers and text to a file in large pieces. Throws FileError "PATH: why not".
class TextWriter {
 public:
  explicit TextWriter(std::filesystem::path path);

  void put(std::int64_t number);
  void put(char c);
  void put(std::string_view text);
  /// Must be called last; without it the file is incomplete, and errors of the last piece go unnoticed.
  void close();

 private:
  static constexpr std::size_t capacity = 1 << 20;

  void reserve(std::size_t bytes);
  void flush();
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  std::ofstream file_;
  std::unique_ptr<char[]> buffer_;
  std::size_t used_ = 0;
};

}  // namespace procmap
