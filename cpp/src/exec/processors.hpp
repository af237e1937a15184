// SPDX-License-Identifier: MIT
#pragma once

namespace procmap {

/// Processors on which this process may run, no more than its control group pays for; at least 1.
int num_processors();

/// Threads of a call that says nothing of them: OMP_NUM_THREADS if the environment had it at the first call, as other
/// programs of a node are told there too, else one per processor.
int default_threads();

}  // namespace procmap
