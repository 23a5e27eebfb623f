#include "app/cli/table.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/check.h"

namespace berth {
namespace {

// Length in bytes of the well-formed UTF-8 sequence that `text` starts with; 0 if it does not start with one.
std::size_t utf8_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 && lead < 0xf5   ? 4
                             : lead >= 0xe0 && lead < 0xf0 ? 3
                             : lead >= 0xc2 && lead < 0xe0 ? 2
                                                           : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  }
  return length;
}

bool is_control(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return first < 0x20 || first == 0x7f;
  return sequence.size() == 2 && first == 0xc2 && static_cast<unsigned char>(sequence[1]) < 0xa0;  // C1 controls
}

void append_padded(std::string& out, const std::string& cell, std::size_t width, Align align, bool is_last) {
  const std::size_t missing = width - std::min(width, text_width(cell));
  if (align == Align::right) out.append(missing, ' ');
  out += cell;
  if (align == Align::left && !is_last) out.append(missing, ' ');
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0 || is_control(text.substr(0, length))) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
      text.remove_prefix(1);
    } else {
      out += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return out;
}

std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add(std::vector<std::string> cells) {
  BERTH_CHECK(cells.size() == columns_.size(), "a row has one cell per column");
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

std::string Table::text(bool with_header) const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = with_header ? text_width(columns_[i].header) : 0;
    for (const auto& row : rows_) width = std::max(width, text_width(row[i]));
    widths.push_back(width);
  }
  std::string out;
  const auto append_row = [&](auto cell_of) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (i > 0) out += "  ";
      append_padded(out, cell_of(i), widths[i], columns_[i].align, i + 1 == columns_.size());
    }
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  };
  if (with_header) append_row([&](std::size_t i) -> const std::string& { return columns_[i].header; });
  for (const auto& row : rows_) append_row([&](std::size_t i) -> const std::string& { return row[i]; });
  return out;
}

}  // namespace berth
