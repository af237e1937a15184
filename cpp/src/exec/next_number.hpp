// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <charconv>
#include <string_view>

namespace procmap {

/// The number at the beginning of `text`, which is cut off with the blanks before it; 0 if there is none or it does not
/// fit.
template <class Number>
Number next_number(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
  Number number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

}  // namespace procmap
