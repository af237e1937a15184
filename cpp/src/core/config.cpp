// SPDX-License-Identifier: MIT
#include "procmap/config.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/config_text.hpp"
#include "core/edit_distance.hpp"
#include "core/quoted.hpp"
#include "procmap/error.hpp"
#include "procmap/topology.hpp"

namespace procmap {

namespace {

// What a field may hold: a range (inclusive), or the names of an enum in its order.
struct Domain {
  double min = 0, max = 0;
  std::string_view names;  // "matching, clustering"
};

// Calls visit(path, member, domain, description) for every field.
template <class C, class Visit>
void visit_fields(C& config, Visit&& visit) {
#define PROCMAP_NUMBER(section, name, default_value, min, max, sentence) \
  visit(#section "." #name, config.section.name, Domain{min, max, {}}, sentence);
#define PROCMAP_INTEGER PROCMAP_NUMBER
#define PROCMAP_REAL PROCMAP_NUMBER
#define PROCMAP_FLAG(section, name, default_value, sentence) \
  visit(#section "." #name, config.section.name, Domain{0, 1, {}}, sentence);
#define PROCMAP_CHOICE(section, Enum, name, default_value, sentence, ...) \
  visit(#section "." #name, config.section.name, Domain{0, 0, #__VA_ARGS__}, sentence);
#define PROCMAP_TOP_CHOICE(Enum, name, default_value, sentence, ...) \
  visit(#name, config.name, Domain{0, 0, #__VA_ARGS__}, sentence);
#include "procmap/config_fields.def"
#undef PROCMAP_NUMBER
}

template <class T>
constexpr ConfigField::Type type_of() {
  if constexpr (std::is_same_v<T, bool>) return ConfigField::Type::boolean;
  if constexpr (std::is_same_v<T, int>) return ConfigField::Type::integer;
  if constexpr (std::is_same_v<T, double>) return ConfigField::Type::real;
  if constexpr (std::is_enum_v<T>) return ConfigField::Type::choice;
}

std::vector<std::string> choices_of(Domain const& domain) {
  std::vector<std::string> names;
  auto rest = domain.names;
  while (!rest.empty()) {
    auto const comma = std::min(rest.find(", "), rest.size());
    names.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 2, rest.size()));
  }
  return names;
}

template <class T>
ConfigValue to_value(T value, Domain const& domain) {
  if constexpr (std::is_enum_v<T>) {
    auto const names = choices_of(domain);
    auto const index = static_cast<std::size_t>(value);
    return index < names.size() ? names[index] : std::to_string(index);
  } else if constexpr (std::is_same_v<T, int>) {
    return std::int64_t{value};
  } else {
    return value;
  }
}

[[noreturn]] void throw_outside(std::string_view path, std::string const& value, Domain const& domain) {
  auto const field = std::string(path) + " = " + value;
  if (!domain.names.empty()) throw ConfigError(field + " is none of " + std::string(domain.names));
  throw ConfigError(field + " is outside [" + to_text(domain.min) + ", " + to_text(domain.max) + "]");
}

[[noreturn]] void throw_not(std::string_view path, ConfigValue const& value, std::string_view kind) {
  throw ConfigError(std::string(path) + " = " + quoted(to_text(value), '"') + " is not " + std::string(kind));
}

template <class T>
void check(std::string_view path, T value, Domain const& domain) {
  bool inside = true;
  if constexpr (std::is_enum_v<T>) {
    inside = static_cast<std::size_t>(value) < choices_of(domain).size();
  } else if constexpr (!std::is_same_v<T, bool>) {
    inside = static_cast<double>(value) >= domain.min && static_cast<double>(value) <= domain.max;  // false for NaN
  }
  if (!inside) throw_outside(path, to_text(to_value(value, domain)), domain);
}

// `value` as what the field at `path` holds, or an error that says what it should be.
void convert(std::string_view path, ConfigValue const& value, Domain const&, bool& to) {
  auto const* const number = std::get_if<std::int64_t>(&value);
  if (auto const* const flag = std::get_if<bool>(&value)) {
    to = *flag;
  } else if (number != nullptr && (*number == 0 || *number == 1)) {
    to = *number == 1;
  } else {
    throw_not(path, value, "true or false");
  }
}

void convert(std::string_view path, ConfigValue const& value, Domain const& domain, int& to) {
  auto const* const number = std::get_if<std::int64_t>(&value);
  if (number == nullptr) throw_not(path, value, "an integer");
  if (!std::in_range<int>(*number)) throw_outside(path, to_text(value), domain);
  to = static_cast<int>(*number);
}

void convert(std::string_view path, ConfigValue const& value, Domain const&, double& to) {
  if (auto const* const integer = std::get_if<std::int64_t>(&value)) {
    to = static_cast<double>(*integer);
  } else if (auto const* const real = std::get_if<double>(&value)) {
    if (!std::isfinite(*real)) throw_not(path, value, "a finite number");
    to = *real;
  } else {
    throw_not(path, value, "a number");
  }
}

template <class Enum>
  requires std::is_enum_v<Enum>
void convert(std::string_view path, ConfigValue const& value, Domain const& domain, Enum& to) {
  auto const* const name = std::get_if<std::string>(&value);
  auto const names = choices_of(domain);
  auto const found = name == nullptr ? names.end() : std::find(names.begin(), names.end(), *name);
  if (found == names.end()) throw_outside(path, quoted(to_text(value), '"'), domain);
  to = static_cast<Enum>(found - names.begin());
}

template <class T>
void store(std::string_view path, ConfigValue const& value, Domain const& domain, T& field) {
  T converted{};
  convert(path, value, domain, converted);
  check(path, converted, domain);
  field = converted;
}

[[noreturn]] void throw_unknown(std::string_view path) {
  Config const config;
  std::vector<std::string_view> paths;
  visit_fields(config,
               [&](std::string_view field, auto const&, Domain const&, char const*) { paths.push_back(field); });
  std::string message = "unknown parameter " + quoted(path, '"') + "; the nearest are ";
  auto const near = nearest(path, paths, 3);
  for (auto const& name : near) message.append(&name == near.data() ? "" : ", ").append(name);
  throw ConfigError(message);
}

// Applies `visit` to the field at `path`, or throws and names the fields that look most like it.
template <class C, class Visit>
void visit_field(C& config, std::string_view path, Visit&& visit) {
  bool found = false;
  visit_fields(config, [&](std::string_view field, auto& value, Domain const& domain, char const*) {
    if (found || field != path) return;
    found = true;
    visit(value, domain);
  });
  if (!found) throw_unknown(path);
}

}  // namespace

void Config::validate() const {
  visit_fields(*this, [](std::string_view path, auto const& value, Domain const& domain, char const*) {
    check(path, value, domain);
  });
}

std::vector<ConfigField> config_fields() {
  std::vector<ConfigField> fields;
  Config const config;
  visit_fields(config, [&](char const* path, auto const& value, Domain const& domain, char const* description) {
    auto const type = type_of<std::remove_cvref_t<decltype(value)>>();
    fields.push_back({path, type, to_value(value, domain), description, domain.min, domain.max, choices_of(domain)});
  });
  return fields;
}

std::vector<ConfigSection> config_sections() {
  return {
#define PROCMAP_SECTION(Struct, section, sentence) {#section, #Struct, sentence},
#include "procmap/config_fields.def"
  };
}

ConfigValue get_value(Config const& config, std::string_view path) {
  ConfigValue result;
  visit_field(config, path, [&](auto const& value, Domain const& domain) { result = to_value(value, domain); });
  return result;
}

void set_value(Config& config, std::string_view path, ConfigValue const& value) {
  visit_field(config, path, [&](auto& field, Domain const& domain) { store(path, value, domain, field); });
}

std::string get_field(Config const& config, std::string_view path) { return to_text(get_value(config, path)); }

void set_field(Config& config, std::string_view path, std::string_view text) {
  visit_field(config, path, [&](auto& field, Domain const& domain) {
    auto const type = type_of<std::remove_cvref_t<decltype(field)>>();
    if (is_beyond_numbers(type, text)) throw_outside(path, printable(text), domain);
    store(path, from_text(type, text), domain, field);
  });
}

}  // namespace procmap
