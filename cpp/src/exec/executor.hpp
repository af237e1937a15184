// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <vector>

#include "core/run.hpp"
#include "exec/pass_types.hpp"
#include "exec/probes.hpp"

// What an algorithm may ask of a machine. There are two kinds of phases, and so of executors: those of the host launch
// passes and decide between them; resident ones run where the passes run, decisions included, on a GPU inside one
// kernel. A phase says which it needs: template <HostExecutor Exec>, or template <ResidentExecutor Exec> and
// PROCMAP_RESIDENT.
//
//   verb                              | who      | waits | barriers | what it does
//   --------------------------------- | -------- | ----- | -------- | --------------------------------------------
//   buffer<T>(n)                      | both     | no    | 0        | n uninitialised elements, the caller's (3)
//   for_each(n, f)                    | both     | no    | 1        | f(i) for all i
//   for_each_in_group(n, work, f)     | both     | no    | 1 or 2   | f(i, group): its lanes share item i, the more
//                                     |          |       |          | the larger work(i) is
//   for_each_with_table(n, needs,     | both     | (4)   | 1 or 2   | f(i, group, table): its lanes share item i and
//     universe, f)                    |          |       |          | an empty table of keys in [0, universe);
//                                     |          |       |          | needs(i) are TableNeeds, whatever f does
//   sum(n, f)                         | both     | yes   | 1        | over f(i)
//   scan(n, f, out)                   | both     | yes   | 2        | out[i] = f(0) + ... + f(i-1) for i <= n;
//                                     |          |       |          | returns out[n]; f may read `out`
//   select(n, p, f, out)              | both     | yes   | 2        | out = f(i) of all i with p(i), in order of i;
//                                     |          |       |          | returns how many
//   sort(data, n, less)               | both     | no    | 1 + (5)  | by a strict total order
//   --------------------------------- | -------- | ----- | -------- | --------------------------------------------
//   fill(p, n, x), copy(from, n, to)  | host     | no    |          |
//   upload(host, n, p)                | host     | no    |          | `host` may be overwritten at once
//   download(p, n, host), read(p)     | host     | yes   |          |
//   max(n, f)                         | host     | yes   |          | over f(i); the lowest Weight if n is 0
//   prefix_sums(n, f, out)            | host     | no    |          | scan, if out[n] is not needed at once
//   scan_rows(n, f, out)              | host     | yes   |          | scan; returns out[n] and the largest f(i), or 0
//   list(n, p, f, out)                | host     | no    |          | select, if nobody needs to know how many
//   for_each_team(n, work, f)         | host     | no    |          | f(i, team) for few items of very different
//                                     |          |       |          | sizes, with the more lanes each the more work
//                                     |          |       |          | there is in all, about in arcs
//   for_each_team_in_order(queue, f)  | GPU      | no    |          | f(i, slot, team), each item as soon as those are
//                                     |          |       |          | done that it waits for; slot: a number of its
//                                     |          |       |          | own among items at work. Whatever waits for an
//                                     |          |       |          | item for which f says false is left out
//   for_each_job(n, f)                | host     | yes   |          | f(i) on a thread of the host; f may throw
//   for_each_part(n, work, f)         | host     | yes   |          | f(i, executor), independent parts of a call,
//                                     |          |       |          | which look at `work` arcs in all; f may throw;
//                                     |          |       |          | what the executor of part 0 makes may be kept
//   has_small_teams                   | host     |       |          | a constant: parts of one phase run at the same
//                                     |          |       |          | time, and so are worth making; buffers are memory
//                                     |          |       |          | of the host
//   waits_for_hubs                    | host     |       |          | a constant: an item much larger than all others
//   is
//                                     |          |       |          | served by part of the machine, the rest is idle
//   threads()                         | host     |       |          | of the host, for jobs
//   slab_arcs()                       | host     |       |          | for passes with temporary rows: arcs at a time
//   host()                            | host     |       |          | the executor of the host's threads, for this run
//   host_arcs()                       | host     |       |          | work on graphs with at most so many arcs is done
//                                     |          |       |          | sooner there, results brought back
//   resident(needs, f)                | host     | no    |          | f(executor), a composite of resident phases;
//                                     |          |       |          | KernelTraits<F> says how it is compiled
//   resident_parts(needs, f)          | GPU      | no    |          | resident(needs[i], f.of(i)) for all i at the
//                                     |          |       |          | same time, each by a crew; their tables have at
//                                     |          |       |          | most so many keys that crews_hold(keys)
//   scratch_bytes<T>(n), pass_bytes(n)| host     |       |          | what a buffer and a pass of n items add to
//                                     |          |       |          | ResidentNeeds::scratch_bytes
//   run()                             | host     |       |          | the call: `Phase phase(ex.run(), "name")` times
//                                     |          |       |          | what follows in its scope, run().checkpoint()
//                                     |          |       |          | lets the caller interrupt
//   --------------------------------- | -------- | ----- | -------- | --------------------------------------------
//   for_each_ahead(n, f)              | resident |       | 0        | for_each, seen only after the next barrier
//   sum_in_group(n, f)                | resident |       | 1        | over f(i, group), as its first lane says
//   scan(n, f, out, visit)            | resident |       | 2        | and visit(i, out[i])
//   collect(n, p, f, out)             | resident |       | 1        | select in any order, for lists whose order
//                                     |          |       |          | means nothing; writes before its barrier
//   by_few(n, f)                      | resident |       | 1        | f(executor), passes over at most n items each;
//                                     |          |       |          | returns what it does. On a GPU by one block
//                                     |          |       |          | while the others wait, if there are few: before
//                                     |          |       |          | f there is no barrier, and of its variables all
//                                     |          |       |          | get no more than what it returns
//   ScratchScope scope(ex)            | resident |       | 0        | gives back at its end what buffers took since
//   phase("name")                     | resident |       | 0        | times what follows in its scope, like Phase;
//                                     |          |       |          | a literal of less than max_phase_name
//   checkpoint()                      | resident |       | 0        | lets the caller interrupt, if the host can
//
// (1) waits: the host, for the machine. Passes run in the order they are asked for. Inside `resident` there is no host
//     to wait; results are there when the verb returns.
// (2) barriers: of the whole grid, about 1 us each, inside `resident` on a GPU; 2 if an item is large.
// (3) Inside `resident` all buffers come out of ResidentNeeds::scratch_bytes. More than that is a logic_error on the
//     CPU, where tests find it, and a trap on a GPU.
// (4) On a GPU, if the tables of large items may need much memory.
// (5) One per merge of runs, 16 at a time.
//
// What groups, teams and tables are: exec/lanes.hpp.

