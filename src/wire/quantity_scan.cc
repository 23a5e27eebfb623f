#include "wire/quantity_scan.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "wire/utf8.h"

namespace berth {
namespace {

// Control characters as escapes; the text is whole UTF-8 without NUL.
std::string without_controls(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!std::iscntrl(static_cast<unsigned char>(c)))
      out += c;
    else
      out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : c == '\t' ? "\\t" : "\\x?";
  }
  return out;
}

}  // namespace

std::string shown(std::string_view value) {
  constexpr std::size_t kMost = 60;
  const bool cut = value.size() > kMost;
  std::string_view rest = value.substr(0, kMost);
  std::string text;
  while (!rest.empty()) {
    const std::size_t whole = utf8_prefix_without_nul(rest);
    text += without_controls(rest.substr(0, whole));
    rest.remove_prefix(whole);
    if (rest.empty() || (cut && rest.size() < 4)) break;  // the last character may be cut in two
    text += "\\x?";
    rest.remove_prefix(1);
  }
  return "`" + text + (cut ? "...`" : "`");
}

Error not_a(std::string_view value, std::string_view what, std::string hint) {
  if (value.empty()) return {ErrorCode::invalid, "an empty value is not " + std::string(what), std::move(hint)};
  return {ErrorCode::invalid, shown(value) + " is not " + std::string(what), std::move(hint)};
}

Error unsupported(std::string message, std::string hint) {
  return {ErrorCode::unsupported, std::move(message), std::move(hint)};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::optional<std::int64_t> to_number(std::string_view digits) {
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

std::optional<std::int64_t> to_thousandths(std::string_view text) {
  const std::size_t dot = text.find('.');
  const auto whole = to_number(text.substr(0, dot));
  if (!whole || *whole > 1'000'000'000) return std::nullopt;
  if (dot == std::string_view::npos) return *whole * 1000;
  std::string decimals(text.substr(dot + 1));
  if (decimals.empty() || decimals.size() > 3) return std::nullopt;
  decimals.resize(3, '0');
  const auto fraction = to_number(decimals);
  if (!fraction) return std::nullopt;
  return *whole * 1000 + *fraction;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  while (true) {
    const std::size_t end = text.find(separator);
    pieces.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

}  // namespace berth
