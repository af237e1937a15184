// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace procmap {

/// Levenshtein distance: insertions, deletions and replacements of one character between a and b.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);  // distances of the prefix of a seen so far to every prefix of b
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      auto const replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
    }
  }
  return row[b.size()];
}

/// The `count` names most like `word`, best first; a name may be meant by its last part alone:
/// "rounds" for "refinement.rounds".
inline std::vector<std::string_view> nearest(std::string_view word, std::vector<std::string_view> names,
                                             std::size_t count) {
  auto const distance = [word](std::string_view name) {
    auto const last = name.substr(name.rfind('.') + 1);
    return std::min(edit_distance(word, name), edit_distance(word, last));
  };
  std::stable_sort(names.begin(), names.end(),
                   [&](std::string_view a, std::string_view b) { return distance(a) < distance(b); });
  names.resize(std::min(count, names.size()));
  return names;
}

}  // namespace procmap
