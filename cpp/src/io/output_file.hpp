// SPDX-License-Identifier: MIT
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <string_view>

namespace procmap {

/// A file that is written beside its place, in the same folder, and takes it by close(): whatever happens before, an
/// older file stays as it was. Throws FileError "PATH: why not".
///
/// Symbolic links are followed, and the new file has the mode and, where the system allows it, the owner of the old
/// one. What is no regular file (a pipe, a device), what is named by its descriptor (/dev/stdout, /dev/fd/3), and a
/// file in a folder that takes no new files is written directly.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  OutputFile(OutputFile const&) = delete;
  OutputFile& operator=(OutputFile const&) = delete;
  /// Without close(): nothing was written.
  ~OutputFile();

  void write(std::string_view text);
  /// Returns when the text is on the disk and the file in its place.
  void close();

 private:
  void open();
  void open_beside();
  void open_directly();
  void keep_attributes_of(struct ::stat const& old);
  [[noreturn]] void fail(int error);

  std::filesystem::path path_;       ///< as given, for messages
  std::filesystem::path target_;     ///< no symbolic link
  std::filesystem::path temporary_;  ///< empty: written directly
  int descriptor_ = -1;
};

}  // namespace procmap
