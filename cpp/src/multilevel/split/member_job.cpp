// SPDX-License-Identifier: MIT
#include "multilevel/split/member_job.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "procmap/error.hpp"
#include "procmap/procmap.hpp"

namespace procmap {
namespace {

template <class T>
concept Plain = std::is_trivially_copyable_v<T>;

class Packer {
 public:
  template <Plain T>
  void operator()(T const& value) {
    bytes.append(reinterpret_cast<char const*>(&value), sizeof(T));
  }
  template <Plain T>
  void operator()(std::vector<T> const& values) {
    (*this)(static_cast<std::uint64_t>(values.size()));
    bytes.append(reinterpret_cast<char const*>(values.data()), values.size() * sizeof(T));
  }
  void operator()(std::string const& text) { (*this)(std::vector<char>(text.begin(), text.end())); }

  std::string bytes;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : left_(bytes) {}

  template <Plain T>
  void operator()(T& value) {
    std::memcpy(&value, take(sizeof(T)), sizeof(T));
  }
  template <Plain T>
  void operator()(std::vector<T>& values) {
    std::uint64_t count = 0;
    (*this)(count);
    if (count > left_.size() / sizeof(T)) fail();
    values.resize(static_cast<std::size_t>(count));
    auto const* const from = take(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), from, values.size() * sizeof(T));
  }
  void operator()(std::string& text) {
    std::vector<char> letters;
    (*this)(letters);
    text.assign(letters.begin(), letters.end());
  }
  void finish() const {
    if (!left_.empty()) fail();
  }

 private:
  [[noreturn]] static void fail() { throw ConfigError("these bytes are no job of this version of procmap"); }
  char const* take(std::size_t count) {
    if (count > left_.size()) fail();
    auto const* const begin = left_.data();
    left_.remove_prefix(count);
    return begin;
  }

  std::string_view left_;
};

/// What both sides must have in common.
std::string mark() {
  std::string mark = "procmap member ";
  mark += PROCMAP_VERSION;
  for (auto const size : {sizeof(CoarseningPlan), sizeof(InitialConfig), sizeof(RefinementConfig), sizeof(FlowConfig)})
    mark += " " + std::to_string(size);
  return mark;
}

/// All parts of a job, in the order of their bytes.
template <class Job, class F>
void visit(Job& job, F& f) {
  f(job.graph.offsets);
  f(job.graph.heads);
  f(job.graph.arc_weights);
  f(job.graph.vertex_weights);
  f(job.graph.loads);
  f(job.graph.num_loads);
  f(job.scope);
  f(job.fixed);
  f(job.targets.num_scopes);
  f(job.targets.parts);
  f(job.targets.capacity);
  f(job.targets.share);
  f(job.targets.limits);
  f(job.targets.pes_per_block);
  f(job.plan.coarsening);
  f(job.plan.initial);
  f(job.plan.stage.name);
  f(job.plan.stage.refinement);
  f(job.plan.stage.flow);
  f(job.plan.stage.filter_fine);
  f(job.plan.stage.filter_coarse);
  f(job.plan.stage.seed);
  f(job.plan.tournament);
  f(job.plan.refined_starts);
  f(job.plan.population);
  f(job.plan.population_share);
  f(job.plan.max_population_vertices);
  f(job.plan.population_annealing);
  f(job.plan.finest_annealing);
  f(job.plan.combine_starts);
  f(job.plan.fine_rounds);
  f(job.plan.fine_flow_gain);
  f(job.plan.max_host_arcs);
  f(job.plan.first_level);
  f(job.plan.finer);
}

}  // namespace

std::string packed(MemberJob const& job) {
  Packer pack;
  pack(mark());
  visit(job, pack);
  return std::move(pack.bytes);
}

MemberJob unpacked_member(std::string_view bytes) {
  Unpacker unpack(bytes);
  std::string said;
  unpack(said);
  if (said != mark()) throw ConfigError("a job of '" + said + "' came to '" + mark() + "'");
  MemberJob job;
  visit(job, unpack);
  unpack.finish();
  return job;
}

std::string packed(std::vector<Block> const& blocks) {
  Packer pack;
  pack(blocks);
  return std::move(pack.bytes);
}

std::vector<Block> unpacked_blocks(std::string_view bytes, Vertex num_vertices, Block num_blocks) {
  Unpacker unpack(bytes);
  std::vector<Block> blocks;
  unpack(blocks);
  unpack.finish();
  bool const good = blocks.size() == static_cast<std::size_t>(num_vertices) &&
                    std::ranges::all_of(blocks, [=](Block b) { return b >= 0 && b < num_blocks; });
  if (!good) throw ConfigError("a worker answered with something else than a split of the graph");
  return blocks;
}

std::vector<int> members_away(int population, int share) {
  std::vector<int> away;
  for (int t = 0; t < population; ++t)
    if (t % (share + 1) != 0) away.push_back(t);
  return away;
}

}  // namespace procmap
