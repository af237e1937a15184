// SPDX-License-Identifier: MIT
// Legal files, also the odd ones: the right graph comes out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "procmap/error.hpp"
#include "procmap/io.hpp"
#include "support/files.hpp"
#include "support/graphs.hpp"
#include "support/message.hpp"
#include "support/metis_text.hpp"

namespace procmap::test {
namespace {

Graph parse(std::string const& text, int threads = 0) { return parse_metis(text, "test.graph", threads); }

void expect_equal(Graph const& a, Graph const& b) {
  EXPECT_TRUE(std::ranges::equal(a.offsets(), b.offsets()));
  EXPECT_TRUE(std::ranges::equal(a.heads(), b.heads()));
  EXPECT_TRUE(std::ranges::equal(a.arc_weights(), b.arc_weights()));
  EXPECT_TRUE(std::ranges::equal(a.vertex_weights(), b.vertex_weights()));
}

Graph const& grid() {
  static Graph const graph = grid2d(20, 20);
  return graph;
}

std::string replace_all(std::string const& text, char from, std::string const& to) {
  std::string result;
  for (auto const c : text) result += c == from ? to : std::string(1, c);
  return result;
}

TEST(MetisReader, ReadsTheGrid) { expect_equal(parse(join(metis_lines(grid()))), grid()); }

TEST(MetisReader, AcceptsWindowsLineEnds) { expect_equal(parse(join(metis_lines(grid()), "\r\n")), grid()); }

TEST(MetisReader, AcceptsAMissingFinalNewline) {
  auto text = join(metis_lines(grid()));
  text.pop_back();

  expect_equal(parse(text), grid());
}

TEST(MetisReader, SkipsCommentsAnywhere) {
  auto lines = metis_lines(grid());
  lines.insert(lines.begin() + 200, "% between 1 2 3");
  lines.insert(lines.begin(), {"% first", "%", "  % indented"});
  lines.push_back("% last");

  expect_equal(parse(join(lines)), grid());
}

TEST(MetisReader, AcceptsTabsAndRunsOfBlanks) {
  auto const text = join(metis_lines(grid()));

  expect_equal(parse(replace_all(text, ' ', "\t")), grid());
  expect_equal(parse(" " + replace_all(replace_all(text, ' ', "   "), '\n', "\n  ")), grid());
  expect_equal(parse(replace_all(text, '\n', " \n")), grid());
}

TEST(MetisReader, AcceptsTheLineEndsOfAnySystem) {
  auto const text = join(metis_lines(grid()));

  for (auto const* end : {"\r\n", "\r\r\n", "\r"}) expect_equal(parse(replace_all(text, '\n', end)), grid());
  expect_equal(parse("% none is lost\r4 1\r\r4\r\n\n2\r"), graph_from_edges(4, {{1, 3}}));
}

TEST(MetisReader, IgnoresBlankLinesAtTheEnd) {
  auto const text = join(metis_lines(grid()));

  expect_equal(parse(text + "\n\n \t\n"), grid());
  expect_equal(parse(text + "\n% comment\n\n"), grid());
  EXPECT_EQ(parse(join(metis_lines(grid(), "10", "1")) + "\n\n").num_vertices(), 400);
}

TEST(MetisReader, TakesBlankLinesForIsolatedVertices) {
  expect_equal(parse("4 1\n\n4\n\n2\n"), graph_from_edges(4, {{1, 3}}));
  expect_equal(parse("4 1\n2\n1\n\n\n"), graph_from_edges(4, {{0, 1}}));
  expect_equal(parse("4 1\n2\n1\n\n"), graph_from_edges(4, {{0, 1}}));  // the last newline is missing
  expect_equal(parse("4 1\n2\n1\n\n\n\n\n% end\n"), graph_from_edges(4, {{0, 1}}));
  expect_equal(parse("3 1\n2\n1\n% comment\n"), graph_from_edges(3, {{0, 1}}));
}

TEST(MetisReader, ReadsDegenerateGraphs) {
  expect_equal(parse("0 0\n"), empty());
  expect_equal(parse("0 0"), empty());
  expect_equal(parse("1 0\n\n"), single_vertex());
  expect_equal(parse("1 0\n"), single_vertex());
  expect_equal(parse(join(metis_lines(no_edges(400)))), no_edges(400));
  expect_equal(parse(join(metis_lines(disconnected(3)))), disconnected(3));
}

TEST(MetisReader, UnderstandsEveryFormat) {
  std::string const edge = " 7", vertex = "3", both = "9 3";
  for (auto const* format : {"0", "00", "000"}) expect_equal(parse(join(metis_lines(grid(), format))), grid());
  for (auto const* format : {"1", "01", "001", "1 1", "001 0"}) {
    auto const graph = parse(join(metis_lines(grid(), format, "", edge)));
    EXPECT_TRUE(std::ranges::equal(graph.heads(), grid().heads())) << format;
    EXPECT_TRUE(std::ranges::equal(graph.arc_weights(), std::vector<Weight>(1520, 7))) << format;
    EXPECT_TRUE(graph.vertex_weights().empty()) << format;
  }
  for (auto const* format : {"10", "010", "10 1"}) {
    auto const graph = parse(join(metis_lines(grid(), format, vertex)));
    EXPECT_TRUE(std::ranges::equal(graph.heads(), grid().heads())) << format;
    EXPECT_TRUE(std::ranges::equal(graph.vertex_weights(), std::vector<Weight>(400, 3))) << format;
    EXPECT_TRUE(graph.arc_weights().empty()) << format;
  }
  for (auto const* format : {"11", "011"}) {
    auto const graph = parse(join(metis_lines(grid(), format, vertex, edge)));
    EXPECT_EQ(graph.total_vertex_weight(), 1200) << format;
    EXPECT_EQ(graph.total_arc_weight(), 7 * 1520) << format;
  }
  auto const sized = parse(join(metis_lines(grid(), "111 1", both, edge)));
  EXPECT_EQ(sized.total_vertex_weight(), 1200);
  EXPECT_EQ(sized.total_arc_weight(), 7 * 1520);
}

TEST(MetisReader, ReadsAndForgetsVertexSizes) { expect_equal(parse(join(metis_lines(grid(), "100", "5"))), grid()); }

TEST(MetisReader, AcceptsZeroAndBigWeights) {
  EXPECT_EQ(parse(join(metis_lines(grid(), "1", "", " 0"))).total_arc_weight(), 0);
  EXPECT_EQ(parse(join(metis_lines(grid(), "10", "0"))).total_vertex_weight(), 0);
  EXPECT_EQ(parse(join(metis_lines(grid(), "1", "", " 3000000000"))).total_arc_weight(), 1520 * Weight{3000000000});
  EXPECT_EQ(parse(join(metis_lines(grid(), "10", "100000000"))).total_vertex_weight(), 400 * Weight{100000000});
  EXPECT_EQ(parse("2 1 11\n4611686018427387900 2 2305843009213693951\n3 1 2305843009213693951\n").total_arc_weight(),
            (Weight{1} << 62) - 2);
  EXPECT_EQ(parse("1 0 10\n00000000000000000000000000000000000005").total_vertex_weight(), 5);
}

TEST(MetisReader, DropsSelfLoopsHoweverTheyAreCounted) {
  auto lines = metis_lines(grid());
  lines[1] = "1 1 " + lines[1];
  for (auto const* header : {"400 761", "400 760", "400 762"}) {
    lines[0] = header;
    expect_equal(parse(join(lines)), grid());
  }
  lines = metis_lines(grid());
  lines[1] = "1 " + lines[1];
  for (auto const* header : {"400 761", "400 760"}) {
    lines[0] = header;
    expect_equal(parse(join(lines)), grid());
  }
}

TEST(MetisReader, AddsUpRepeatedEdges) {
  auto lines = metis_lines(grid());
  lines[0] = "400 761";
  lines[1] += " 2";
  lines[2] += " 1";

  auto const graph = parse(join(lines));

  EXPECT_TRUE(std::ranges::equal(graph.heads(), grid().heads()));
  EXPECT_EQ(graph.arc_weights()[0], 2);
  EXPECT_EQ(graph.total_arc_weight(), 1522);
}

TEST(MetisReader, KeepsTheOrderOfNeighbours) {
  EXPECT_TRUE(std::ranges::equal(parse("3 2\n3 2\n1\n1\n").heads(), std::vector<Vertex>{2, 1, 0, 0}));
}

TEST(MetisReader, GivesTheSameGraphOnAnyNumberOfThreads) {
  // Some 2 MB, cut into many parts, with blank lines and comments at the cuts.
  auto const graph = with_weights(rmat(16, 60000, 1), 1, 10, 1000);
  TempFolder const folder;
  write_metis(graph, folder / "rmat.graph");
  auto const text = "% comment\n" + replace_all(text_of(folder / "rmat.graph"), '\n', "\n%\n");

  for (int const threads : {1, 2, 3, 8, 0}) expect_equal(parse(text, threads), graph);
}

TEST(MetisFiles, RoundTripForAllShapes) {
  TempFolder const folder;
  for (auto const& [name, graph] : all_shapes(5)) {
    SCOPED_TRACE(name);
    auto const path = folder / name;

    write_metis(graph, path);

    expect_equal(read_metis(path), graph);
  }
}

TEST(MetisFiles, AreWrittenWithThreeFormatDigitsOrNone) {
  TempFolder const folder;
  auto const text = [&](Graph const& graph) {
    write_metis(graph, folder / "graph");
    return text_of(folder / "graph");
  };
  auto const plain = path(3);

  EXPECT_EQ(text(plain), "3 2\n2\n1 3\n2\n");
  EXPECT_EQ(text(with_heavy_vertex(plain, 1, 9)), "3 2 010\n1 2\n9 1 3\n1 2\n");
  EXPECT_EQ(text(Csr{{0, 1, 2}, {1, 0}, {7, 7}, {}}.graph()), "2 1 001\n2 7\n1 7\n");
  EXPECT_EQ(text(Csr{{0, 1, 2, 2}, {1, 0}, {7, 7}, {4, 5, 6}}.graph()), "3 1 011\n4 2 7\n5 1 7\n6\n");
  EXPECT_EQ(text(no_edges(2)), "2 0\n\n\n");
  EXPECT_EQ(text(empty()), "0 0\n");
}

TEST(MetisFiles, MayBePipes) {
  TempFolder const folder;
  auto const path = folder / "pipe";
  ASSERT_EQ(std::system(("mkfifo '" + path.string() + "'").c_str()), 0);
  auto const text = join(metis_lines(grid2d(100, 100)));
  std::thread writer([&] { std::ofstream(path, std::ios::binary) << text; });

  auto const graph = read_metis(path);
  writer.join();

  expect_equal(graph, grid2d(100, 100));
}

TEST(MetisFiles, ThatCannotBeWrittenAreErrors) {
  TempFolder const folder;
  auto const error = [](std::filesystem::path const& path) {
    return message_of<FileError>([&] { write_metis(grid2d(300, 300), path); });
  };

  EXPECT_EQ(error(folder / "no/such/folder"), (folder / "no/such/folder").string() + ": No such file or directory");
  EXPECT_EQ(error(folder / ""), (folder / "").string() + ": Is a directory");
  if (std::filesystem::exists("/dev/full")) {
    EXPECT_EQ(error("/dev/full"), "/dev/full: No space left on device");
  }
}

}  // namespace
}  // namespace procmap::test
