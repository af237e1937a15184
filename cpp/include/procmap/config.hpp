// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "procmap/export.h"

namespace procmap PROCMAP_API {

// The parameters of the algorithms that are worth tuning. config_fields.def lists them: name, default, range and what
// each does; the types and structs here are made of that list. Constants that are no parameters stand where they are
// used, and docs/design/constants.md says why each of them is none.

// enum class Method { integrated, multisection }, and so on
#define PROCMAP_TOP_CHOICE(Enum, name, default_value, sentence, ...) enum class Enum { __VA_ARGS__ };
#define PROCMAP_CHOICE(section, Enum, name, default_value, sentence, ...) enum class Enum { __VA_ARGS__ };
#include "procmap/config_fields.def"

// clang-format off: it takes the brace for the end of a block
// struct CoarseningConfig { CoarseningAlgorithm algorithm = CoarseningAlgorithm::clustering; ... }, and so on
#define PROCMAP_SECTION(Struct, section, sentence) struct Struct {
#define PROCMAP_INTEGER(section, name, default_value, min, max, sentence) int name = default_value;
#define PROCMAP_REAL(section, name, default_value, min, max, sentence) double name = default_value;
#define PROCMAP_FLAG(section, name, default_value, sentence) bool name = default_value;
#define PROCMAP_CHOICE(section, Enum, name, default_value, sentence, ...) Enum name = Enum::default_value;
#define PROCMAP_END_SECTION };
#include "procmap/config_fields.def"
// clang-format on

/// One preset of procmap. Aggregates only: a Config is what it says.
struct Config {
  // Method method = Method::multisection; CoarseningConfig coarsening; and so on
#define PROCMAP_TOP_CHOICE(Enum, name, default_value, sentence, ...) Enum name = Enum::default_value;
#define PROCMAP_SECTION(Struct, section, sentence) Struct section;
#include "procmap/config_fields.def"

  /// One of preset_names(); throws ConfigError naming them.
  static Config preset(std::string_view name);
  static std::vector<std::string> preset_names();

  /// Throws ConfigError naming the first field outside its range.
  void validate() const;
};

/// A value of any field. That of a choice is its name.
using ConfigValue = std::variant<bool, std::int64_t, double, std::string>;

/// A field as users see it: "refinement.rounds".
struct ConfigField {
  enum class Type { boolean, integer, real, choice };
  std::string path;
  Type type;
  ConfigValue default_value;
  std::string description;  ///< a sentence
  double min = 0, max = 0;  ///< inclusive range of integers and reals
  std::vector<std::string> choices;  ///< of a choice
};

/// A struct of fields: "refinement".
struct ConfigSection {
  std::string path;
  std::string type_name;  ///< "RefinementConfig"
  std::string description;
};

/// All fields, in declaration order.
std::vector<ConfigField> config_fields();
/// All sections, in declaration order.
std::vector<ConfigSection> config_sections();

ConfigValue get_value(Config const& config, std::string_view path);
/// Checks type and range. A real takes integers, a boolean also 0 and 1; throws ConfigError.
void set_value(Config& config, std::string_view path, ConfigValue const& value);

/// Value of a field as text: "12", "0.25", "true", "clustering".
std::string get_field(Config const& config, std::string_view path);
/// Sets a field from text and checks its range; throws ConfigError.
void set_field(Config& config, std::string_view path, std::string_view value);

}  // namespace procmap PROCMAP_API
