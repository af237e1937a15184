// SPDX-License-Identifier: MIT
#include "io/metis_scan.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <system_error>
#include <utility>

#include "io/file_text.hpp"

namespace procmap {

namespace {

class RowScanner {
 public:
  RowScanner(char const* begin, char const* end, MetisHeader const& header)
      : at_(begin), end_(end), header_(header), num_vertices_(static_cast<std::uint64_t>(header.num_vertices)) {
    // The header only promises; the text itself bounds what can come: an arc takes two characters or more.
    auto const bytes = static_cast<std::uint64_t>(end - begin);
    auto const arcs = std::min(static_cast<std::uint64_t>(header.num_edges), bytes) * 2;
    rows_.offsets.reserve(std::min(num_vertices_, bytes) + 1);
    rows_.heads.reserve(std::min(arcs, bytes / 2 + 1));
    if (header.edge_weights) rows_.arc_weights.reserve(std::min(arcs, bytes / 4 + 1));
    if (header.vertex_weights)
      rows_.vertex_weights.reserve(std::min(num_vertices_ * static_cast<std::uint64_t>(header.num_weights), bytes));
  }

  MetisRows scan() {
    while (at_ < end_ && scan_line()) {
    }
    return std::move(rows_);
  }

 private:
  bool scan_line() {
    skip_blanks();
    if (*at_ == '%') {
      at_ = next_line(at_, end_);
      return true;
    }
    std::uint64_t number = 0;
    if (header_.vertex_sizes && !read(MetisToken::vertex_size, number)) return false;
    for (int i = 0; header_.vertex_weights && i < header_.num_weights; ++i) {
      if (!read(MetisToken::vertex_weight, number)) return false;
      rows_.vertex_weights.push_back(static_cast<Weight>(number));
    }
    if (!(header_.edge_weights ? scan_neighbours<true>() : scan_neighbours<false>())) return false;
    rows_.offsets.push_back(static_cast<Edge>(rows_.heads.size()));
    ++at_;
    return true;
  }

  template <bool Weighted>
  bool scan_neighbours() {
    for (skip_blanks(); *at_ != '\n'; skip_blanks()) {
      auto const* const token = at_;
      std::uint64_t number = 0;
      if (!read(MetisToken::neighbour, number)) return false;
      if (number - 1 >= num_vertices_) return fail(token, MetisToken::neighbour);
      rows_.heads.push_back(static_cast<Vertex>(number - 1));
      if constexpr (Weighted) {
        skip_blanks();
        if (!read(MetisToken::edge_weight, number)) return false;
        rows_.arc_weights.push_back(static_cast<Weight>(number));
      }
    }
    return true;
  }

  void skip_blanks() {
    while (is_blank(*at_)) ++at_;
  }

  // Digits up to the next blank or line end, of a value that fits a Weight.
  bool read(MetisToken expected, std::uint64_t& number) {
    skip_blanks();
    constexpr int max_digits = std::numeric_limits<Weight>::digits10 + 1;  // as many still fit 64 unsigned bits
    auto const* const token = at_;
    std::uint64_t value = 0;
    for (unsigned digit = 0; (digit = static_cast<unsigned>(*at_) - '0') < 10; ++at_) value = value * 10 + digit;
    auto const length = at_ - token;
    bool const ends = *at_ == '\n' || is_blank(*at_);
    if (!ends || length == 0) return fail(token, expected);
    if (length > max_digits || value > std::numeric_limits<Weight>::max()) {
      // Leading zeros do no harm.
      Weight exact = 0;
      if (std::from_chars(token, at_, exact).ec != std::errc()) return fail(token, expected);
      value = static_cast<std::uint64_t>(exact);
    }
    number = value;
    return true;
  }

  bool fail(char const* token, MetisToken expected) {
    rows_.defect = token;
    rows_.expected = expected;
    return false;
  }

  char const* at_;
  char const* end_;
  MetisHeader const& header_;
  std::uint64_t num_vertices_;
  MetisRows rows_;
};

}  // namespace

MetisRows scan_metis_rows(char const* begin, char const* end, MetisHeader const& header) {
  return RowScanner(begin, end, header).scan();
}

char const* next_line(char const* at, char const* end) {
  auto const* const newline = static_cast<char const*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
  return newline ? newline + 1 : end;
}

bool is_comment(char const* line) {
  while (is_blank(*line)) ++line;
  return *line == '%';
}

bool is_blank_line(char const* line) {
  while (is_blank(*line)) ++line;
  return *line == '\n';
}

Edge count_vertex_lines(char const* begin, char const* end) {
  Edge count = 0;
  for (; begin < end; begin = next_line(begin, end)) count += !is_comment(begin);
  return count;
}

char const* find_vertex_line(char const* begin, char const* end, Vertex v) {
  for (Edge left = v; begin < end; begin = next_line(begin, end))
    if (!is_comment(begin) && left-- == 0) break;
  return begin;
}

}  // namespace procmap
