// SPDX-License-Identifier: MIT
#include "refinement/places/annealing.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <span>
#include <vector>

#include "core/hash.hpp"
#include "core/index.hpp"
#include "core/random.hpp"
#include "core/seats.hpp"
#include "refinement/places/annealing_end.hpp"
#include "refinement/places/arc_rows.hpp"

namespace procmap {
namespace {

constexpr int steps = 64;         // of equal temperature
constexpr double cooling = 0.96;  // per step (measured)
constexpr std::int64_t at_once = 16;  // exchanges for whose blocks memory is asked
constexpr Block max_near = 8;     // places around a partner that are tried (measured)

template <class Distance, class Arcs>
class Annealer {
 public:
  Annealer(HostGraph const& traffic, Arcs const& arcs, Places const& places, Distance const& distance, Block tasks,
           std::vector<Block>& place)
      : traffic_(traffic.view()),
        arcs_(arcs),
        places_(places),
        distance_(distance),
        place_(place),
        seats_(places.capacity.size(), place),
        is_metric_(places.distance.are_metric()),
        one_each_(seats_.one_each()),
        num_weights_(places.limits.empty() ? 1 : static_cast<std::size_t>(traffic.num_loads)),
        limits_(places.limits.empty() ? std::span(places.capacity) : places.limits),
        load_(limits_.size(), 0),
        tasks_(tasks > 0 ? index(tasks) : place.size()),
        tasks_on_(places.capacity.size(), 0) {
    key_.reserve(place.size());
    for (Block const p : place) key_.push_back(distance.key(p));
    for (Block b = 0; b < static_cast<Block>(place.size()); ++b) stay_.push_back(stay_of(b));
    for (std::size_t b = 0; b < tasks_; ++b) ++tasks_on_[index(place[b])];
    for (std::size_t b = 0; b < place.size(); ++b)
      for (std::size_t i = 0; i < num_weights_; ++i) load_[row(place[b]) + i] += weight(static_cast<Block>(b), i);
    find_near();
  }

  /// Returns by how much J fell, every edge once.
  Weight run(Annealing annealing) {
    double temperature = annealing.hottest * mean_change(annealing.seed);
    Weight now = 0, least = 0;  // against the start, every edge once
    auto best = place_;
    AnnealingEnd over(annealing.proposals, steps, traffic_cost());
    for (int step = 0; step < steps && !places_.team.in_hurry(); ++step, temperature *= cooling) {
      places_.team.checkpoint();
      auto const seed = hash(annealing.seed, static_cast<std::uint64_t>(step));
      auto const end = annealing.proposals / steps;
      for (std::int64_t i = 0; i < end; i += at_once) now += try_some(seed, i, std::min(end, i + at_once), temperature);
      if (now < least) {
        least = now;
        best = place_;
      }
      if (over.is_reached(now, least)) break;
    }
    place_ = std::move(best);
    return -least;
  }

 private:
  struct Draft {
    std::uint64_t random;
    Block x, partner;  // no_block: it has none
  };
  struct Pair {
    Block x, y;  // the same one: none
  };
  struct Proposal {
    Pair pair;
    double limit;  // what J must not rise by
    std::size_t draft;

    bool refuses(Weight rise) const { return rise > 0 && static_cast<double>(rise) >= limit; }
  };
  using Drafts = std::span<Draft const>;

  /// Tries exchanges first .. end - 1 of a step. Whom they begin with is asked of all of them before, so that memory
  /// answers at the same time. Returns what J rises, every edge once.
  Weight try_some(std::uint64_t seed, std::int64_t first, std::int64_t end, double temperature) {
    std::array<Draft, at_once> drafts;
    std::size_t count = 0;
    for (auto i = first; i < end; ++i) {
      drafts[count] = draft(hash(seed, static_cast<std::uint64_t>(i)));
      count += drafts[count].partner != no_block ? 1 : 0;
    }
    Weight rise = 0;
    for (std::size_t next = 0; next < count;)
      next = try_until_exchange(Drafts(drafts).first(count), next, temperature, rise);
    return rise;
  }

