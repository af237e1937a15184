// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "procmap/error.hpp"
#include "procmap/io.hpp"
#include "support/files.hpp"
#include "support/message.hpp"

namespace procmap::test {
namespace {

using Blocks = std::vector<Block>;

Blocks read(std::string const& text) {
  TempFolder const folder;
  return read_mapping(folder.write("mapping", text));
}

// Without the path: "LINE: message".
std::string mapping_error_of(std::string const& text) {
  TempFolder const folder;
  auto const path = folder.write("mapping", text);
  auto const message = message_of<FileError>([&] { read_mapping(path); });
  auto const prefix = path.string() + ":";
  return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
}

TEST(MappingFile, RoundTrips) {
  TempFolder const folder;
  Blocks blocks;
  for (Block i = 0; i < 300000; ++i) blocks.push_back(static_cast<Block>(std::int64_t{i} * 7919 % 4194304));
  blocks.push_back(std::numeric_limits<Block>::max());

  write_mapping(blocks, folder / "mapping");

  EXPECT_EQ(read_mapping(folder / "mapping"), blocks);
}

TEST(MappingFile, HoldsOnePePerLine) {
  TempFolder const folder;

  write_mapping(Blocks{3, 0, 11}, folder / "mapping");

  EXPECT_EQ(text_of(folder / "mapping"), "3\n0\n11\n");
}

TEST(MappingFile, MayHaveTheLineEndsOfAnySystem) {
  EXPECT_EQ(read("3\r0\r11\r"), (Blocks{3, 0, 11}));
  EXPECT_EQ(read("3\r0\r11"), (Blocks{3, 0, 11}));
  EXPECT_EQ(read("3\r\n0\r\r\n11\r\n"), (Blocks{3, 0, 11}));
  EXPECT_EQ(read("% none is lost\r3\n0\r11\n"), (Blocks{3, 0, 11}));
  EXPECT_EQ(mapping_error_of("3\r0\rx\r"), "3: PE 'x' is not an integer");
}

TEST(MappingFile, OfAnEmptyGraphIsEmpty) {
  TempFolder const folder;

  write_mapping({}, folder / "mapping");

  EXPECT_EQ(text_of(folder / "mapping"), "");
  EXPECT_EQ(read_mapping(folder / "mapping"), Blocks{});
}

TEST(MappingFile, MayBeOddButLegal) {
  Blocks const expected{3, 0, 11};

  EXPECT_EQ(read("3\n0\n11"), expected);
  EXPECT_EQ(read("3\r\n0\r\n11\r\n"), expected);
  EXPECT_EQ(read(" 3\n\t0 \n011\n"), expected);
  EXPECT_EQ(read("% comment\n3\n0\n% comment\n11\n\n \n% end\n"), expected);
}

TEST(MappingFile, MalformedNumbersAreNamed) {
  EXPECT_EQ(mapping_error_of("3\n0\nx\n"), "3: PE 'x' is not an integer");
  EXPECT_EQ(mapping_error_of("3\n1.0\n"), "2: PE '1.0' is not an integer");
  EXPECT_EQ(mapping_error_of("3\n-1\n"), "2: PE '-1' is negative");
  EXPECT_EQ(mapping_error_of("3\n-99999999999\n"), "2: PE '-99999999999' is negative");
  EXPECT_EQ(mapping_error_of("2147483648\n"), "1: PE '2147483648' is too large");
}

TEST(MappingFile, BlankLinesBeforeTheEndAreErrors) {
  EXPECT_EQ(mapping_error_of("3\n\n0\n"), "2: the line is blank, expected the PE of vertex 1");
  EXPECT_EQ(mapping_error_of("% comment\n3\n\n% comment\n0\n"), "3: the line is blank, expected the PE of vertex 1");
}

TEST(MappingFile, TwoNumbersOnALineAreAnError) {
  EXPECT_EQ(mapping_error_of("3\n0 1\n"), "2: unexpected '1', expected one PE per line");
}

TEST(MappingFile, FilesThatCannotBeReadOrWrittenAreErrors) {
  TempFolder const folder;
  auto const missing = folder / "missing", nowhere = folder / "no/such/folder";

  EXPECT_EQ(message_of<FileError>([&] { read_mapping(missing); }), missing.string() + ": No such file or directory");
  EXPECT_EQ(message_of<FileError>([&] { read_mapping(folder / ""); }), (folder / "").string() + ": is a directory");
  EXPECT_EQ(message_of<FileError>([&] { write_mapping(Blocks{1}, nowhere); }),
            nowhere.string() + ": No such file or directory");
  if (std::filesystem::exists("/dev/full")) {
    EXPECT_EQ(message_of<FileError>([&] { write_mapping(Blocks{1}, "/dev/full"); }),
              "/dev/full: No space left on device");
  }
}

}  // namespace
}  // namespace procmap::test
