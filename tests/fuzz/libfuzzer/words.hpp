// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

// Text as the definitions of formats speak of it, read as plainly as possible.

namespace procmap::fuzz {

inline std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0, end = 0; end != std::string_view::npos; begin = end + 1) {
    end = text.find_first_of(separators, begin);
    parts.push_back(text.substr(begin, end == std::string_view::npos ? end : end - begin));
  }
  return parts;
}

inline std::vector<std::string_view> words_of(std::string_view line) {
  auto words = split(line, " \t\r");
  std::erase(words, "");
  return words;
}

/// A carriage return ends a line (those of old Macs do), but those before a line feed are a part of that end.
inline std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find_first_of("\r\n", begin)) != std::string_view::npos;) {
    lines.push_back(text.substr(begin, end - begin));
    auto const behind = std::min(text.find_first_not_of('\r', end), text.size());
    bool const fed = behind < text.size() && text[behind] == '\n';
    begin = fed ? behind + 1 : end + 1;
  }
  lines.push_back(text.substr(begin));
  return lines;
}

/// The words of every line that is no comment.
inline std::vector<std::vector<std::string_view>> lines_of(std::string_view text) {
  std::vector<std::vector<std::string_view>> lines;
  for (auto const line : split_lines(text)) {
    auto words = words_of(line);
    if (words.empty() || words[0][0] != '%') lines.push_back(std::move(words));
  }
  return lines;
}

/// Digits and nothing else, of a number up to `largest`.
inline std::optional<std::int64_t> natural(std::string_view word,
                                           std::int64_t largest = std::numeric_limits<std::int64_t>::max()) {
  if (word.empty()) return std::nullopt;
  __int128 value = 0;
  for (char const c : word) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
    if (value > largest) return std::nullopt;
  }
  return static_cast<std::int64_t>(value);
}

}  // namespace procmap::fuzz
