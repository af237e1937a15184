// SPDX-License-Identifier: MIT
#include "cartesian/machine_digits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/index.hpp"
#include "support/machines.hpp"

namespace procmap::test {
namespace {

std::vector<Machine> machines_with_digits() {
  auto machines = all_machines();
  for (auto const& machine : other_machines()) machines.push_back(machine);
  machines.push_back({"torus with a dimension of one", Topology::torus({4, 1, 6}, {2, 5, 1})});
  std::erase_if(machines, [](Machine const& machine) { return !has_digits(machine.topology); });
  return machines;
}

TEST(MachineDigits, AreThoseOfHierarchiesAndWholeGrids) {
  EXPECT_EQ(machines_with_digits().size(), all_machines().size() + 5);
  EXPECT_FALSE(has_digits(Topology::torus({4, 4}).sub(std::vector<Block>{0, 1, 5})));
  EXPECT_FALSE(has_digits(Topology::dragonfly(4, 3, 2)));
}

TEST(MachineDigits, NumberEveryPeOnce) {
  for (auto const& [name, machine] : machines_with_digits()) {
    Block count = 1;
    for (auto const& digit : digits_of(machine)) count *= digit.size;
    EXPECT_EQ(count, machine.num_pes()) << name;

    auto pes = pes_of_numbers(machine);
    std::ranges::sort(pes);
    for (Block pe = 0; pe < machine.num_pes(); ++pe) ASSERT_EQ(pes[index(pe)], pe) << name;
  }
}

TEST(MachineDigits, SayHowFarApartPesAreOfWhichOneDigitDiffers) {
  for (auto const& [name, machine] : machines_with_digits()) {
    auto const pes = pes_of_numbers(machine);
    for (auto const& digit : digits_of(machine))
      for (Block number = 0; number < machine.num_pes(); ++number) {
        Block const value = number / digit.stride % digit.size;
        for (Block steps = 1; value + steps < digit.size; ++steps)
          ASSERT_EQ(machine.distance(pes[index(number)], pes[index(number + steps * digit.stride)]),
                    digit.distance(steps))
              << name << ", " << number << " and " << steps << " steps of " << digit.stride;
      }
  }
}

TEST(MachineDigits, AreInOrderOfTheirCosts) {
  for (auto const& [name, machine] : machines_with_digits()) {
    auto const digits = digits_of(machine);
    EXPECT_TRUE(std::ranges::is_sorted(digits, std::ranges::greater{}, &MachineDigit::cost)) << name;
  }
}

TEST(MachineDigits, SayHowFarApartRunsAreOfWhichEveryOtherGoesBackwards) {
  for (auto const& machine :
       {Topology::torus({24}, {3}), Topology::mesh({30}), Topology::torus({15}), Topology::flat(12)})
    for (auto const& digit : digits_of(machine))
      for (Block run = 1; run <= digit.size; ++run)
        for (Block apart = 1; digit.size % run == 0 && apart < digit.size / run; ++apart) {
          Weight sum = 0;
          for (Block a = 0; a < run; ++a) sum += digit.distance(apart * run + (apart % 2 == 0 ? a : run - 1 - a) - a);

          EXPECT_EQ(static_cast<Weight>(digit.distances_between_runs(run, apart)), sum)
              << machine.describe() << ": " << run << ", " << apart;
        }
}

}  // namespace
}  // namespace procmap::test
