// SPDX-License-Identifier: MIT
#include "procmap/config.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "procmap/error.hpp"

namespace procmap {
namespace {

using Type = ConfigField::Type;

std::string text(double value) {
  if (value == std::trunc(value)) return std::to_string(static_cast<long long>(value));
  std::array<char, 64> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

// The values next to the range of an integer or a real, on its outer sides.
double below(ConfigField const& field) {
  return field.type == Type::integer ? field.min - 1
                                     : std::nextafter(field.min, -std::numeric_limits<double>::infinity());
}
double above(ConfigField const& field) {
  return field.type == Type::integer ? field.max + 1
                                     : std::nextafter(field.max, std::numeric_limits<double>::infinity());
}

// Two different legal values of a field.
std::array<std::string, 2> legal_values(ConfigField const& field) {
  switch (field.type) {
    case Type::boolean:
      return {"true", "false"};
    case Type::choice:
      return {field.choices.front(), field.choices.back()};
    default:
      return {text(field.min), text(field.max)};
  }
}

// What `action` says when it throws ConfigError; "" if it does not.
template <class F>
std::string message_of(F action) {
  try {
    action();
  } catch (ConfigError const& error) {
    return error.what();
  }
  return "";
}

std::string message_of_set(std::string const& path, std::string const& value) {
  Config config;
  return message_of([&] { set_field(config, path, value); });
}

TEST(ConfigFields, HaveDistinctPaths) {
  std::set<std::string> paths;

  for (auto const& field : config_fields()) EXPECT_TRUE(paths.insert(field.path).second) << field.path;
}

/// "Something of at least twenty characters (measured, under these circumstances)."; std::regex takes long to compile.
bool is_sentence_with_source(std::string const& text) {
  auto const bracket = text.rfind('(');
  if (bracket == std::string::npos || bracket < 21 || text.front() < 'A' || text.front() > 'Z') return false;
  auto const source = text.substr(bracket + 1);
  return source.ends_with(").") && source.find(')') == source.size() - 2 &&
         std::ranges::any_of(std::array{"paper", "measured", "bound"}, [&](std::string const& word) {
           return source.starts_with(word) && std::isalnum(source[word.size()]) == 0;
         });
}

// Users read them one at a time.
TEST(ConfigFields, AreDescribedByASentenceThatEndsWithTheSourceOfTheDefault) {
  std::set<std::string> sentences;

  for (auto const& field : config_fields()) {
    EXPECT_TRUE(is_sentence_with_source(field.description)) << field.path << ": " << field.description;
    EXPECT_TRUE(sentences.insert(field.description).second) << field.path << " is described like another field";
  }
}

TEST(ConfigFields, NameOnlyFieldsThatExistInTheirDescriptions) {
  for (auto const& field : config_fields()) {
    auto const& text = field.description;
    for (auto begin = text.find('`'); begin != std::string::npos; begin = text.find('`', begin)) {
      auto const end = text.find('`', begin + 1);
      auto const named = text.substr(begin + 1, end - begin - 1);

      EXPECT_NO_THROW(get_field({}, named)) << field.path;
      begin = end + 1;
    }
  }
}

TEST(ConfigSections, AreThoseOfTheFieldsAndNameTheirStructs) {
  std::vector<std::string> of_fields;
  for (auto const& field : config_fields())
    if (auto const dot = field.path.find('.'); dot != std::string::npos) {
      auto const section = field.path.substr(0, dot);
      if (of_fields.empty() || of_fields.back() != section) of_fields.push_back(section);
    }
  std::vector<std::string> sections;
  for (auto const& section : config_sections()) sections.push_back(section.path);

  EXPECT_EQ(sections, of_fields);
  EXPECT_EQ(config_sections().front().type_name, "CoarseningConfig");
  for (auto const& section : config_sections()) EXPECT_TRUE(section.description.ends_with('.')) << section.path;
}

TEST(ConfigFields, NumbersHaveARangeAndChoicesHaveNames) {
  for (auto const& field : config_fields()) {
    EXPECT_EQ(field.type == Type::choice, !field.choices.empty()) << field.path;
    if (field.type == Type::integer || field.type == Type::real) {
      EXPECT_LT(field.min, field.max) << field.path;
    }
  }
}

TEST(ConfigFields, KnowTheirDefaults) {
  for (auto const& field : config_fields()) EXPECT_EQ(field.default_value, get_value({}, field.path)) << field.path;
}

TEST(SetField, IsReadBackByGetField) {
  for (auto const& field : config_fields())
    for (auto const& value : legal_values(field)) {
      Config config;

      set_field(config, field.path, value);

      EXPECT_EQ(get_field(config, field.path), value) << field.path;
    }
}

TEST(SetField, ChangesNoOtherField) {
  for (auto const& field : config_fields())
    for (auto const& value : legal_values(field)) {
      Config const original;
      Config config;

      set_field(config, field.path, value);

      for (auto const& other : config_fields())
        if (other.path != field.path) {
          EXPECT_EQ(get_field(config, other.path), get_field(original, other.path)) << field.path;
        }
    }
}

TEST(SetField, TakesBothEndsOfEveryRangeAndNothingBeyond) {
  for (auto const& field : config_fields()) {
    if (field.type == Type::boolean || field.type == Type::choice) continue;

    EXPECT_EQ(message_of_set(field.path, text(field.min)), "");
    EXPECT_EQ(message_of_set(field.path, text(field.max)), "");
    EXPECT_NE(message_of_set(field.path, text(below(field))), "") << field.path;
    EXPECT_NE(message_of_set(field.path, text(above(field))), "") << field.path;
  }
}

TEST(SetField, LeavesTheConfigAloneWhenItThrows) {
  Config config;

  EXPECT_THROW(set_field(config, "refinement.rounds", "0"), ConfigError);

  EXPECT_EQ(config.refinement.rounds, Config{}.refinement.rounds);
}

TEST(SetField, NamesFieldValueAndRange) {
  EXPECT_EQ(message_of_set("refinement.rounds", "0"), "refinement.rounds = 0 is outside [1, 100000]");
  EXPECT_EQ(message_of_set("refinement.rounds", "99999999999999999999"),
            "refinement.rounds = 99999999999999999999 is outside [1, 100000]");
  EXPECT_EQ(message_of_set("coarsening.two_hop_above", "1.5"), "coarsening.two_hop_above = 1.5 is outside [0, 1]");
  EXPECT_EQ(message_of_set("method", "hybrid"), "method = \"hybrid\" is none of integrated, multisection");
}

TEST(SetField, RejectsTextThatIsNotWhollyAValue) {
  for (auto const* const value : {"", " ", "12x", " 12", "12 ", "1.5", "1e3", "0x10", "+1", "many"})
    EXPECT_EQ(message_of_set("refinement.rounds", value),
              "refinement.rounds = \"" + std::string(value) + "\" is not an integer");
  for (auto const* const value : {"", "0.5x", "0,5", " 0.5", "half"})
    EXPECT_EQ(message_of_set("refinement.progress", value),
              "refinement.progress = \"" + std::string(value) + "\" is not a number");
  for (auto const* const value : {"nan", "inf", "-inf"})
    EXPECT_EQ(message_of_set("refinement.progress", value),
              "refinement.progress = \"" + std::string(value) + "\" is not a finite number");
  for (auto const* const value : {"", "yes", "True", "2"})
    EXPECT_EQ(message_of_set("refinement.subtree_swaps", value),
              "refinement.subtree_swaps = \"" + std::string(value) + "\" is not true or false");
}

TEST(SetField, TakesZeroAndOneForBooleans) {
  Config config;

  set_field(config, "refinement.subtree_swaps", "0");
  EXPECT_FALSE(config.refinement.subtree_swaps);
  set_field(config, "refinement.subtree_swaps", "1");
  EXPECT_TRUE(config.refinement.subtree_swaps);
}

TEST(SetField, SuggestsFieldsForAnUnknownPath) {
  auto const misspelt = message_of_set("refinment.rounds", "1");
  auto const without_section = message_of_set("rounds", "1");

  EXPECT_TRUE(misspelt.starts_with("unknown parameter \"refinment.rounds\"; the nearest are refinement.rounds, "))
      << misspelt;
  EXPECT_NE(without_section.find("refinement.rounds"), std::string::npos) << without_section;
}

TEST(SetField, QuotesTextThatIsLongOrCannotBePrinted) {
  std::string const longer(1000000, 'x'), cut(40, 'x');

  EXPECT_EQ(message_of_set("method", "in\xb4\ng"), "method = \"in??g\" is none of integrated, multisection");
  EXPECT_EQ(message_of_set("method", longer), "method = \"" + cut + "...\" is none of integrated, multisection");
  EXPECT_EQ(message_of_set("refinement.progress", longer), "refinement.progress = \"" + cut + "...\" is not a number");
  EXPECT_LT(message_of_set("refinement.rounds", std::string(1000000, '9')).size(), 200);
  EXPECT_TRUE(message_of_set(longer, "1").starts_with("unknown parameter \"" + cut + "...\"; the nearest are "));
  EXPECT_TRUE(message_of_set("\x1b[31m", "1").starts_with("unknown parameter \"?[31m\"; the nearest are "));
}

TEST(SetValue, TakesWhatAFieldHoldsAndIsReadBackByGetValue) {
  Config config;

  set_value(config, "refinement.rounds", std::int64_t{20});
  set_value(config, "refinement.progress", 0.5);
  set_value(config, "refinement.subtree_swaps", false);
  set_value(config, "method", std::string("integrated"));

  EXPECT_EQ(config.refinement.rounds, 20);
  EXPECT_EQ(config.refinement.progress, 0.5);
  EXPECT_FALSE(config.refinement.subtree_swaps);
  EXPECT_EQ(config.method, Method::integrated);
  EXPECT_EQ(get_value(config, "refinement.rounds"), ConfigValue(std::int64_t{20}));
  EXPECT_EQ(get_value(config, "method"), ConfigValue(std::string("integrated")));
}

TEST(SetValue, TakesIntegersForRealsAndZeroAndOneForBooleans) {
  Config config;

  set_value(config, "coarsening.shrink_factor", std::int64_t{3});
  set_value(config, "refinement.subtree_swaps", std::int64_t{0});

  EXPECT_EQ(config.coarsening.shrink_factor, 3.0);
  EXPECT_FALSE(config.refinement.subtree_swaps);
}

TEST(SetValue, RefusesOtherTypesAndValuesOutOfRange) {
  Config config;
  auto const message = [&](char const* path, ConfigValue const& value) {
    return message_of([&] { set_value(config, path, value); });
  };

  EXPECT_EQ(message("refinement.rounds", 12.0), "refinement.rounds = \"12\" is not an integer");
  EXPECT_EQ(message("refinement.rounds", true), "refinement.rounds = \"true\" is not an integer");
  EXPECT_EQ(message("refinement.rounds", std::string("12")), "refinement.rounds = \"12\" is not an integer");
  EXPECT_EQ(message("refinement.rounds", std::int64_t{0}), "refinement.rounds = 0 is outside [1, 100000]");
  EXPECT_EQ(message("refinement.rounds", std::int64_t{1} << 40),
            "refinement.rounds = 1099511627776 is outside [1, 100000]");
  EXPECT_EQ(message("refinement.progress", true), "refinement.progress = \"true\" is not a number");
  EXPECT_EQ(message("refinement.progress", 1.5), "refinement.progress = 1.5 is outside [0, 1]");
  EXPECT_EQ(message("refinement.subtree_swaps", std::int64_t{2}),
            "refinement.subtree_swaps = \"2\" is not true or false");
  EXPECT_EQ(message("refinement.subtree_swaps", 1.0), "refinement.subtree_swaps = \"1\" is not true or false");
  EXPECT_EQ(message("method", std::int64_t{1}), "method = \"1\" is none of integrated, multisection");
  EXPECT_EQ(config.refinement.rounds, Config{}.refinement.rounds);
}

TEST(GetField, ThrowsForAnUnknownPath) {
  EXPECT_THROW(get_field({}, "refinement"), ConfigError);
  EXPECT_THROW(get_field({}, ""), ConfigError);
}

TEST(Validate, NamesTheFirstFieldOutsideItsRange) {
  Config config;
  config.initial.starts = -3;
  config.refinement.rounds = 0;

  EXPECT_EQ(message_of([&] { config.validate(); }), "initial.starts = -3 is outside [1, 1000]");
}

TEST(Validate, RejectsNaNAndValuesThatAreNoEnumerator) {
  Config with_nan;
  with_nan.refinement.progress = std::numeric_limits<double>::quiet_NaN();
  Config with_unknown_method;
  with_unknown_method.method = static_cast<Method>(7);

  EXPECT_EQ(message_of([&] { with_nan.validate(); }), "refinement.progress = nan is outside [0, 1]");
  EXPECT_EQ(message_of([&] { with_unknown_method.validate(); }), "method = 7 is none of integrated, multisection");
}

TEST(Preset, IsValidForEveryName) {
  for (auto const& name : Config::preset_names()) EXPECT_NO_THROW(Config::preset(name).validate()) << name;
}

TEST(Preset, DefaultIsTheDefaultConfig) {
  auto const preset = Config::preset("default");

  for (auto const& field : config_fields()) EXPECT_EQ(get_field(preset, field.path), get_field({}, field.path));
}

TEST(Preset, UltraIsMultisectionWithStepsOfTheFilter) {
  auto expected = Config::preset("hm");
  expected.refinement.repetitions = 18;
  expected.refinement.annealing_steps = 26;
  expected.refinement.rebalancing = Rebalancing::sorted;
  expected.multisection.slack_share = 0.7;
  expected.refinement.rounds = 12;
  expected.multisection.inner_rounds = 12;
  expected.multisection.even_rounds = 12;
  auto const ultra = Config::preset("hm-ultra");

  for (auto const& field : config_fields()) EXPECT_EQ(get_field(ultra, field.path), get_field(expected, field.path));
}

TEST(Preset, NamesTheKnownOnesForAnUnknownName) {
  auto const message = message_of([] { Config::preset("slow"); });

  EXPECT_TRUE(message.starts_with("unknown preset \"slow\"; the presets are ")) << message;
  for (auto const& name : Config::preset_names()) EXPECT_NE(message.find(name), std::string::npos) << message;
  EXPECT_TRUE(message_of([] { Config::preset("s\now"); }).starts_with("unknown preset \"s?ow\"; "));
}

}  // namespace
}  // namespace procmap
