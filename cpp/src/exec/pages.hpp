// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace procmap {

/// Is an array of so many bytes to have pages of its own? Each costs a visit to the system when it is first written.
bool deserves_pages(std::size_t bytes);

/// Pages for an array, empty at first; null if there is no memory left.
void* take_pages(std::size_t bytes);

/// Asks for large pages for an array that was not written yet: a visit to the system for each is much of the time that
/// writing it takes. Changes nothing where there are none.
void prefer_large_pages(void* array, std::size_t bytes);

/// Gives back what of the pages of an array of `bytes` lies behind the first `kept` bytes.
void give_pages_behind(void* array, std::size_t bytes, std::size_t kept);

}  // namespace procmap