namespace procmap {

/// HostExecutor::host_arcs() of who is the host, or has no threads there.
inline constexpr Edge nothing_for_host = -1;

/// What executors of the host and resident ones have in common.
template <class E>
concept Passes =
    requires(E& ex, Edge n, probe::Pass pass, probe::Term term, probe::Predicate predicate, probe::GroupPass group_pass,
             probe::TablePass table_pass, probe::Less less, Weight* weights, Edge* sums) {
      { *ex.template buffer<Weight>(std::size_t{}).data() } -> std::same_as<Weight&>;
      requires std::same_as<decltype(ex.template buffer<Weight>(std::size_t{})), typename E::template Buffer<Weight>>;
      ex.for_each(n, pass);
      ex.for_each_in_group(n, term, group_pass);
      ex.for_each_with_table(n, term, Vertex{}, table_pass);
      { ex.sum(n, term) } -> std::same_as<Weight>;
      { ex.scan(n, term, sums) } -> std::same_as<Edge>;
      { ex.select(n, predicate, term, weights) } -> std::same_as<Edge>;
      ex.sort(weights, n, less);
    };

/// Launches passes; decisions between them are taken by its caller.
template <class E>
concept HostExecutor =
    Passes<E> &&
    requires(E& ex, Edge n, probe::Pass pass, probe::Term term, probe::Predicate predicate, probe::TeamPass team_pass,
             probe::Composite composite, Weight* weights, Weight const* from, Edge* sums) {
      ex.fill(weights, n, Weight{});
      ex.copy(from, n, weights);
      ex.upload(from, n, weights);
      ex.download(from, n, weights);
      { ex.read(from) } -> std::same_as<Weight>;
      { ex.max(n, term) } -> std::same_as<Weight>;
      ex.prefix_sums(n, term, sums);
      { ex.scan_rows(n, term, sums) } -> std::same_as<ScannedRows>;
      ex.list(n, predicate, term, weights);
      ex.for_each_team(n, n, team_pass);
      ex.for_each_job(n, pass);
      ex.for_each_part(n, n, probe::PartPass{});
      { +E::has_small_teams } -> std::same_as<int>;
      { +E::waits_for_hubs } -> std::same_as<int>;
      { ex.threads() } -> std::same_as<int>;
      { ex.slab_arcs() } -> std::same_as<Edge>;
      { ex.host_arcs() } -> std::same_as<Edge>;
      ex.host();
      { ex.run() } -> std::same_as<Run&>;
      ex.resident(ResidentNeeds{}, composite);
      { E::template scratch_bytes<Weight>(std::size_t{}) } -> std::same_as<std::size_t>;
      { E::pass_bytes(std::size_t{}) } -> std::same_as<std::size_t>;
    };

/// One that starts many teams by one launch and lets them wait for each other.
template <class E>
concept TeamQueueExecutor =
    HostExecutor<E> && requires(E& ex) { ex.for_each_team_in_order(TeamQueue{}, probe::TurnPass{}); };

/// One that runs many composites at the same time, each by a crew of lanes of its own.
template <class E>
concept CrewExecutor = HostExecutor<E> && requires(E& ex, std::vector<ResidentNeeds> needs) {
  ex.resident_parts(needs, probe::Composites{});
  { E::crews_hold(Vertex{}) } -> std::same_as<bool>;
};

/// What HostExecutor::resident hands out.
template <class E>
concept ResidentExecutor =
    Passes<E> && requires(E& ex, Edge n, probe::Pass pass, probe::Term term, probe::Predicate predicate,
                          probe::GroupTerm group_term, probe::Visit visit, Weight* weights, Edge* sums) {
      ex.for_each_ahead(n, pass);
      { ex.sum_in_group(n, group_term) } -> std::same_as<Weight>;
      { ex.scan(n, term, sums, visit) } -> std::same_as<Edge>;
      { ex.collect(n, predicate, term, weights) } -> std::same_as<Edge>;
      { ex.by_few(n, probe::Count{}) } -> std::same_as<Edge>;
      typename E::ScratchScope;
      requires std::constructible_from<typename E::ScratchScope, E&>;
      ex.phase("name");
      ex.checkpoint();
    };

template <class Exec, class T>
using Buffer = typename Exec::template Buffer<T>;

}  // namespace procmap
