// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <future>
#include <system_error>
#include <vector>

#include "exec/pages.hpp"
#include "procmap/types.hpp"

namespace procmap {

/// Memory of the host for the blocks of a result. The system hands out pages so slowly that a call of 50 million
/// vertices on a GPU would wait a tenth of its time for them at the end, so a large one is made while the engine is at
/// work, if that is elsewhere.
class ResultRoom {
 public:
  ResultRoom(std::size_t num_vertices, bool engine_is_elsewhere) {
    constexpr std::size_t large = std::size_t{1} << 20;  // a thread is worth its start
    auto const make = [num_vertices] {
      std::vector<Block> blocks;
      blocks.reserve(num_vertices);
      prefer_large_pages(blocks.data(), num_vertices * sizeof(Block));
      blocks.resize(num_vertices);
      return blocks;
    };
    bool const meanwhile = engine_is_elsewhere && num_vertices >= large;
    try {
      blocks_ = std::async(meanwhile ? std::launch::async : std::launch::deferred, make);
    } catch (std::system_error const&) {  // the system starts no more threads
      blocks_ = std::async(std::launch::deferred, make);
    }
  }

  /// Once. Throws std::bad_alloc if there was not enough memory.
  std::vector<Block> take() { return blocks_.get(); }

 private:
  std::future<std::vector<Block>> blocks_;
};

}  // namespace procmap
