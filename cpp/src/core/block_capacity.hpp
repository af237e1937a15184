// SPDX-License-Identifier: MIT
#pragma once

namespace procmap {

/// Throws ConfigError unless it is finite and >= 0.
void check_imbalance(double imbalance);

}  // namespace procmap
