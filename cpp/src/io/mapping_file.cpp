// SPDX-License-Identifier: MIT
#include <charconv>
#include <string>
#include <system_error>

#include "io/file_text.hpp"
#include "io/metis_scan.hpp"
#include "io/text_writer.hpp"
#include "procmap/io.hpp"

namespace procmap {

namespace {

char const* token_end(char const* at) {
  while (!is_blank(*at) && *at != '\n') ++at;
  return at;
}

// Only blank lines and comments from here on?
bool is_rest_blank(char const* line, char const* end) {
  while (line < end && (is_blank_line(line) || is_comment(line))) line = next_line(line, end);
  return line == end;
}

class MappingScanner {
 public:
  MappingScanner(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  std::vector<Block> scan() const {
    std::vector<Block> blocks;
    auto const* const end = text_.data() + text_.size();
    for (auto const* line = text_.data(); line < end; line = next_line(line, end)) {
      if (is_comment(line)) continue;
      if (is_blank_line(line)) {
        if (is_rest_blank(line, end)) break;
        fail(line, "the line is blank, expected the PE of vertex " + std::to_string(blocks.size()));
      }
      blocks.push_back(scan_line(line));
    }
    return blocks;
  }

 private:
  [[noreturn]] void fail(char const* at, std::string const& message) const { throw_at(name_, text_, at, message); }

  Block scan_line(char const* at) const {
    while (is_blank(*at)) ++at;
    Block pe = 0;
    auto const* rest = token_end(at);
    auto const [number_end, error] = std::from_chars(at, rest, pe);
    if (number_end != rest || error == std::errc::invalid_argument)
      fail(at, "PE " + quote_token(at) + " is not an integer");
    if (*at == '-') fail(at, "PE " + quote_token(at) + " is negative");
    if (error != std::errc()) fail(at, "PE " + quote_token(at) + " is too large");
    while (is_blank(*rest)) ++rest;
    if (*rest != '\n') fail(rest, "unexpected " + quote_token(rest) + ", expected one PE per line");
    return pe;
  }

  std::string_view text_, name_;
};

}  // namespace

// An empty file is the mapping of an empty graph.
std::vector<Block> read_mapping(std::filesystem::path const& path) {
  auto const file = FileText::read(path);
  return MappingScanner(file.text(), path.string()).scan();
}

void write_mapping(std::span<Block const> blocks, std::filesystem::path const& path) {
  TextWriter out(path);
  for (auto const block : blocks) {
    out.put(Edge{block});
    out.put('\n');
  }
  out.close();
}

}  // namespace procmap
