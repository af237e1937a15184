// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace procmap {

/// Text of a user as messages show it: '?' for what cannot be printed, cut to a readable length.
inline std::string printable(std::string_view text) {
  constexpr std::size_t longest = 40;
  auto shown = std::string(text.substr(0, longest));
  std::replace_if(shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text.size() > longest ? shown + "..." : shown;
}

inline std::string quoted(std::string_view text, char quote = '\'') { return quote + printable(text) + quote; }

}  // namespace procmap
