// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "io/file_text.hpp"
#include "io/metis_scan.hpp"

namespace procmap {

namespace {

class HeaderScanner {
 public:
  HeaderScanner(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  MetisHeader scan() {
    find_line();
    auto const fields = split();
    if (fields.size() < 2 || fields.size() > 4)
      fail(header_.line, "the header has " + std::to_string(fields.size()) +
                             (fields.size() == 1 ? " field" : " fields") + ", expected 'n m [fmt [ncon]]'");
    auto const n = number(fields[0], "number of vertices");
    if (n > std::numeric_limits<Vertex>::max())
      fail(header_.line, "n = " + std::to_string(n) + " is more than 2147483647 vertices");
    header_.num_vertices = static_cast<Vertex>(n);
    header_.num_edges = number(fields[1], "number of edges");
    if (fields.size() > 2) read_format(fields[2]);
    if (fields.size() > 3) {
      // METIS takes 0 for 1 too.
      auto const ncon = number(fields[3], "number of vertex weights (ncon)");
      if (ncon > max_vertex_weights)
        fail(header_.line, "ncon=" + std::to_string(ncon) + " is not supported, a vertex has at most " +
                               std::to_string(max_vertex_weights) + " weights");
      if (ncon > 1 && !header_.vertex_weights)
        fail(header_.line, "ncon=" + std::to_string(ncon) + ", but fmt says that vertices have no weights");
      header_.num_weights = std::max(1, static_cast<int>(ncon));
    }
    return header_;
  }

 private:
  [[noreturn]] void fail(char const* at, std::string const& message) const { throw_at(name_, text_, at, message); }

  void find_line() {
    auto const* const end = text_.data() + text_.size();
    if (text_.empty()) fail(end, "the file is empty");
    auto const* line = text_.data();
    while (line < end && (is_comment(line) || is_blank_line(line))) line = next_line(line, end);
    if (line == end) fail(end, "there is no header 'n m [fmt [ncon]]'");
    header_.line = line;
    header_.body = next_line(line, end);
  }

  std::vector<std::string_view> split() const {
    std::vector<std::string_view> fields;
    for (auto const* at = header_.line; *at != '\n';) {
      auto const* const begin = at;
      while (!is_blank(*at) && *at != '\n') ++at;
      if (at != begin) fields.emplace_back(begin, at);
      while (is_blank(*at)) ++at;
    }
    return fields;
  }

  Edge number(std::string_view field, std::string const& what) const {
    Edge value = 0;
    auto const [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    auto const token = what + " " + quote_token(field.data());
    if (error == std::errc::result_out_of_range) fail(header_.line, token + " is too large");
    if (error != std::errc() || end != field.data() + field.size()) fail(header_.line, token + " is not an integer");
    if (field.front() == '-') fail(header_.line, token + " is negative");  // -0 too, as further down
    return value;
  }

  // Up to three digits 0 or 1; missing digits in front are 0.
  void read_format(std::string_view format) {
    if (format.size() > 3 || format.find_first_not_of("01") != std::string_view::npos)
      fail(header_.line, "fmt " + quote_token(format.data()) + " is unknown, expected up to three digits 0 or 1");
    auto const digit = [&](std::size_t from_right) {
      return format.size() >= from_right && format[format.size() - from_right] == '1';
    };
    header_.edge_weights = digit(1);
    header_.vertex_weights = digit(2);
    header_.vertex_sizes = digit(3);
  }

  std::string_view text_, name_;
  MetisHeader header_;
};

}  // namespace

MetisHeader scan_metis_header(std::string_view text, std::string_view name) { return HeaderScanner(text, name).scan(); }

}  // namespace procmap