  /// Looks at all drafts from `next` on, as memory answers at the same time then, and tries those that are not refused
  /// at sight, until two exchange: that is to be seen by those that follow. Returns which one is next.
  std::size_t try_until_exchange(Drafts drafts, std::size_t next, double temperature, Weight& rise) {
    std::array<Proposal, at_once> open;
    std::size_t count = 0;
    for (std::size_t i = next; i < drafts.size(); ++i) {
      auto const [x, y] = propose(drafts[i]);
      open[count] = {{x, y}, temperature * exponential(mix(~drafts[i].random)), i};
      count += may_exchange(x, y) && !is_refused_at_sight(open[count]) ? 1 : 0;
    }
    if (arcs_.are_far())
      for (std::size_t i = 0; i < count; ++i) arcs_.prefetch(open[i].pair.y);
    for (std::size_t i = 0; i < count; ++i)
      if (try_one(open[i], rise)) return open[i].draft + 1;
    return drafts.size();
  }

  /// Without a look at all arcs; so are most of them.
  bool is_refused_at_sight(Proposal const& proposal) const {
    auto const [x, y] = proposal.pair;
    Weight const apart = distance_.from(key_[index(x)])[key_[index(y)]];
    return proposal.refuses(change_of_pull(x, y) + least_rise(stay_[index(x)], apart) +
                            least_rise(stay_[index(y)], apart));
  }

  /// Exchanges x and y unless that is refused; adds what J rises. Returns whether they did.
  bool try_one(Proposal const& proposal, Weight& rise_of_all) {
    auto const [x, y] = proposal.pair;
    auto const of_x = distance_.from(key_[index(x)]), of_y = distance_.from(key_[index(y)]);
    Weight const apart = of_x[key_[index(y)]];
    auto& stay_x = stay_[index(x)];
    auto& stay_y = stay_[index(y)];
    Weight const price_x = price_there(x, y, of_y, apart), of_first = change_of_pull(x, y) + price_x - stay_x.price;
    if (proposal.refuses(of_first + least_rise(stay_y, apart))) return false;
    Weight const price_y = price_there(y, x, of_x, apart), rise = of_first + price_y - stay_y.price;
    if (proposal.refuses(rise)) return false;
    reprice_partners(x, y, of_x, of_y);
    reprice_partners(y, x, of_y, of_x);
    stay_x.price = price_x;
    stay_y.price = price_y;
    exchange(x, y);
    rise_of_all += rise;
    return true;
  }

  /// The nearest places of every place. It is one itself only where a block can come to the place of its partner.
  void find_near() {
    std::size_t const itself = one_each_ ? 0 : 1;
    near_count_ = std::min<std::size_t>(max_near, seats_.places() - 1) + itself;
    near_.resize(seats_.places() * near_count_);
    places_.team.for_each_job(static_cast<Edge>(seats_.places()), [&](Edge job) {
      auto const p = static_cast<Block>(job);
      auto order = candidates(p);
      auto const distance = distance_.from(distance_.key(p));
      auto const closer = [&](Block a, Block b) {
        auto const to_a = distance[distance_.key(a)], to_b = distance[distance_.key(b)];
        return to_a != to_b ? to_a < to_b : a < b;
      };
      auto const first = order.begin() + 1 - static_cast<std::ptrdiff_t>(itself);
      auto const end = first + static_cast<std::ptrdiff_t>(near_count_);
      std::partial_sort(order.begin() + 1, end, order.end(), closer);
      std::copy(first, end, near_.begin() + static_cast<std::ptrdiff_t>(index(p) * near_count_));
    });
  }

  /// p, then all other places, or some whose numbers are close where there are many: so are they themselves.
  std::vector<Block> candidates(Block p) const {
    constexpr std::size_t some = 256;
    auto const all = seats_.places();
    auto const count = places_.distance.in_table() ? all : std::min(some, all);
    auto const first = std::min(index(p) - std::min(index(p), count / 2), all - count);
    std::vector<Block> order(count);
    std::iota(order.begin(), order.end(), static_cast<Block>(first));
    std::swap(order[0], order[index(p) - first]);
    return order;
  }

  /// A random block and a random partner of it.
  Draft draft(std::uint64_t random) const {
    auto const x = static_cast<Block>(choose(random, tasks_));
    auto const arcs = arcs_.of(x);
    return {random, x, arcs.empty() ? no_block : arcs[choose(random << 16, arcs.size())].head};
  }

  /// The block, and one on a place near its partner, which there is, as blocks stand now.
  Pair propose(Draft const& draft) const {
    auto const [random, x, partner] = draft;
    Block const q = near_[index(seats_.place(partner)) * near_count_ + choose(random << 32, near_count_)];
    auto const seats = seats_.count(q);
    return {x, seats == 0 ? x : seats_.block(q, choose(random << 48, seats))};
  }

