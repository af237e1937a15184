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
/// "rounds" for "refinement.rounds". Of a long word the beginning decides.
inline std::vector<std::string_view> nearest(std::string_view word, std::vector<std::string_view> const& names,
                                             std::size_t count) {
  word = word.substr(0, 40);
  std::vector<std::pair<std::size_t, std::string_view>> ranked;
  for (auto const name : names) {
    auto const last = name.substr(name.rfind('.') + 1);
    ranked.emplace_back(std::min(edit_distance(word, name), edit_distance(word, last)), name);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
  std::vector<std::string_view> best;
  for (std::size_t i = 0; i < std::min(count, ranked.size()); ++i) best.push_back(ranked[i].second);
  return best;
}

}  // namespace procmap
