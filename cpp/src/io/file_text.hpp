// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace procmap {

/// The text of a file in memory. A newline that is not part of the text follows it, so that scanners need not
/// compare with the end for every character. A carriage return ends a line too (those of old Macs do) and is a newline
/// here, unless one follows: then it stays, as a blank.
class FileText {
 public:
  /// Throws FileError "PATH: why not".
  static FileText read(std::filesystem::path const& path);
  static FileText copy(std::string_view text);

  std::string_view text() const { return {data_.get(), size_}; }

 private:
  FileText(std::unique_ptr<char[]> data, std::size_t size);

  std::unique_ptr<char[]> data_;
  std::size_t size_;
};

/// "PATH:LINE: message" as a FileError, for the line that holds `at` (which points into `text` or to its end).
[[noreturn]] void throw_at(std::string_view name, std::string_view text, char const* at, std::string const& message);

/// The characters from `at` to the next blank or line end, quoted, safe to print and cut to a readable length.
std::string quote_token(char const* at);

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace procmap
