// SPDX-License-Identifier: MIT
#include "core/config_text.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <system_error>
#include <variant>

namespace procmap {

namespace {

std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(std::int64_t value) { return std::to_string(value); }
std::string text_of(std::string const& value) { return value; }

std::string text_of(double value) {
  char text[32];
  auto const plain = value == 0 || (std::abs(value) >= 1e-4 && std::abs(value) < 1e15);
  auto const format = plain ? std::chars_format::fixed : std::chars_format::general;
  return {text, std::to_chars(text, text + sizeof text, value, format).ptr};
}

// The whole text as a T; std::errc{} if it is one.
template <class T>
std::errc read(std::string_view text, T& value) {
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return end == text.data() + text.size() ? error : std::errc::invalid_argument;
}

template <class T>
ConfigValue number(std::string_view text) {
  T value{};
  if (read(text, value) != std::errc{}) return std::string(text);
  return value;
}

template <class T>
bool is_beyond(std::string_view text) {
  T value{};
  return read(text, value) == std::errc::result_out_of_range;
}

}  // namespace

std::string to_text(ConfigValue const& value) {
  return std::visit([](auto const& held) { return text_of(held); }, value);
}

ConfigValue from_text(ConfigField::Type type, std::string_view text) {
  if (type == ConfigField::Type::integer) return number<std::int64_t>(text);
  if (type == ConfigField::Type::real) return number<double>(text);
  if (type == ConfigField::Type::boolean && (text == "true" || text == "1")) return true;
  if (type == ConfigField::Type::boolean && (text == "false" || text == "0")) return false;
  return std::string(text);
}

bool is_beyond_numbers(ConfigField::Type type, std::string_view text) {
  if (type == ConfigField::Type::integer) return is_beyond<std::int64_t>(text);
  return type == ConfigField::Type::real && is_beyond<double>(text);
}

}  // namespace procmap
