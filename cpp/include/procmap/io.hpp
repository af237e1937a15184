// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "procmap/export.h"
#include "procmap/graph.hpp"

namespace procmap PROCMAP_API {

// A file is written beside its place and takes it when it is whole: an older one stays as it was if writing fails.
// Pipes, devices and the like, such as /dev/stdout, are written directly. Throws FileError "PATH: why not".

/// Reads a METIS graph file: header "n m [fmt [ncon]]", fmt 0, 1, 10, 11, 100, 110, 111 (with or
/// without leading zeros), ncon 1; comment lines (%), CRLF, tabs, runs of blanks, isolated
/// vertices as empty lines and a missing final newline are legal. Throws FileError
/// "PATH:LINE: ..." or GraphError.
Graph read_metis(std::filesystem::path const& path, int threads = 0);
/// The same from memory; `name` stands for the path in messages.
Graph parse_metis(std::string_view text, std::string_view name, int threads = 0);
void write_metis(Graph const& graph, std::filesystem::path const& path);

/// One PE per line, in vertex order.
std::vector<Block> read_mapping(std::filesystem::path const& path);
void write_mapping(std::span<Block const> blocks, std::filesystem::path const& path);

/// Any text.
void write_text(std::string_view text, std::filesystem::path const& path);

}  // namespace procmap PROCMAP_API
