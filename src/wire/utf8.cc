#include "wire/utf8.h"

namespace berth {
namespace {

// What may follow a lead byte: how many bytes in all, and the range of the second one, which is where overlong forms,
// surrogates and too large values are told apart.
struct Lead {
  std::size_t length;
  unsigned char low, high;
};

Lead lead_of(unsigned char byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte >= 0xF1 && byte <= 0xF3) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

// Length of the character at the start of `text`; 0 if there is no valid one.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return byte(0) == 0 ? 0 : 1;
  const Lead lead = lead_of(byte(0));
  if (lead.length == 0 || text.size() < lead.length) return 0;
  if (byte(1) < lead.low || byte(1) > lead.high) return 0;
  for (std::size_t i = 2; i < lead.length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  return lead.length;
}

}  // namespace

std::size_t utf8_prefix_without_nul(std::string_view text) {
  std::size_t good = 0;
  while (good < text.size()) {
    const std::size_t length = character_length(text.substr(good));
    if (length == 0) break;
    good += length;
  }
  return good;
}

}  // namespace berth
