// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <system_error>

#include "opinion.hpp"
#include "procmap/config.hpp"
#include "procmap/error.hpp"
#include "words.hpp"

// Parameters as text, "refinement.rounds=12" on each line: taken exactly if the list of fields says so, and written and
// read again the same. A line that is refused changes nothing.

namespace procmap::fuzz {
namespace {

bool is_integer_of(std::string_view text, ConfigField const& field) {
  std::int64_t value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && static_cast<double>(value) >= field.min &&
         static_cast<double>(value) <= field.max;
}

bool is_real_of(std::string_view text, ConfigField const& field) {
  auto const strange = text.empty() || text.find_first_not_of("0123456789.-+eE") != std::string_view::npos;
  if (strange || text[0] == '+') return false;
  double value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= field.min && value <= field.max;
}

bool is_value_of(std::string_view text, ConfigField const& field) {
  auto const is = [&](std::string_view other) { return text == other; };
  switch (field.type) {
    case ConfigField::Type::boolean:
      return is("true") || is("false") || is("0") || is("1");
    case ConfigField::Type::integer:
      return is_integer_of(text, field);
    case ConfigField::Type::real:
      return is_real_of(text, field);
    case ConfigField::Type::choice:
      return std::any_of(field.choices.begin(), field.choices.end(), is);
  }
  return false;
}

ConfigField const* field_of(std::string_view path) {
  static auto const fields = config_fields();
  auto const field = std::find_if(fields.begin(), fields.end(), [&](auto const& f) { return f.path == path; });
  return field == fields.end() ? nullptr : &*field;
}

// The library compares an unknown name with all there are, which takes a hundred times as long as the rest.
bool is_left_out(std::string_view path) {
  return !field_of(path) && std::accumulate(path.begin(), path.end(), path.size()) % 16 != 0;
}

std::string written(Config const& config) {
  static auto const fields = config_fields();
  std::string text;
  for (auto const& field : fields) text += field.path + "=" + get_field(config, field.path) + "\n";
  return text;
}

void set(Config& config, std::string_view path, std::string_view value) {
  if (is_left_out(path)) return;
  auto const* const field = field_of(path);
  bool const right = field && is_value_of(value, *field);
  try {
    set_field(config, path, value);
    expect(right, "accepted");
  } catch (ConfigError const& error) {
    expect_readable(error);
    expect(!right, "refused, but correct");
  }
  config.validate();
}

void check(std::string_view text) {
  Config config;
  for (auto const line : split(text, "\n")) {
    auto const equals = std::min(line.find('='), line.size());
    set(config, line.substr(0, equals), line.substr(std::min(equals + 1, line.size())));
  }
  auto const lines = written(config);
  Config again;
  for (auto const line : split(lines, "\n"))
    if (!line.empty()) set_field(again, line.substr(0, line.find('=')), line.substr(line.find('=') + 1));
  expect(written(again) == lines, "written and read, it is another configuration");
}

}  // namespace
}  // namespace procmap::fuzz

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  procmap::fuzz::check({reinterpret_cast<char const*>(data), size});
  return 0;
}
