// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "core/hash.hpp"

// Cases of a loop that name themselves: while a test is at one, every failure comes with its name and with the line of
// the loop, as after SCOPED_TRACE. So no test has to say which of its many seeds and shapes fails.

namespace procmap::test {

class Trace {
 public:
  Trace(std::source_location where, std::string const& name)
      : trace_(where.file_name(), static_cast<int>(where.line()), name) {}

 private:
  ::testing::ScopedTrace trace_;
};

/// for (auto const& one : Traced<Case>(..)): as over the vector `cases`.
template <class Case>
class Traced {
 public:
  using Name = std::function<std::string(Case const&)>;

  Traced(std::vector<Case> all, Name name, std::source_location where)
      : cases(std::move(all)), name_(std::move(name)), where_(where) {}

  class Iterator {
   public:
    explicit Iterator(Traced const& traced) : traced_(traced) { start(); }

    Case const& operator*() const { return traced_.cases[at_]; }
    Iterator& operator++() {
      trace_.reset();
      ++at_;
      start();
      return *this;
    }
    bool operator==(std::default_sentinel_t) const { return at_ == traced_.cases.size(); }

   private:
    void start() {
      if (at_ < traced_.cases.size()) trace_.emplace(traced_.where_, traced_.name_(**this));
    }

    Traced const& traced_;
    std::size_t at_ = 0;
    std::optional<Trace> trace_;
  };

  Iterator begin() const { return Iterator(*this); }
  std::default_sentinel_t end() const { return {}; }

  std::vector<Case> cases;

 private:
  Name name_;
  std::source_location where_;
};

inline Traced<std::uint64_t> traced_seeds(std::vector<std::uint64_t> seeds, std::source_location where) {
  return {std::move(seeds), [](std::uint64_t seed) { return "seed " + std::to_string(seed); }, where};
}

/// Sanitizers make a test five to ten times slower and look at what code does, not at what it decides: an eighth
/// of the seeds, and the smaller graphs and machines, are enough for them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// Numbers of threads to hold against one: a sanitizer looks at the largest only, which has all that the others have.
inline std::vector<int> worthwhile_threads(std::vector<int> counts) {
  if (sanitized) counts.erase(counts.begin(), counts.end() - 1);
  return counts;
}

/// Cases of loops within each other: a sanitizer looks at about a third, drawn so that all members of each loop are
/// met.
class WorthwhileCases {
 public:
  bool next() { return !sanitized || hash(0, number_++) % 3 == 0; }

 private:
  std::uint64_t number_ = 0;
};

constexpr std::uint64_t worthwhile_seeds(std::uint64_t count) { return sanitized ? (count + 7) / 8 : count; }

/// The seeds first, first + 1, ...: `count` of them, fewer under a sanitizer.
inline Traced<std::uint64_t> each_seed(std::uint64_t count, std::uint64_t first = 0,
                                       std::source_location where = std::source_location::current()) {
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t i = 0; i < worthwhile_seeds(count); ++i) seeds.push_back(first + i);
  return traced_seeds(std::move(seeds), where);
}

/// These seeds.
template <std::size_t N>
Traced<std::uint64_t> each_seed(std::uint64_t const (&seeds)[N],
                                std::source_location where = std::source_location::current()) {
  return traced_seeds({seeds, seeds + N}, where);
}

}  // namespace procmap::test
