// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/check.hpp"
#include "graph/chunks.hpp"
#include "io/file_text.hpp"
#include "io/metis_errors.hpp"
#include "io/metis_scan.hpp"
#include "procmap/io.hpp"

namespace procmap {

namespace {

using Parts = std::vector<MetisRows>;

// Blank lines at the end may be isolated vertices or nothing; the rest of the body is vertex lines and comments.
struct Body {
  char const* begin;
  char const* end;
  Edge blank_lines = 0;
};

Body split_body(char const* begin, char const* end) {
  Body body{begin, end, end[-1] == '\n'};  // an empty last line may lack its newline
  while (body.end > begin) {
    auto const* line = body.end - 1;
    while (line > begin && line[-1] != '\n') --line;
    if (is_blank_line(line))
      ++body.blank_lines;
    else if (!is_comment(line))
      break;
    body.end = line;
  }
  return body;
}

Parts scan_body(Body const& body, MetisHeader const& header, int threads) {
  constexpr std::ptrdiff_t chunk_bytes = 1 << 16;
  auto const bytes = body.end - body.begin;
  auto const num_parts = static_cast<int>(std::clamp<std::ptrdiff_t>(bytes / chunk_bytes, 1, threads));
  std::vector<char const*> starts(static_cast<std::size_t>(num_parts) + 1, body.end);
  starts[0] = body.begin;
  for (int i = 1; i < num_parts; ++i)
    starts[static_cast<std::size_t>(i)] = next_line(body.begin + bytes / num_parts * i, body.end);
  Parts parts(static_cast<std::size_t>(num_parts));
  for_each_chunk(num_parts, threads, [&](int part) {
    auto const i = static_cast<std::size_t>(part);
    parts[i] = scan_metis_rows(starts[i], std::max(starts[i], starts[i + 1]), header);
  });
  return parts;
}

template <class T>
SharedArray<T> join(Parts& parts, std::vector<T> MetisRows::* member, int threads) {
  if (parts.size() == 1) return std::move(parts[0].*member);
  std::vector<std::size_t> starts{0};
  for (auto const& part : parts) starts.push_back(starts.back() + (part.*member).size());
  auto values = std::make_shared_for_overwrite<T[]>(starts.back());
  for_each_chunk(static_cast<int>(parts.size()), threads, [&](int part) {
    auto const i = static_cast<std::size_t>(part);
    std::ranges::copy(parts[i].*member, values.get() + starts[i]);
    (parts[i].*member) = {};
  });
  std::span<T const> const span(values.get(), starts.back());
  return {span, std::move(values)};
}

// The offsets of the parts put behind each other, with `blank_rows` empty rows at the end.
std::vector<Edge> join_offsets(Parts& parts, Edge blank_rows) {
  auto offsets = std::move(parts[0].offsets);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    auto const base = offsets.back();
    auto const& rows = parts[i].offsets;
    std::transform(rows.begin() + 1, rows.end(), std::back_inserter(offsets), [=](Edge end) { return base + end; });
  }
  offsets.resize(offsets.size() + static_cast<std::size_t>(blank_rows), offsets.back());
  return offsets;
}

// Of `count` weights of every vertex, the first is one array and the others are another.
void set_first_apart(CsrArrays& arrays, std::size_t count) {
  auto const all = arrays.vertex_weights.span();
  std::vector<Weight> first, further;
  first.reserve(all.size() / count);
  further.reserve(all.size() - all.size() / count);
  for (std::size_t at = 0; at < all.size(); ++at) (at % count == 0 ? first : further).push_back(all[at]);
  arrays.vertex_weights = std::move(first);
  arrays.further_weights = std::move(further);
  arrays.num_further = static_cast<int>(count) - 1;
}

Graph parse(FileText const& file, std::string_view name, int threads) {
  auto const text = file.text();
  auto const header = scan_metis_header(text, name);
  MetisErrors const errors(text, name, header);
  threads = resolve_threads(threads);

  auto const body = split_body(header.body, text.data() + text.size());
  auto parts = scan_body(body, header, threads);
  Edge num_rows = 0;
  for (auto const& part : parts) {
    if (part.defect) errors.throw_defect(part);
    num_rows += static_cast<Edge>(part.offsets.size()) - 1;
  }
  auto const blank_rows = header.num_vertices - num_rows;
  if (blank_rows < 0 || blank_rows > body.blank_lines) errors.throw_vertex_count();
  if (blank_rows > 0) errors.check_blank_row(static_cast<Vertex>(num_rows));

  CsrArrays arrays;
  arrays.offsets = join_offsets(parts, blank_rows);
  arrays.heads = join(parts, &MetisRows::heads, threads);
  arrays.arc_weights = join(parts, &MetisRows::arc_weights, threads);
  arrays.vertex_weights = join(parts, &MetisRows::vertex_weights, threads);
  if (header.num_weights > 1) set_first_apart(arrays, static_cast<std::size_t>(header.num_weights));
  try {
    auto graph = Graph::from_csr(arrays, threads);
    errors.check_edge_count(arrays);
    return graph;
  } catch (LocatedGraphError const& error) {
    errors.throw_graph_error(error);
  }
}

}  // namespace

Graph read_metis(std::filesystem::path const& path, int threads) {
  return parse(FileText::read(path), path.string(), threads);
}

Graph parse_metis(std::string_view text, std::string_view name, int threads) {
  return parse(FileText::copy(text), name, threads);
}

}  // namespace procmap
