// SPDX-License-Identifier: MIT
#include "c_api/topology_text.hpp"

#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "procmap/error.hpp"

namespace procmap::capi {
namespace {

using Numbers = std::vector<Block>;

struct Kind {
  std::string_view name;
  std::size_t fewest, most;  ///< numbers
  Topology (*make)(Numbers const& numbers);
};

constexpr std::array kinds{
    Kind{"flat", 1, 1, [](Numbers const& n) { return Topology::flat(n[0]); }},
    Kind{"torus", 1, Topology::max_dimensions, [](Numbers const& n) { return Topology::torus(n); }},
    Kind{"mesh", 1, Topology::max_dimensions, [](Numbers const& n) { return Topology::mesh(n); }},
    Kind{"hypercube", 1, 1, [](Numbers const& n) { return Topology::hypercube(n[0]); }},
    Kind{"fat-tree", 1, 2, [](Numbers const& n) { return Topology::fat_tree(n[0], n.size() > 1 ? n[1] : 1); }},
    Kind{"dragonfly", 3, 3, [](Numbers const& n) { return Topology::dragonfly(n[0], n[1], n[2]); }},
};

[[noreturn]] void refuse(std::string_view text) {
  throw TopologyError("\"" + std::string(text.substr(0, 100)) +
                      "\" is no machine such as 4:8:6/1:10:100 (sizes, innermost first, and distances), torus:8:8:8, "
                      "mesh:8:8, hypercube:6, fat-tree:8, dragonfly:9:4:2 or flat:192");
}

Block number(std::string_view digits, std::string_view text) {
  Block value = 0;
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) refuse(text);
  return value;
}

Topology regular(std::string_view text) {
  auto rest = text.substr(std::min(text.find(':'), text.size()));
  auto const name = text.substr(0, text.size() - rest.size());
  Numbers numbers;
  while (!rest.empty() && numbers.size() <= Topology::max_dimensions) {
    rest.remove_prefix(1);  // the colon
    auto const digits = rest.substr(0, rest.find(':'));
    numbers.push_back(number(digits, text));
    rest.remove_prefix(digits.size());
  }
  for (auto const& kind : kinds)
    if (kind.name == name && numbers.size() >= kind.fewest && numbers.size() <= kind.most) return kind.make(numbers);
  refuse(text);
}

}  // namespace

Topology topology_from_text(std::string_view text) {
  auto const slash = text.find('/');
  if (slash == std::string_view::npos) return regular(text);
  return Topology::hierarchy(text.substr(0, slash), text.substr(slash + 1));
}

}  // namespace procmap::capi
