// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "words.hpp"

namespace procmap::fuzz {

/// Ends the process, which libFuzzer takes for a finding and keeps the input of.
[[noreturn]] inline void fail(std::string const& why) {
  std::fprintf(stderr, "wrong: %s\n", why.c_str());
  std::abort();
}

/// An opinion on what is right.
inline void expect(bool right, std::string const& why) {
  if (!right) fail(why);
}

/// Messages are for people: short, and without control characters out of the input.
inline void expect_readable(std::exception const& error) {
  constexpr std::size_t longest = 1000;
  std::string_view const message = error.what();
  expect(!message.empty() && message.size() <= longest, "a message of " + std::to_string(message.size()) + " bytes");
  auto const is_printable = [](char c) { return c >= ' ' && c <= '~'; };
  expect(std::all_of(message.begin(), message.end(), is_printable), "control characters in: " + std::string(message));
}

/// "NAME:LINE: ...", and the text has such a line.
inline void expect_line_of(std::string_view name, std::string_view text, std::exception const& error) {
  expect_readable(error);
  std::string_view message = error.what();
  expect(message.starts_with(std::string(name) + ":"), "no name in: " + std::string(message));
  message.remove_prefix(name.size() + 1);
  char* end = nullptr;
  auto const line = std::strtoll(message.data(), &end, 10);
  auto const lines = static_cast<long long>(split_lines(text).size());
  expect(end != message.data() && *end == ':' && line >= 1 && line <= lines, "no line in: " + std::string(message));
}

}  // namespace procmap::fuzz
