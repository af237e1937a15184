// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "procmap/config.hpp"

namespace procmap {

/// The shortest text that from_text reads back as `value`, without an exponent where people write none.
std::string to_text(ConfigValue const& value);

/// The value that `text` says for a field of this type; `text` itself if it says none, which no field but a choice
/// takes.
ConfigValue from_text(ConfigField::Type type, std::string_view text);

/// Is `text` a number, but too large or too close to 0 for every field of this type?
bool is_beyond_numbers(ConfigField::Type type, std::string_view text);

}  // namespace procmap