  /// Single blocks where they fit, others where no place gets too full, or fuller than it is.
  bool may_exchange(Block x, Block y) const {
    Block const p = seats_.place(x), q = seats_.place(y);
    if (p == q || leaves_none(p, q, y)) return false;
    if (one_each_ && num_weights_ == 1) return procmap::may_exchange(places_, traffic_, p, x, q, y);
    if (places_.anchors.holds(x) || places_.anchors.holds(y)) return false;
    for (std::size_t i = 0; i < num_weights_; ++i) {
      Weight const more = weight(y, i) - weight(x, i);
      if (more > 0 ? !has_room(row(p) + i, more) : !has_room(row(q) + i, -more)) return false;
    }
    return true;
  }
  bool has_room(std::size_t at, Weight more) const { return more == 0 || load_[at] + more <= limits_[at]; }

  bool is_spare(Block b) const { return index(b) >= tasks_; }
  /// Would the last task of p go to a spare seat of q? It may go where nobody is.
  bool leaves_none(Block p, Block q, Block seat) const {
    return is_spare(seat) && tasks_on_[index(p)] == 1 && tasks_on_[index(q)] > 0;
  }

  std::size_t row(Block p) const { return index(p) * num_weights_; }
  Weight weight(Block b, std::size_t i) const {
    return places_.limits.empty() ? traffic_.vertex_weight(b) : traffic_.load(b, static_cast<int>(i));
  }

  void exchange(Block x, Block y) {
    auto const p = row(seats_.place(x)), q = row(seats_.place(y));
    if (is_spare(y)) {
      --tasks_on_[index(seats_.place(x))];
      ++tasks_on_[index(seats_.place(y))];
    }
    for (std::size_t i = 0; i < num_weights_; ++i) {
      Weight const more = weight(y, i) - weight(x, i);
      load_[p + i] += more;
      load_[q + i] -= more;
    }
    seats_.exchange(x, y);
    std::swap(key_[index(x)], key_[index(y)]);
  }

  /// Every edge once.
  Weight traffic_cost() const {
    return std::accumulate(stay_.begin(), stay_.end(), Weight{0},
                           [](Weight sum, Stay const& stay) { return sum + stay.price; }) /
           2;
  }

  /// What the traffic of a block costs where it is, and how much it is.
  struct Stay {
    Weight price = 0, traffic = 0;
  };
  Stay stay_of(Block b) const {
    auto const from_here = distance_.from(key_[index(b)]);
    Stay stay;
    for (auto const [partner, weight] : arcs_.of(b)) {
      stay.price += weight * from_here[key_[index(partner)]];
      stay.traffic += weight;
    }
    return stay;
  }

  /// A block cannot pay less on a place so far away from its own one: whoever is near is far from there.
  Weight least_rise(Stay const& stay, Weight apart) const {
    return std::max<Weight>(0, is_metric_ ? stay.traffic * apart - stay.price : 0) - stay.price;
  }

  /// What the traffic of b costs on the place that distances are given `from`, so far away from its own one, where
  /// `other` comes from there.
  template <class Row>
  Weight price_there(Block b, Block other, Row from, Weight apart) const {
    Weight price = 0, between = 0;
    for (auto const [partner, weight] : arcs_.of(b)) {
      price += weight * from[key_[index(partner)]];
      between += partner == other ? weight : 0;
    }
    return price + between * apart;
  }

  /// b goes from one place to the other; between it and `other`, which goes the other way, nothing changes.
  template <class Row>
  void reprice_partners(Block b, Block other, Row from, Row to) {
    for (auto const [partner, weight] : arcs_.of(b)) {
      auto const there = key_[index(partner)];
      if (partner != other) stay_[index(partner)].price += weight * (to[there] - from[there]);
    }
  }

  /// What J rises if x and y exchange their places (every edge once).
  Weight change(Block x, Block y) const {
    auto const of_x = distance_.from(key_[index(x)]), of_y = distance_.from(key_[index(y)]);
    Weight const apart = of_x[key_[index(y)]];
    return price_there(x, y, of_y, apart) + price_there(y, x, of_x, apart) - stay_[index(x)].price -
           stay_[index(y)].price;
  }

