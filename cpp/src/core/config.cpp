// SPDX-License-Identifier: MIT
#include "procmap/config.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/edit_distance.hpp"
#include "procmap/error.hpp"
#include "procmap/topology.hpp"

namespace procmap {

namespace {

// What a field may hold: a range (inclusive), names (of an enum, in its order), or nothing (a bool).
struct Domain {
  double min = 0, max = 0;
  std::vector<std::string> choices;
};

Domain range(double min, double max) { return {min, max, {}}; }
Domain one_of(std::initializer_list<char const*> names) { return {0, 0, {names.begin(), names.end()}}; }
Domain flag() { return {0, 1, {}}; }

// The one list of all fields. `visit` is called as visit(path, member, domain, description); a new
// field is one more line here. A description says in brackets where the default comes from.
template <class C, class Visit>
void visit_fields(C& c, Visit&& visit) {
  visit("method", c.method, one_of({"integrated", "multisection"}),
        "refine the mapping cost of the whole graph (GPU-IM), or split it level by level of the machine (GPU-HM)");

  auto& coarsening = c.coarsening;
  visit("coarsening.algorithm", coarsening.algorithm, one_of({"matching", "clustering"}),
        "how vertices are merged: pairs (paper) or clusters (measured)");
  visit("coarsening.shrink_factor", coarsening.shrink_factor, range(1.1, 100),
        "clustering ends a level at n / this clusters (measured)");
  visit("coarsening.shrink_tolerance", coarsening.shrink_tolerance, range(0, 1),
        "... or when this share above it (measured)");
  visit("coarsening.clustering_rounds", coarsening.clustering_rounds, range(1, 100),
        "passes of clustering over all vertices per level (measured)");
  visit("coarsening.clustering_subrounds", coarsening.clustering_subrounds, range(1, 64),
        "hashed classes of vertices that a pass moves one after the other (measured)");
  visit("coarsening.max_cluster_weight", coarsening.max_cluster_weight, range(1, 1000),
        "heaviest cluster, times the average weight of a coarsest vertex (measured)");
  visit("coarsening.matching_rounds", coarsening.matching_rounds, range(1, 1000),
        "rounds of proposals per level; the paper repeats until nothing changes");
  visit("coarsening.two_hop_above", coarsening.two_hop_above, range(0, 1),
        "two-hop matching if more than this share is unmatched (paper)");
  visit("coarsening.max_matchmaker_degree", coarsening.max_matchmaker_degree, range(1, 1'000'000),
        "relatives are matched only through vertices of at most this degree (measured)");
  visit("coarsening.min_shrink", coarsening.min_shrink, range(0, 0.9),
        "coarsening ends when a level removes less than this share of the vertices (measured)");

  auto& initial = c.initial;
  visit("initial.starts", initial.starts, range(1, 1000),
        "greedy growings per bisection; the best survives (measured)");
  visit("initial.fm_passes", initial.fm_passes, range(0, 1000),
        "passes of FM refinement per bisection, at most (measured)");
  visit("initial.fm_stall", initial.fm_stall, range(0, 1),
        "an FM pass ends after this share of the vertices brought nothing (measured)");
  visit("initial.fm_min_stall", initial.fm_min_stall, range(1, 1'000'000),
        "... but not before this many moves (measured)");
  visit("initial.trial_patience", initial.trial_patience, range(0, 1),
        "with several starts, each gets one FM pass with this share of the stall (measured)");

  auto& refinement = c.refinement;
  visit("refinement.rounds", refinement.rounds, range(1, 100'000),
        "rounds without progress before a level ends (paper)");
  visit("refinement.progress", refinement.progress, range(0, 1),
        "progress means that the cost falls below this share of the best (paper, phi)");
  visit("refinement.max_rounds", refinement.max_rounds, range(1, 1'000'000),
        "rounds a level may take at all (measured)");
  visit("refinement.cut_filter_fine", refinement.cut_filter_fine, range(0, 1),
        "Jet's c, the loss a move may risk, for the edge cut on the finest graph (paper)");
  visit("refinement.cut_filter_coarse", refinement.cut_filter_coarse, range(0, 1), "... and on coarser graphs (paper)");
  visit("refinement.mapping_filter_fine", refinement.mapping_filter_fine, range(0, 1),
        "Jet's c for the mapping cost on the finest graph; 0 admits no loss (measured)");
  visit("refinement.mapping_filter_coarse", refinement.mapping_filter_coarse, range(0, 1),
        "... and on coarser graphs (measured)");
  visit("refinement.rebalancing", refinement.rebalancing, one_of({"buckets", "sorted"}),
        "how overloaded blocks are relieved: by buckets of loss (paper) or in exact order of loss (measured)");
  visit("refinement.weak_rounds", refinement.weak_rounds, range(0, 1000),
        "bucket rebalancing: weak rounds before a strong one (paper)");
  visit("refinement.sigma_share", refinement.sigma_share, range(0, 1),
        "bucket rebalancing: a target block may weigh at least this share of Lmax (paper)");
  visit("refinement.sigma_slack", refinement.sigma_slack, range(0, 1'000'000'000),
        "bucket rebalancing: ... and otherwise at most Lmax minus this (paper, sigma)");
  visit("refinement.rebalance_reserve", refinement.rebalance_reserve, range(1, 1'000'000),
        "rebalancing looks at the cheapest vertices of this multiple of the excess (measured)");
  visit("refinement.heavy_vertex", refinement.heavy_vertex, range(0, 1000),
        "a vertex above this multiple of its block's excess over the average stays (paper)");
  visit("refinement.heavy_rounds", refinement.heavy_rounds, range(0, 1'000'000),
        "sorted rebalancing: ... but only for this many rounds in a row (measured)");
  visit("refinement.last_resort_rounds", refinement.last_resort_rounds, range(0, 1'000'000),
        "sorted rebalancing: if stuck after this many rounds in a row, a strong round follows (measured)");
  visit("refinement.repetitions", refinement.repetitions, range(1, 1000),
        "refine every level this often with varying filters (paper: 18 in ultra)");
  visit("refinement.subtree_swaps", refinement.subtree_swaps, flag(),
        "exchange equal subtrees of the machine after each level; mapping cost only (measured)");
  visit("refinement.max_swap_subtrees", refinement.max_swap_subtrees, range(1, 1'000'000),
        "levels of the machine with more subtrees than this are not swapped (measured)");

  auto& flow = c.flow;
  visit("flow.rounds", flow.rounds, range(0, 1000),
        "minimum cuts for every pair of adjacent blocks that changed in the round before; 0: no flow (measured)");
  visit("flow.band", flow.band, range(0, 1),
        "share of a block that a band around a border takes, beyond the free room of the other block (measured)");
  visit("flow.retries", flow.retries, range(0, 100),
        "a cut that fits no capacity is tried again on this many smaller bands (measured)");
  visit("flow.band_shrink", flow.band_shrink, range(0, 1), "... each smaller by this factor (measured)");
  visit("flow.max_depth", flow.max_depth, range(1, 1'000'000'000),
        "steps from the border that a band may reach (measured)");
  visit("flow.max_band_vertices", flow.max_band_vertices, range(1, 1'000'000'000),
        "vertices per block that a band may hold: bounds the work of a pair (measured)");

  auto& multisection = c.multisection;
  visit("multisection.vertices_per_parent", multisection.vertices_per_parent, range(1, 1'000'000),
        "coarsest vertices per subgraph to split (measured)");
  visit("multisection.vertices_per_block", multisection.vertices_per_block, range(1, 1'000'000),
        "... and at least this many per block (measured)");
  visit("multisection.tournament_outer", multisection.tournament_outer, range(1, 1024),
        "starts at the coarsest graph, outermost level of the machine (measured)");
  visit("multisection.tournament_middle", multisection.tournament_middle, range(1, 1024),
        "... levels between (measured)");
  visit("multisection.tournament_inner", multisection.tournament_inner, range(1, 1024),
        "... innermost level (measured)");
  visit("multisection.population_outer", multisection.population_outer, range(1, 64),
        "independent splits that are combined, outermost level of the machine (measured)");
  visit("multisection.population_middle", multisection.population_middle, range(1, 64),
        "... levels between (measured)");
  visit("multisection.population_inner", multisection.population_inner, range(1, 64), "... innermost level (measured)");
  visit("multisection.population_share", multisection.population_share, range(0, 1),
        "... of a coarse graph with at most this share of the vertices (measured)");
  visit("multisection.inner_rounds", multisection.inner_rounds, range(1, 100'000),
        "refinement.rounds at the innermost level (measured)");
  visit("multisection.inner_flow_rounds", multisection.inner_flow_rounds, range(0, 1000),
        "flow.rounds, at most, at the innermost level (measured)");
  visit("multisection.reuse_clusters", multisection.reuse_clusters, flag(),
        "inner levels coarsen with the clusters of the outermost, split where they must (measured)");
  visit("multisection.slack_share", multisection.slack_share, range(0, 1),
        "share of the imbalance left that a level may use up, if more than an even one (measured; 0 in the paper)");
  visit("multisection.final_rounds", multisection.final_rounds, range(0, 100'000),
        "refinement.rounds of a last refinement of the mapping cost over all PEs; 0: none (measured)");
  visit("multisection.final_filter", multisection.final_filter, range(0, 1), "... Jet's c of it (measured)");
  visit("multisection.final_flow_rounds", multisection.final_flow_rounds, range(0, 1000),
        "... flow.rounds of it, at most (measured)");
  visit("multisection.max_parts", multisection.max_parts, range(2, Topology::max_pes),
        "a level of the machine is split in steps of at most this many parts (measured)");
  visit("multisection.v_cycles", multisection.v_cycles, range(0, 1000),
        "V-cycles over all blocks at the end, if all PEs are equally far apart (measured)");

  auto& integrated = c.integrated;
  visit("integrated.vertices_per_block", integrated.vertices_per_block, range(1, 1'000'000),
        "coarsening ends at this times k vertices (measured; 8 in the paper)");
  visit("integrated.coarsest_share", integrated.coarsest_share, range(0, 1),
        "... or at this share of the vertices, if that is more (measured; 0 in the paper)");
  visit("integrated.refine_coarsest", integrated.refine_coarsest, flag(),
        "multisection of the coarsest graph is itself multilevel and refined (measured)");
  visit("integrated.coarsest_flow_rounds", integrated.coarsest_flow_rounds, range(0, 1000),
        "... flow.rounds of it (measured)");

  visit("improve.vertices_per_block", c.improve.vertices_per_block, range(1, 1'000'000),
        "coarsening inside the blocks of a given mapping ends at this times k vertices (measured)");
  visit("improve.coarsen_with_migration", c.improve.coarsen_with_migration, flag(),
        "coarsen a given mapping also where migration costs, and few vertices will move (measured)");
  visit("improve.migration_flow_rounds", c.improve.migration_flow_rounds, range(0, 1'000),
        "flow.rounds, at most, where migration costs (measured)");
  visit("improve.migration_flow_band", c.improve.migration_flow_band, range(0.0, 1.0),
        "flow.band, at most, where migration costs (measured)");

  auto& machine = c.machine;
  visit("machine.guide_parts", machine.guide_parts, range(2, 1'000'000),
        "no hierarchy: parts per level of the hierarchy that multisection follows (measured)");
  visit("machine.v_cycles", machine.v_cycles, range(0, 1'000), "no hierarchy: V-cycles on the mapping cost (measured)");
  visit("machine.vertices_per_block", machine.vertices_per_block, range(1, 1'000'000),
        "no hierarchy: coarsening of a V-cycle ends at this times k vertices (measured)");
  visit("machine.rounds", machine.rounds, range(1, 100'000), "no hierarchy: refinement.rounds of a V-cycle (measured)");
  visit("machine.filter_fine", machine.filter_fine, range(0, 1),
        "no hierarchy: Jet's c of a V-cycle on the finest graph (measured)");
  visit("machine.filter_coarse", machine.filter_coarse, range(0, 1), "... and on the others (measured)");
  visit("machine.exchange_places", machine.exchange_places, range(0, 16'384),
        "blocks are not exchanged on machines with more PEs than this");
  visit("machine.annealing", machine.annealing, range(0, 1'000),
        "no hierarchy: exchanges per pair of blocks that simulated annealing tries before V-cycles (measured)");
  visit("machine.block_kicks", machine.block_kicks, range(0, 100'000'000),
        "no hierarchy: random exchanges of blocks tried when no other helps (measured)");
  visit("machine.starts", machine.starts, range(1, 1'000),
        "one task per PE: mappings tried, fewer if traffic is dense (measured)");
  visit("machine.kicks", machine.kicks, range(0, 100'000'000),
        "one task per PE: random exchanges tried when no other helps (measured)");
}

template <class T>
constexpr ConfigField::Type type_of() {
  if constexpr (std::is_same_v<T, bool>) return ConfigField::Type::boolean;
  if constexpr (std::is_same_v<T, int>) return ConfigField::Type::integer;
  if constexpr (std::is_same_v<T, double>) return ConfigField::Type::real;
  if constexpr (std::is_enum_v<T>) return ConfigField::Type::choice;
}

// The shortest text that reads back as `value`, without an exponent where people write none.
std::string to_text(double value) {
  char text[32];
  auto const plain = value == 0 || (std::abs(value) >= 1e-4 && std::abs(value) < 1e15);
  auto const format = plain ? std::chars_format::fixed : std::chars_format::general;
  return {text, std::to_chars(text, text + sizeof text, value, format).ptr};
}

template <class T>
std::string to_text(T value, Domain const& domain) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_enum_v<T>) {
    auto const index = static_cast<std::size_t>(value);
    return index < domain.choices.size() ? domain.choices[index] : std::to_string(index);
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else {
    return to_text(value);
  }
}

std::string joined(std::vector<std::string> const& names) {
  std::string text;
  for (auto const& name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

[[noreturn]] void throw_outside(std::string_view path, std::string_view value, Domain const& domain) {
  auto const field = std::string(path) + " = " + std::string(value);
  if (!domain.choices.empty()) throw ConfigError(field + " is none of " + joined(domain.choices));
  throw ConfigError(field + " is outside [" + to_text(domain.min) + ", " + to_text(domain.max) + "]");
}

template <class T>
void check(std::string_view path, T value, Domain const& domain) {
  bool inside = true;
  if constexpr (std::is_enum_v<T>) {
    inside = static_cast<std::size_t>(value) < domain.choices.size();
  } else if constexpr (!std::is_same_v<T, bool>) {
    inside = value >= domain.min && value <= domain.max;  // false for NaN
  }
  if (!inside) throw_outside(path, to_text(value, domain), domain);
}

[[noreturn]] void throw_not(std::string_view path, std::string_view value, std::string_view kind) {
  throw ConfigError(std::string(path) + " = \"" + std::string(value) + "\" is not " + std::string(kind));
}

// The whole text as a number. Text beyond the range of T is a number all the same, outside `domain`.
template <class T>
T parse_number(std::string_view path, std::string_view text, Domain const& domain, std::string_view kind) {
  T value{};
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) throw_not(path, text, kind);
  if (error == std::errc::result_out_of_range) throw_outside(path, text, domain);
  return value;
}

template <class T>
T parse(std::string_view path, std::string_view text, Domain const& domain) {
  if constexpr (std::is_same_v<T, bool>) {
    if (text == "true" || text == "1") return true;
    if (text == "false" || text == "0") return false;
    throw_not(path, text, "true or false");
  } else if constexpr (std::is_enum_v<T>) {
    auto const found = std::find(domain.choices.begin(), domain.choices.end(), text);
    if (found == domain.choices.end()) throw_outside(path, '"' + std::string(text) + '"', domain);
    return static_cast<T>(found - domain.choices.begin());
  } else if constexpr (std::is_same_v<T, int>) {
    return parse_number<int>(path, text, domain, "an integer");
  } else {
    auto const value = parse_number<double>(path, text, domain, "a number");
    if (!std::isfinite(value)) throw_not(path, text, "a finite number");
    return value;
  }
}

// Applies `visit` to the field at `path`, or throws and names the fields that look most like it.
template <class C, class Visit>
void visit_field(C& config, std::string_view path, Visit&& visit) {
  bool found = false;
  std::vector<std::string_view> paths;
  visit_fields(config, [&](std::string_view field, auto& value, Domain const& domain, std::string_view) {
    paths.push_back(field);
    if (field != path) return;
    found = true;
    visit(value, domain);
  });
  if (found) return;
  std::string message = "unknown parameter \"" + std::string(path) + "\"; the nearest are ";
  auto const near = nearest(path, paths, 3);
  for (auto const& name : near) message.append(&name == near.data() ? "" : ", ").append(name);
  throw ConfigError(message);
}

}  // namespace

void Config::validate() const {
  visit_fields(*this, [](std::string_view path, auto const& value, Domain const& domain, std::string_view) {
    check(path, value, domain);
  });
}

std::vector<ConfigField> config_fields() {
  std::vector<ConfigField> fields;
  Config const config;
  visit_fields(config, [&](char const* path, auto const& value, Domain const& domain, char const* description) {
    auto const type = type_of<std::remove_cvref_t<decltype(value)>>();
    fields.push_back({path, type, description, domain.min, domain.max, domain.choices});
  });
  return fields;
}

std::string get_field(Config const& config, std::string_view path) {
  std::string text;
  visit_field(config, path, [&](auto const& value, Domain const& domain) { text = to_text(value, domain); });
  return text;
}

void set_field(Config& config, std::string_view path, std::string_view text) {
  visit_field(config, path, [&](auto& value, Domain const& domain) {
    auto const parsed = parse<std::remove_cvref_t<decltype(value)>>(path, text, domain);
    check(path, parsed, domain);
    value = parsed;
  });
}

}  // namespace procmap
