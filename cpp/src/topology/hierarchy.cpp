// SPDX-License-Identifier: MIT
#include "procmap/topology.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

#include "core/quoted.hpp"
#include "procmap/error.hpp"

namespace procmap {

namespace {

template <class T>
std::string join(std::vector<T> const& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ':';
    if (i > static_cast<std::size_t>(Topology::max_levels)) return text + "...";
    text += std::to_string(values[i]);
  }
  return text;
}

template <class T>
T parse_number(std::string_view token, std::string const& where) {
  T value{};
  auto const [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error == std::errc::result_out_of_range) throw TopologyError(where + ": " + quoted(token) + " is too large");
  if (token.empty()) throw TopologyError(where + ": a number is missing");
  if (error != std::errc() || end != token.data() + token.size())
    throw TopologyError(where + ": " + quoted(token) + " is not an integer");
  if (value == 0 && token.front() == '-') throw TopologyError(where + ": " + quoted(token) + " is zero with a sign");
  return value;
}

// "4:8:6" -> 4, 8, 6
template <class T>
std::vector<T> parse_list(char const* what, std::string_view text) {
  auto const where = std::string(what) + " " + quoted(text);
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

std::string describe_levels(Hierarchy const& machine, Block num_pes) {
  auto const& [sizes, distances] = machine;
  auto text = std::to_string(num_pes) + (num_pes == 1 ? " PE" : " PEs");
  if (sizes.size() == 1) return text + ", any two at distance " + std::to_string(distances[0]);
  text += " =";
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
    bool const innermost = size + 1 == sizes.rend();
    text += (size == sizes.rbegin() ? " " : " of ") + std::to_string(*size) + (innermost ? " PE" : " group");
    if (*size != 1) text += "s";
  }
  text += " (innermost first " + join(sizes) + "); distance ";
  Block group = 1;
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
    group *= sizes[i];
    text += std::to_string(distances[i]) + " within a group of " + std::to_string(group) + ", ";
  }
  return text + std::to_string(distances.back()) + " beyond";
}

}  // namespace

Topology::Topology(Hierarchy hierarchy) {
  for (auto const size : hierarchy.sizes) num_pes_ *= size;
  max_distance_ = hierarchy.distances.back();
  description_ = describe_levels(hierarchy, num_pes_);
  model_ = std::make_shared<Hierarchy const>(std::move(hierarchy));
}

Topology Topology::hierarchy(std::vector<Block> sizes, std::vector<Weight> distances) {
  check_sizes(sizes);
  check_distances(distances, sizes.size());
  return Topology(Hierarchy{std::move(sizes), std::move(distances)});
}

Topology Topology::hierarchy(std::string_view sizes, std::string_view distances) {
  return hierarchy(parse_list<Block>("sizes", sizes), parse_list<Weight>("distances", distances));
}

Topology Topology::flat(Block num_pes) { return hierarchy(std::vector<Block>{num_pes}, std::vector<Weight>{1}); }

}  // namespace procmap
