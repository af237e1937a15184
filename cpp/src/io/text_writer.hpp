// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "io/output_file.hpp"

namespace procmap {

/// Writes numbers and text to an OutputFile in large pieces. Throws FileError "PATH: why not".
class TextWriter {
 public:
  explicit TextWriter(std::filesystem::path path);

  void put(std::int64_t number);
  void put(char c);
  void put(std::string_view text);
  /// Must be called last; without it an older file stays.
  void close();

 private:
  static constexpr std::size_t capacity = 1 << 20;

  void reserve(std::size_t bytes);
  void flush();

  OutputFile file_;
  std::unique_ptr<char[]> buffer_;
  std::size_t used_ = 0;
};

}  // namespace procmap
