// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace procmap {

/// A position in a standard container: ids are signed, those positions are not.
constexpr std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace procmap
