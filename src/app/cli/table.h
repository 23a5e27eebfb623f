// Table: rows of text cells, printed in columns as wide as their widest cell. Widths count characters, not bytes, and the
// last column is never padded. Control characters in cells are shown escaped, so that a job's name cannot drive the terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace berth {

enum class Align { left, right };

class Table {
 public:
  struct Column {
    std::string header;
    Align align = Align::left;
  };

  explicit Table(std::vector<Column> columns);
  // As many cells as there are columns.
  void add(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  std::string text(bool with_header) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// `text` with what could drive a terminal, or is no UTF-8, shown as \xNN.
std::string printable(std::string_view text);
// Characters that `text` takes on the screen, counting one each.
std::size_t text_width(std::string_view text);

}  // namespace berth
