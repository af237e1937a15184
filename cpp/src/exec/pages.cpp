// SPDX-License-Identifier: MIT
#include "exec/pages.hpp"

#include <cstdint>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#include <unistd.h>
#define PROCMAP_HAS_PAGES 1
#else
#define PROCMAP_HAS_PAGES 0
#endif

namespace procmap {

#if PROCMAP_HAS_PAGES

namespace {

// Smaller ones come and go more often, and their pages would each time: with 2 MiB twice as many are touched anew
// (measured on roads).
constexpr std::size_t smallest = std::size_t{4} << 20;

std::size_t page_size() {
  static auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return page;
}

std::size_t whole_pages(std::size_t bytes) { return (bytes + page_size() - 1) / page_size() * page_size(); }

}  // namespace

bool deserves_pages(std::size_t bytes) { return bytes >= smallest; }

void* take_pages(std::size_t bytes) {
  void* const array = mmap(nullptr, whole_pages(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
  return array == MAP_FAILED ? nullptr : array;
}

void prefer_large_pages([[maybe_unused]] void* array, [[maybe_unused]] std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
  auto const begin = reinterpret_cast<std::uintptr_t>(array);
  auto const first = whole_pages(begin), last = (begin + bytes) / page_size() * page_size();
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

void give_pages_behind(void* array, std::size_t bytes, std::size_t kept) {
  auto const first = whole_pages(kept), last = whole_pages(bytes);
  if (first < last) munmap(static_cast<char*>(array) + first, last - first);
}

#else

bool deserves_pages(std::size_t) { return false; }
void* take_pages(std::size_t) { return nullptr; }
void prefer_large_pages(void*, std::size_t) {}
void give_pages_behind(void*, std::size_t, std::size_t) {}

#endif

}  // namespace procmap
