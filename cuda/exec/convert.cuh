// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <stdexcept>
#include <type_traits>

#include "cuda/exec/cuda_executor.cuh"
#include "procmap/device_array.hpp"

namespace procmap {

template <class T>
inline constexpr ElementType element_type = ElementType::int64;
template <>
inline constexpr ElementType element_type<Vertex> = ElementType::int32;
static_assert(std::is_same_v<Vertex, std::int32_t> && std::is_same_v<Weight, std::int64_t>);

/// Whether `value` is an integer that a signed integer of type To can hold.
template <class To, class From>
PROCMAP_HD bool fits(From value) {
  if constexpr (std::is_floating_point_v<From>) {
    constexpr double end = -static_cast<double>(std::numeric_limits<To>::min());  // max + 1, which is a double
    auto const x = static_cast<double>(value);
    return x >= -end && x < end && static_cast<double>(static_cast<To>(x)) == x;
  } else if constexpr (std::is_unsigned_v<From>) {
    return value <= static_cast<std::make_unsigned_t<To>>(std::numeric_limits<To>::max());
  } else {
    return value >= std::numeric_limits<To>::min() && value <= std::numeric_limits<To>::max();
  }
}

template <class From, class To>
bool convert_from(CudaExecutor& ex, From const* from, Edge n, To* to) {
  return ex.sum(n, [=] PROCMAP_LAMBDA(Edge i) -> Weight {
    bool const fitting = fits<To>(from[i]);
    to[i] = fitting ? static_cast<To>(from[i]) : To{0};
    return fitting ? 0 : 1;
  }) == 0;
}

/// Writes the same values as To; false if one does not fit.
template <class To>
bool convert(CudaExecutor& ex, DeviceArray const& array, To* to) {
  auto const from = [&]<class From>(From) {
    return convert_from(ex, static_cast<From const*>(array.data), array.size, to);
  };
  switch (array.type) {
    case ElementType::int8:
      return from(std::int8_t{});
    case ElementType::int16:
      return from(std::int16_t{});
    case ElementType::int32:
      return from(std::int32_t{});
    case ElementType::int64:
      return from(std::int64_t{});
    case ElementType::uint8:
      return from(std::uint8_t{});
    case ElementType::uint16:
      return from(std::uint16_t{});
    case ElementType::uint32:
      return from(std::uint32_t{});
    case ElementType::uint64:
      return from(std::uint64_t{});
    case ElementType::float32:
      return from(float{});
    case ElementType::float64:
      return from(double{});
  }
  throw std::logic_error("unknown type of an element");
}

}  // namespace procmap
