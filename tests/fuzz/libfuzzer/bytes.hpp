// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace procmap::fuzz {

/// An input as a row of choices; all 0 behind its end.
class Bytes {
 public:
  Bytes(std::uint8_t const* data, std::size_t size) : data_(data, size) {}

  bool empty() const { return data_.empty(); }

  std::uint8_t next() {
    if (data_.empty()) return 0;
    auto const first = data_[0];
    data_ = data_.subspan(1);
    return first;
  }

  /// In [0, bound), bound <= 256.
  int below(int bound) { return next() % bound; }
  /// One in `rate` times; never behind the end.
  bool one_in(int rate) { return next() % rate == 1; }

  /// Mostly small, and now and then what overflows, wraps or is negative.
  std::int64_t odd_integer() {
    using Limits = std::numeric_limits<std::int64_t>;
    static constexpr std::array<std::int64_t, 19> odd = {-1,
                                                         -2,
                                                         1 << 15,
                                                         1 << 22,
                                                         (1 << 22) + 1,
                                                         1 << 28,
                                                         std::numeric_limits<std::int32_t>::max(),
                                                         std::int64_t{1} << 31,
                                                         (std::int64_t{1} << 32) - 1,
                                                         std::int64_t{1} << 32,
                                                         std::int64_t{1} << 40,
                                                         std::int64_t{1} << 61,
                                                         (std::int64_t{1} << 62) - 1,
                                                         std::int64_t{1} << 62,
                                                         Limits::max(),
                                                         Limits::min(),
                                                         std::numeric_limits<std::int32_t>::min(),
                                                         429496729,
                                                         858993459};
    auto const choice = next();
    return choice < 256 - odd.size() ? choice % 16 : odd[choice - (256 - odd.size())];
  }

  double odd_real() {
    using Limits = std::numeric_limits<double>;
    static constexpr std::array<double, 16> odd = {0,
                                                   0.03,
                                                   0.5,
                                                   1,
                                                   0.1,
                                                   1e-9,
                                                   2.5,
                                                   100,
                                                   1e18,
                                                   1e300,
                                                   -0.0,
                                                   5e-324,
                                                   -0.1,
                                                   Limits::quiet_NaN(),
                                                   Limits::infinity(),
                                                   -Limits::infinity()};
    return odd[next() % odd.size()];
  }

 private:
  std::span<std::uint8_t const> data_;
};

}  // namespace procmap::fuzz
