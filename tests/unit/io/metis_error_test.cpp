// SPDX-License-Identifier: MIT
// Malformed files, each with the line and the culprit that the message must name.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "procmap/error.hpp"
#include "procmap/io.hpp"
#include "support/files.hpp"
#include "support/graphs.hpp"
#include "support/message.hpp"
#include "support/metis_text.hpp"

namespace procmap::test {
namespace {

// Without the name of the file: "LINE: message".
std::string error_of(std::string const& text, int threads = 0) {
  auto const message = message_of<FileError>([&] { parse_metis(text, "test.graph", threads); });
  return message.starts_with("test.graph:") ? message.substr(11) : message;
}

Graph const& small_grid() {
  static Graph const graph = grid2d(20, 20);
  return graph;
}

Lines grid_lines(std::string const& format = "", std::string const& vertex_part = "",
                 std::string const& edge_part = "") {
  return metis_lines(small_grid(), format, vertex_part, edge_part);
}

// The grid with one line replaced.
std::string error_with_line(std::size_t i, std::string const& line, Lines lines = grid_lines()) {
  lines[i] = line;
  return error_of(join(lines));
}

// The grid (1: 2 21, 2: 1 3 22, 21: 1 22 41) with another header.
std::string error_with_header(std::string const& header) { return error_with_line(0, header); }

TEST(MetisAsymmetry, AMissingNeighbourIsNamedWithTheLineThatListsIt) {
  EXPECT_EQ(error_with_line(2, "3 22"), "2: vertex 1 lists neighbour 2, but vertex 2 does not list 1");
}

TEST(MetisAsymmetry, EvenIfTheHeaderFits) {
  auto lines = grid_lines();
  lines[0] = "400 759";
  lines[2] = "3 22";
  lines[21] = "22 41";

  EXPECT_EQ(error_of(join(lines)), "2: vertex 1 lists neighbour 2, but vertex 2 does not list 1");
}

TEST(MetisAsymmetry, UnequalWeightsAreNamed) {
  EXPECT_EQ(error_with_line(1, "2 5 21 1", grid_lines("1", "", " 1")),
            "2: the edge from vertex 1 to vertex 2 weighs 5, but on the line of vertex 2 it weighs 1");
}

TEST(MetisAsymmetry, LinesAreCountedWithComments) {
  auto lines = grid_lines();
  lines[22] = "2 23 42";  // without 21
  lines.insert(lines.begin() + 5, "% comment");
  lines.insert(lines.begin(), "% comment");

  EXPECT_EQ(error_of(join(lines)), "24: vertex 21 lists neighbour 22, but vertex 22 does not list 21");
}

TEST(MetisTokens, NeighboursOutOfRangeAreNamed) {
  EXPECT_EQ(error_with_line(1, "450 21"), "2: neighbour '450' of vertex 1 is not in 1..400");
  EXPECT_EQ(error_with_line(1, "1000000001 21"), "2: neighbour '1000000001' of vertex 1 is not in 1..400");
  EXPECT_EQ(error_with_line(1, "0 21"),
            "2: neighbour '0' of vertex 1 is not in 1..400 (METIS numbers vertices from 1)");
  EXPECT_EQ(error_with_line(1, "2 -21"), "2: neighbour '-21' of vertex 1 is not in 1..400");
  EXPECT_EQ(error_with_line(400, "380 4294967696"), "401: neighbour '4294967696' of vertex 400 is not in 1..400");
  EXPECT_EQ(error_with_line(1, "2 99999999999999999999999"),
            "2: neighbour '99999999999999999999999' of vertex 1 is not in 1..400");
}

TEST(MetisTokens, NegativeWeightsAreNamed) {
  EXPECT_EQ(error_of(join(grid_lines("1", "", " -3"))), "2: edge weight '-3' of vertex 1 is negative");
  EXPECT_EQ(error_with_line(7, "-3 6 8 27", grid_lines("10", "1")), "8: weight '-3' of vertex 7 is negative");
  EXPECT_EQ(error_with_line(7, "-3 6 8 27", grid_lines("100", "1")), "8: size '-3' of vertex 7 is negative");
}

TEST(MetisTokens, WhatIsNoIntegerIsNamed) {
  EXPECT_EQ(error_of(join(grid_lines("1", "", " 1.5"))), "2: edge weight '1.5' of vertex 1 is not an integer");
  EXPECT_EQ(error_of(join(grid_lines("10", "2.5"))), "2: weight '2.5' of vertex 1 is not an integer");
  EXPECT_EQ(error_with_line(61, "41 abc 62 81"), "62: neighbour 'abc' of vertex 61 is not an integer");
  EXPECT_EQ(error_with_line(61, "41 62x 81"), "62: neighbour '62x' of vertex 61 is not an integer");
  EXPECT_EQ(error_with_line(61, "41 1e3 81"), "62: neighbour '1e3' of vertex 61 is not an integer");
  EXPECT_EQ(error_with_line(61, "41,62,81"), "62: neighbour '41,62,81' of vertex 61 is not an integer");
  EXPECT_EQ(error_with_line(61, "41 62 81 % no comment here"), "62: neighbour '%' of vertex 61 is not an integer");
  EXPECT_EQ(error_with_line(61, "41 +62"), "62: neighbour '+62' of vertex 61 is not an integer");
  EXPECT_EQ(error_with_line(61, "41 -"), "62: neighbour '-' of vertex 61 is not an integer");
}

TEST(MetisTokens, BinaryGarbageIsQuotedSafely) {
  EXPECT_EQ(error_with_line(61, std::string("41 \0\xff\x1b[31m", 10)),
            "62: neighbour '???[31m' of vertex 61 is not an integer");
  EXPECT_EQ(error_with_line(61, std::string(100000, 'a')),
            "62: neighbour '" + std::string(40, 'a') + "...' of vertex 61 is not an integer");
}

TEST(MetisTokens, WeightsBeyond64BitsAreNamed) {
  EXPECT_EQ(error_of("1 0 10\n9223372036854775808\n"),
            "2: weight '9223372036854775808' of vertex 1 does not fit 64 bits");
  EXPECT_EQ(error_of("2 1 1\n2 18446744073709551617\n1 1\n"),
            "2: edge weight '18446744073709551617' of vertex 1 does not fit 64 bits");
}

TEST(MetisTokens, MissingWeightsAreNamed) {
  EXPECT_EQ(error_with_line(9, "8 1 10 1 29", grid_lines("1", "", " 1")),
            "10: the last neighbour of vertex 9 has no edge weight");
  EXPECT_EQ(error_with_line(9, "", grid_lines("10", "1")), "10: vertex 9 has no weight");
  EXPECT_EQ(error_with_line(9, "", grid_lines("100", "1")), "10: vertex 9 has no size");
  EXPECT_EQ(error_with_line(9, "5", grid_lines("110", "1 1")), "10: vertex 9 has no weight");
  EXPECT_EQ(error_of("2 0 10\n1\n\n"), "3: vertex 2 has no weight");
}

TEST(MetisTokens, TotalsOfTwoToThe62AreRefused) {
  EXPECT_EQ(error_of("2 0 10\n4611686018427387903\n1\n"), "3: the vertex weights add up to 2^62 or more at vertex 2");
  EXPECT_EQ(error_of("2 1 1\n2 2305843009213693952\n1 2305843009213693952\n"),
            "3: the edge weights add up to 2^62 or more at vertex 2");
}

TEST(MetisHeader, WrongNumberOfEdgesIsCorrected) {
  EXPECT_EQ(error_with_header("400 700"),
            "1: the header says m = 700, but the vertex lines list 1520 neighbours, so m should be 760");
  EXPECT_EQ(error_with_header("400 800"),
            "1: the header says m = 800, but the vertex lines list 1520 neighbours, so m should be 760");
  EXPECT_EQ(error_with_header("400 1520"),
            "1: the header says m = 1520, but the vertex lines list 1520 neighbours, so m should be 760 "
            "(m counts every edge once, not once for each end)");
}

TEST(MetisHeader, HugePromisesCostNoMemory) {
  EXPECT_EQ(error_with_header("400 4000000000000"),
            "1: the header says m = 4000000000000, but the vertex lines list 1520 neighbours, so m should be 760");
  EXPECT_EQ(
      error_with_header("400 9223372036854775807"),
      "1: the header says m = 9223372036854775807, but the vertex lines list 1520 neighbours, so m should be 760");
  EXPECT_EQ(error_with_header("2147483647 760"),
            "1: the header says n = 2147483647, but there are only 400 vertex lines");
  EXPECT_EQ(error_with_header("2147483647 4000000000000 111"), "3: the last neighbour of vertex 2 has no edge weight");
}

TEST(MetisHeader, WrongNumberOfVerticesIsNamed) {
  EXPECT_EQ(error_with_header("450 760"), "1: the header says n = 450, but there are only 400 vertex lines");
  EXPECT_EQ(error_with_header("350 760"), "1: the header says n = 350, but there are 400 vertex lines");
  EXPECT_EQ(error_with_header("402 760"), "1: the header says n = 402, but there are only 400 vertex lines");
  EXPECT_EQ(error_with_header("0 0"), "1: the header says n = 0, but there are 400 vertex lines");
  EXPECT_EQ(error_of("2 0\n\n\n\n\n1\n"), "1: the header says n = 2, but there are 5 vertex lines");
  EXPECT_EQ(error_of("2 0 10\n5\n5\n5\n"), "1: the header says n = 2, but there are 3 vertex lines");
  EXPECT_EQ(error_of("3 1\n2\n1"), "1: the header says n = 3, but there are only 2 vertex lines");
  EXPECT_EQ(error_of("1 0"), "1: the header says n = 1, but there are only 0 vertex lines");
}

TEST(MetisHeader, FilesWithoutAHeaderAreNamed) {
  EXPECT_EQ(error_of(""), "1: the file is empty");
  EXPECT_EQ(error_of("\n\n"), "3: there is no header 'n m [fmt [ncon]]'");
  EXPECT_EQ(error_of("% only\n% comments"), "2: there is no header 'n m [fmt [ncon]]'");
}

TEST(MetisHeader, MalformedHeadersAreNamed) {
  EXPECT_EQ(error_with_header("400"), "1: the header has 1 field, expected 'n m [fmt [ncon]]'");
  EXPECT_EQ(error_with_header("400 760 0 1 7"), "1: the header has 5 fields, expected 'n m [fmt [ncon]]'");
  EXPECT_EQ(error_with_header("4e2 760"), "1: number of vertices '4e2' is not an integer");
  EXPECT_EQ(error_with_header("400 many"), "1: number of edges 'many' is not an integer");
  EXPECT_EQ(error_with_header("-400 760"), "1: number of vertices '-400' is negative");
  EXPECT_EQ(error_with_header("400 -760"), "1: number of edges '-760' is negative");
  EXPECT_EQ(error_with_header("-0 760"), "1: number of vertices '-0' is negative");
  EXPECT_EQ(error_with_header("3000000000 760"), "1: n = 3000000000 is more than 2147483647 vertices");
  EXPECT_EQ(error_with_header("400 99999999999999999999"), "1: number of edges '99999999999999999999' is too large");
  EXPECT_EQ(error_of("% comment\n\n400 x\n"), "3: number of edges 'x' is not an integer");
}

TEST(MetisHeader, UnknownFormatsAreNamed) {
  for (std::string const format : {"2", "12", "1000", "0001", "-1", "x"})
    EXPECT_EQ(error_with_header("400 760 " + format),
              "1: fmt '" + format + "' is unknown, expected up to three digits 0 or 1");
}

TEST(MetisHeader, SeveralVertexWeightsAreRefused) {
  EXPECT_EQ(error_of(join(grid_lines("10 9", "1 1 1 1 1 1 1 1 1"))),
            "1: ncon=9 is not supported, a vertex has at most 8 weights");
  EXPECT_EQ(error_with_header("400 760 00 2"), "1: ncon=2, but fmt says that vertices have no weights");
  EXPECT_EQ(error_with_header("400 760 10 x"), "1: number of vertex weights (ncon) 'x' is not an integer");
}

TEST(MetisErrors, AreTheSameForAnyNumberOfThreads) {
  auto const clean = metis_lines(grid2d(200, 200));
  std::vector<Lines> spoilt(5, clean);
  spoilt[0][20000] += " x", spoilt[0][35000] += " y";
  spoilt[1][20000] += " 1", spoilt[1][35000] += " 1";
  spoilt[2][30000] = "-1";
  spoilt[3].erase(spoilt[3].begin() + 100, spoilt[3].begin() + 200);
  spoilt[4].insert(spoilt[4].end(), 100, "1 2 3");

  for (auto const& lines : spoilt) {
    auto const one = error_of(join(lines), 1);
    EXPECT_TRUE(one.find(": ") != std::string::npos) << one;
    for (int const threads : worthwhile_threads({0, 2, 3, 8})) EXPECT_EQ(error_of(join(lines), threads), one);
  }
}

// Whatever is done to a file, reading it ends with a graph or a FileError.
TEST(MetisErrors, NoMutationOfAFileDoesAnythingElse) {
  auto const clean = join(metis_lines(with_weights(grid2d(6, 5), 1, 9, 9), "011", "1", " 1"));
  std::string const alphabet("0123456789 \n\t\r%-.x\0", 19);
  int rejected = 0;
  for (auto const seed : each_seed(3000)) {
    auto text = clean;
    for (std::uint64_t i = 0; i <= seed % 3 && !text.empty(); ++i) {
      auto const at = static_cast<std::size_t>(random_below(static_cast<std::int64_t>(text.size()), seed, 1, i));
      auto const c = alphabet[static_cast<std::size_t>(random_below(19, seed, 2, i))];
      switch (random_below(4, seed, 3, i)) {
        case 0:
          text.erase(at, 1);
          break;
        case 1:
          text.insert(at, 1, c);
          break;
        case 2:
          text.resize(at + 1);
          break;
        default:
          text[at] = c;
      }
    }
    auto const error = error_of(text);
    if (error != "[no exception]") {
      EXPECT_TRUE(error[0] >= '1' && error[0] <= '9') << error;
      ++rejected;
    }
  }
  EXPECT_GT(rejected, static_cast<int>(worthwhile_seeds(2000)));
}

TEST(MetisFileErrors, NameThePath) {
  TempFolder const folder;
  auto const error = [](std::filesystem::path const& path) { return message_of<FileError>([&] { read_metis(path); }); };
  auto const missing = folder / "missing.graph";

  EXPECT_EQ(error(missing), missing.string() + ": No such file or directory");
  EXPECT_EQ(error(folder / ""), (folder / "").string() + ": is a directory");
  EXPECT_EQ(error(""), ": No such file or directory");
  auto const empty_file = folder.write("empty.graph", "");
  EXPECT_EQ(error(empty_file), empty_file.string() + ":1: the file is empty");
  auto const bad = folder.write("bad.graph", "1 0\n1.5\n");
  EXPECT_EQ(error(bad), bad.string() + ":2: neighbour '1.5' of vertex 1 is not an integer");
}

TEST(MetisFileErrors, UnreadableFilesAreNamed) {
  TempFolder const folder;
  auto const path = folder.write("secret.graph", "0 0\n");
  ::chmod(path.c_str(), 0);
  if (::access(path.c_str(), R_OK) == 0) GTEST_SKIP() << "this user may read everything";

  EXPECT_EQ(message_of<FileError>([&] { read_metis(path); }), path.string() + ": Permission denied");
}

}  // namespace
}  // namespace procmap::test
