#include "engine/local/gpu/gpu_type.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace berth {
namespace {

// Sizes that are sold. What a driver reports is up to 7 % less.
constexpr std::array<int, 25> kSold{4,  6,  8,  10, 11,  12,  16,  20,  24,  32,  40,  48, 64,
                                    72, 80, 94, 96, 141, 144, 180, 186, 192, 278, 288, 384};
constexpr std::array<std::string_view, 16> kLeftOut{
    "nvidia", "tesla", "geforce",    "quadro", "amd",     "instinct",    "graphics", "gpu",
    "pcie",   "nvl",   "generation", "server", "edition", "workstation", "oam",      "device"};

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool is_left_out(std::string_view word) {
  const std::string w = lower(word);
  if (std::find(kLeftOut.begin(), kLeftOut.end(), w) != kLeftOut.end()) return true;
  if (w.rfind("sxm", 0) == 0 || w.rfind("hbm", 0) == 0) return true;
  return w.size() > 2 && w.ends_with("gb") && all_digits(std::string_view(w).substr(0, w.size() - 2));
}

std::vector<std::string> words_of(std::string_view product) {
  std::vector<std::string> words(1);
  for (const char c : product) {
    const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '+';
    if (letter) words.back() += c;
    if (!letter && !words.back().empty()) words.emplace_back();
  }
  std::erase_if(words, [](const std::string& w) { return w.empty() || is_left_out(w); });
  return words;
}

int sold_size(Mib total) {
  const auto gib = static_cast<double>(total.value()) / 1024.0;
  const auto fits =
      std::find_if(kSold.begin(), kSold.end(), [gib](int size) { return size >= gib - 0.05 && gib >= size * 0.93; });
  return fits != kSold.end() ? *fits : static_cast<int>(gib + 0.5);
}

}  // namespace

std::string gpu_type(std::string_view product, Mib total) {
  std::string model;
  for (const std::string& word : words_of(product)) {
    const bool joined = lower(model) == "rtx" && all_digits(word);  // "RTX 4090" is asked for as RTX4090
    model += (model.empty() || joined ? "" : "-") + word;
  }
  if (model.empty()) model = "GPU";
  return total > Mib{} ? model + "-" + std::to_string(sold_size(total)) + "GB" : model;
}

}  // namespace berth
