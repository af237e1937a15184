// SPDX-License-Identifier: MIT
#include "procmap/topology.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

#include "procmap/error.hpp"

namespace procmap {

namespace {

template <class T>
std::string join(std::vector<T> const& values) {
  std::string text;
  for (auto const value : values) text += (text.empty() ? "" : ":") + std::to_string(value);
  return text;
}

template <class T>
T parse_number(std::string_view token, std::string const& where) {
  T value{};
  auto const [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error == std::errc::result_out_of_range)
    throw TopologyError(where + ": '" + std::string(token) + "' is too large");
  if (token.empty()) throw TopologyError(where + ": a number is missing");
  if (error != std::errc() || end != token.data() + token.size())
    throw TopologyError(where + ": '" + std::string(token) + "' is not an integer");
  return value;
}

// "4:8:6" -> 4, 8, 6
template <class T>
std::vector<T> parse_list(char const* what, std::string_view text) {
  auto const where = std::string(what) + " '" + std::string(text) + "'";
  std::vector<T> values;
  for (std::size_t begin = 0, end = 0; end != std::string_view::npos; begin = end + 1) {
    end = text.find(':', begin);
    values.push_back(parse_number<T>(text.substr(begin, end - begin), where));
  }
  return values;
}

void check_sizes(std::vector<Block> const& sizes) {
  auto const where = "sizes '" + join(sizes) + "'";
  if (sizes.empty()) throw TopologyError("sizes are empty, expected 1 to 8 levels");
  if (sizes.size() > static_cast<std::size_t>(Topology::max_levels))
    throw TopologyError(where + ": " + std::to_string(sizes.size()) + " levels, expected 1 to 8");
  std::int64_t product = 1;
  for (auto const size : sizes) {
    if (size < 1) throw TopologyError(where + ": " + std::to_string(size) + " is smaller than 1");
    product *= size;
    if (product > Topology::max_pes)
      throw TopologyError(where + ": more than " + std::to_string(Topology::max_pes) + " PEs at " +
                          std::to_string(size));
  }
}

void check_distances(std::vector<Weight> const& distances, std::size_t num_levels) {
  auto const where = "distances '" + join(distances) + "'";
  if (distances.size() != num_levels)
    throw TopologyError(where + ": " + std::to_string(distances.size()) + " levels, but the sizes have " +
                        std::to_string(num_levels));
  Weight inner = 0;
  for (auto const distance : distances) {
    if (distance < 0) throw TopologyError(where + ": " + std::to_string(distance) + " is negative");
    if (distance < inner)
      throw TopologyError(where + ": " + std::to_string(distance) + " follows " + std::to_string(inner) +
                          ", but distances grow outwards (they are written innermost first)");
    inner = distance;
  }
}

void check_pe(Block pe, Block num_pes) {
  if (pe < 0 || pe >= num_pes)
    throw TopologyError("PE " + std::to_string(pe) + " is not in [0, " + std::to_string(num_pes) + ")");
}

}  // namespace

Topology::Topology(std::vector<Block> sizes, std::vector<Weight> distances)
    : sizes_(std::move(sizes)), distances_(std::move(distances)) {
  for (auto const size : sizes_) num_pes_ *= size;
}

Topology Topology::hierarchy(std::vector<Block> sizes, std::vector<Weight> distances) {
  check_sizes(sizes);
  check_distances(distances, sizes.size());
  return {std::move(sizes), std::move(distances)};
}

Topology Topology::hierarchy(std::string_view sizes, std::string_view distances) {
  return hierarchy(parse_list<Block>("sizes", sizes), parse_list<Weight>("distances", distances));
}

Topology Topology::flat(Block num_pes) { return hierarchy(std::vector<Block>{num_pes}, std::vector<Weight>{1}); }

Weight Topology::distance(Block a, Block b) const {
  auto const level = meeting_level(a, b);
  return level == 0 ? 0 : distances_[static_cast<std::size_t>(level) - 1];
}

int Topology::meeting_level(Block a, Block b) const {
  check_pe(a, num_pes_);
  check_pe(b, num_pes_);
  int level = 0;
  for (; a != b; ++level) {
    a /= sizes_[static_cast<std::size_t>(level)];
    b /= sizes_[static_cast<std::size_t>(level)];
  }
  return level;
}

std::string Topology::describe() const {
  auto text = std::to_string(num_pes_) + (num_pes_ == 1 ? " PE" : " PEs");
  if (num_levels() == 1) return text + ", any two at distance " + std::to_string(distances_[0]);
  text += " =";
  for (auto size = sizes_.rbegin(); size != sizes_.rend(); ++size) {
    bool const innermost = size + 1 == sizes_.rend();
    text += (size == sizes_.rbegin() ? " " : " of ") + std::to_string(*size) + (innermost ? " PE" : " group");
    if (*size != 1) text += "s";
  }
  text += " (innermost first " + join(sizes_) + "); distance ";
  Block group = 1;
  for (std::size_t i = 0; i + 1 < sizes_.size(); ++i) {
    group *= sizes_[i];
    text += std::to_string(distances_[i]) + " within a group of " + std::to_string(group) + ", ";
  }
  return text + std::to_string(distances_.back()) + " beyond";
}

}  // namespace procmap