  /// What x and y pay more for being away from home, on the same scale.
  Weight change_of_pull(Block x, Block y) const {
    Block const p = seats_.place(x), q = seats_.place(y);
    auto const& anchors = places_.anchors;
    return anchors.affinity(x, p) - anchors.affinity(x, q) + anchors.affinity(y, q) - anchors.affinity(y, p);
  }

  /// Of traffic alone: pulls that are large would make it so hot that traffic does not matter.
  double mean_change(std::uint64_t seed) const {
    auto const samples = static_cast<int>(4 * tasks_);
    double total = 0;
    for (int i = 0; i < samples; ++i) {
      auto const drafted = draft(hash(seed, Salt::annealing_samples, static_cast<std::uint64_t>(i)));
      if (drafted.partner == no_block) continue;
      auto const [x, y] = propose(drafted);
      if (seats_.place(x) != seats_.place(y)) total += static_cast<double>(std::abs(change(x, y)));
    }
    return total / samples;
  }

  CsrView traffic_;
  Arcs const& arcs_;
  Places const& places_;
  Distance const& distance_;
  std::vector<Block>& place_;  // of every block
  Seats seats_;
  std::vector<typename Distance::Key> key_;  // of the place of every block
  std::vector<Stay> stay_;                   // of every block
  bool is_metric_;
  bool one_each_;
  std::size_t num_weights_;
  std::span<Weight const> limits_;
  std::vector<Weight> load_;     // of every place and weight, as limits_
  std::size_t tasks_;            // the blocks that are no spare seats
  std::vector<Block> tasks_on_;  // every place
  std::vector<Block> near_;  // [p * near_count + i]
  std::size_t near_count_ = 0;
};

/// Returns by how much J fell, every edge once.
template <class Arcs>
Weight run_annealer(HostGraph const& traffic, Arcs const& arcs, Places const& places, Annealing annealing,
                    std::vector<Block>& place) {
  return places.distance.with([&](auto const& distance) {
    return Annealer(traffic, arcs, places, distance, annealing.tasks, place).run(annealing);
  });
}

/// On machines so large that hardly every block comes to its turn there is nothing to win.
bool worth_annealing(HostGraph const& traffic, Places const& places, Annealing const& annealing) {
  constexpr Edge fewest_each = 16;
  if (annealing.proposals == 0 || places.capacity.size() < 3 || traffic.heads.empty()) return false;
  return places.distance.in_table() || annealing.proposals >= fewest_each * traffic.view().num_vertices;
}

}  // namespace

std::int64_t affordable_proposals(HostGraph const& traffic, Annealing const& annealing) {
  Edge const arcs = traffic.offsets.back(), all = static_cast<Edge>(traffic.offsets.size()) - 1;
  Edge const blocks = annealing.tasks > 0 ? annealing.tasks : all;
  return std::min(annealing.proposals, annealing.most_arcs / (2 * arcs / std::max<Edge>(blocks, 1) + 1));
}

bool anneal_places(HostGraph const& traffic, Places const& places, Annealing annealing, std::vector<Block>& place) {
  annealing.proposals = affordable_proposals(traffic, annealing);
  if (!worth_annealing(traffic, places, annealing)) return false;
  return with_arc_rows(traffic,
                       [&](auto const& arcs) { return run_annealer(traffic, arcs, places, annealing, place) > 0; });
}

bool anneal_cool_and_hot(HostGraph const& traffic, Places const& places, Annealing annealing,
                         std::vector<Block>& place) {
  annealing.proposals = affordable_proposals(traffic, annealing);
  if (!worth_annealing(traffic, places, annealing)) return false;
  constexpr double hot = 0.4;
  constexpr Edge tries = 2;
  annealing.proposals /= tries;
  Annealing const tried[tries] = {annealing, {annealing.proposals, mix(annealing.seed), hot, annealing.most_arcs}};
  HostTeam alone;
  alone.checkpoint = places.team.checkpoint;
  alone.in_hurry = places.team.in_hurry;
  auto on_one_thread = places;
  on_one_thread.team = alone;
  std::vector<Block> result[tries] = {place, place};
  Weight fell[tries];
  with_arc_rows(traffic, [&](auto const& arcs) {
    places.team.for_each_job(
        tries, [&](Edge i) { fell[i] = run_annealer(traffic, arcs, on_one_thread, tried[i], result[i]); });
  });
  Edge const best = fell[1] > fell[0] ? 1 : 0;
  place = std::move(result[best]);
  return fell[best] > 0;
}

}  // namespace procmap
