// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "memory_file.hpp"
#include "opinion.hpp"
#include "plain_graph.hpp"
#include "procmap/error.hpp"
#include "procmap/io.hpp"
#include "words.hpp"

// METIS graph files: read exactly if they are what the format's definition says, and as it says; what was read is
// written and read again, and comments and threads make no difference.

namespace procmap::fuzz {
namespace {

constexpr std::string_view name = "the file";

struct Header {
  std::int64_t n = 0, m = 0;
  bool sizes = false, loads = false, weights = false;
  std::int64_t num_loads = 1;
};

std::optional<Header> header_of(std::vector<std::string_view> const& words) {
  if (words.size() < 2 || words.size() > 4) return {};
  auto const n = natural(words[0], (std::int64_t{1} << 31) - 1), m = natural(words[1]);
  auto const ncon = words.size() == 4 ? natural(words[3], 8) : std::optional<std::int64_t>(1);
  if (!n || !m || !ncon) return {};
  auto const format = words.size() > 2 ? words[2] : "0";
  if (format.size() > 3 || format.find_first_not_of("01") != std::string_view::npos) return {};
  auto const digits = std::string(3 - format.size(), '0') + std::string(format);
  if (*ncon > 1 && digits[1] != '1') return {};
  return Header{*n, *m, digits[0] == '1', digits[1] == '1', digits[2] == '1', std::max<std::int64_t>(*ncon, 1)};
}

// Appends the row of the next vertex.
bool append(PlainGraph& graph, Header const& header, std::vector<std::string_view> const& words) {
  std::size_t i = 0;
  if (header.sizes && (i == words.size() || !natural(words[i++]))) return false;
  for (std::int64_t j = 0; header.loads && j < header.num_loads; ++j) {
    auto const load = i < words.size() ? natural(words[i++]) : std::nullopt;
    if (!load) return false;
    graph.vertex_weights.push_back(*load);
  }
  while (i < words.size()) {
    auto const head = natural(words[i++], header.n);
    if (!head || *head == 0) return false;
    graph.heads.push_back(static_cast<Vertex>(*head - 1));
    if (!header.weights) continue;
    auto const weight = i < words.size() ? natural(words[i++]) : std::nullopt;
    if (!weight) return false;
    graph.arc_weights.push_back(*weight);
  }
  graph.offsets.push_back(static_cast<Edge>(graph.heads.size()));
  return true;
}

// Self-loops count as none, once, or half for every time they are listed.
bool is_number_of_edges(std::int64_t m, PlainGraph const& graph) {
  std::int64_t loops = 0;
  auto const listed = static_cast<std::int64_t>(graph.heads.size());
  for (std::size_t v = 0; v + 1 < graph.offsets.size(); ++v)
    for (Edge e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e)
      loops += graph.heads[at(e)] == static_cast<Vertex>(v);
  auto const edges = (listed - loops) / 2;
  return m == edges || m == edges + loops || (listed % 2 == 0 && m == listed / 2);
}

std::optional<Meaning> by_definition(std::string_view text) {
  auto lines = lines_of(text);
  while (!lines.empty() && lines.front().empty()) lines.erase(lines.begin());
  std::int64_t blank = 0;  // at the end: isolated vertices or nothing, as n says
  for (; !lines.empty() && lines.back().empty(); lines.pop_back()) ++blank;
  if (lines.empty()) return {};
  auto const header = header_of(lines.front());
  if (!header) return {};
  auto const missing = header->n - (static_cast<std::int64_t>(lines.size()) - 1);
  if (missing < 0 || missing > blank) return {};
  lines.resize(lines.size() + at(missing));
  PlainGraph graph;
  graph.num_weights = at(header->num_loads);
  for (std::size_t v = 1; v < lines.size(); ++v)
    if (!append(graph, *header, lines[v])) return {};
  if (!is_number_of_edges(header->m, graph)) return {};
  return meaning_of(graph);
}

std::optional<Graph> read(std::string_view text, int threads) {
  try {
    return parse_metis(text, name, threads);
  } catch (FileError const& error) {
    expect_line_of(name, text, error);
    return {};
  }
}

void expect_survives_writing(Graph const& graph) {
  MemoryFile const file, second;
  write_metis(graph, file.path());
  auto const again = read_metis(file.path(), 1);
  expect(meaning_of(plain(again)) == meaning_of(plain(graph)), "written and read, it is another graph");
  write_metis(again, second.path());
  expect(file.text() == second.text(), "written twice, it is another file");
}

// Long enough that several threads read a part each.
std::string with_long_comments(std::string_view text) {
  std::string const comment = "%" + std::string(30'000, 'c') + "\n";
  std::string longer = comment;
  for (auto const line : split_lines(text)) longer.append(line).append("\n").append(comment);
  return longer;
}

void check(std::string_view text) {
  auto const expected = by_definition(text);
  auto const graph = read(text, 1);
  expect(graph.has_value() == expected.has_value(), graph ? "accepted" : "refused, but correct");
  if (graph) {
    expect(meaning_of(plain(*graph)) == expected, "another graph than the file's");
    expect_survives_writing(*graph);
  }
  // Seldom, as it takes a hundred times longer.
  if (std::accumulate(text.begin(), text.end(), text.size()) % 128 != 0 || text.size() > 300) return;
  auto const longer = with_long_comments(text);
  auto const in_parts = read(longer, 3);
  auto const whole = by_definition(longer);
  expect(in_parts.has_value() == whole.has_value(), "in parts, accepted or refused wrongly");
  if (in_parts) expect(meaning_of(plain(*in_parts)) == whole, "in parts, another graph than the file's");
}

}  // namespace
}  // namespace procmap::fuzz

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  procmap::fuzz::check({reinterpret_cast<char const*>(data), size});
  return 0;
}
