// SPDX-License-Identifier: MIT
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "opinion.hpp"

namespace procmap::fuzz {

/// A file that is only in memory, for what reads and writes paths.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(::memfd_create("fuzz", 0)) { expect(descriptor_ >= 0, "no memory file"); }
  explicit MemoryFile(std::string_view text) : MemoryFile() {
    while (!text.empty()) {
      auto const written = ::write(descriptor_, text.data(), text.size());
      expect(written > 0, "a memory file is full");
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  MemoryFile(MemoryFile const&) = delete;
  MemoryFile& operator=(MemoryFile const&) = delete;
  ~MemoryFile() { ::close(descriptor_); }

  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

  std::string text() const {
    std::string text(static_cast<std::size_t>(::lseek(descriptor_, 0, SEEK_END)), '\0');
    auto const size = ::pread(descriptor_, text.data(), text.size(), 0);
    expect(size == static_cast<::ssize_t>(text.size()), "a memory file cannot be read");
    return text;
  }

 private:
  int descriptor_;
};

}  // namespace procmap::fuzz
