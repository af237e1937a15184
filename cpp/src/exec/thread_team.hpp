// SPDX-License-Identifier: MIT
#pragma once

namespace procmap {

/// Gives the calling thread a team of OpenMP threads and returns its size: `wanted`, or fewer where the system starts
/// no more. libgomp ends the process when it cannot start a thread, so as many are started and ended without it first.
/// Throws std::bad_alloc if there is no memory even for the bookkeeping.
///
/// A process may fork between parallel regions, whoever made its teams: the calling thread's team is taken apart before
/// the fork, and parent and child make one anew when they need it. Otherwise the child would wait for threads that it
/// has not got.
int prepare_team(int wanted);

}  // namespace procmap
