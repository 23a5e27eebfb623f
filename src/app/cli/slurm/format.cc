#include "app/cli/slurm/format.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/cli/table.h"

namespace berth::slurm {
namespace {

constexpr std::size_t kMaxWidth = 1000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The first `width` characters.
std::string_view cut(std::string_view text, std::size_t width) {
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    const bool begins = (static_cast<unsigned char>(text[end]) & 0xc0) != 0x80;
    if (begins && width-- == 0) break;
  }
  return text.substr(0, end);
}

}  // namespace

Result<Format> Format::parse(std::string_view text, std::string_view letters) {
  Format format;
  std::string before;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      before += text[i];
      continue;
    }
    Field field;
    ++i;
    if (i < text.size() && text[i] == '.') field.right = true, ++i;
    for (; i < text.size() && is_digit(text[i]); ++i) {
      field.width = std::min(field.width * 10 + static_cast<std::size_t>(text[i] - '0'), kMaxWidth);
    }
    if (i == text.size() || letters.find(text[i]) == std::string_view::npos) {
      return Error{ErrorCode::invalid,
                   fmt::format("format `{}`: {} is not offered", text,
                               i == text.size() ? std::string("a % at the end") : fmt::format("%{}", text[i])),
                   fmt::format("one of: {}", letters)};
    }
    field.letter = text[i];
    field.before = std::exchange(before, {});
    format.fields_.push_back(std::move(field));
  }
  format.after_ = before;
  return format;
}

std::string Format::line(const std::function<std::string(char)>& cell) const {
  std::string out;
  for (const auto& field : fields_) {
    out += field.before;
    const std::string value = printable(cell(field.letter));
    const std::string_view shown = field.width == 0 ? std::string_view(value) : cut(value, field.width);
    const std::size_t missing = field.width - std::min(field.width, text_width(shown));
    if (field.right) out.append(missing, ' ');
    out += shown;
    if (!field.right) out.append(missing, ' ');
  }
  return out + after_;
}

}  // namespace berth::slurm
