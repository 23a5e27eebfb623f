#include "model/node.h"

namespace berth {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_without_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

}  // namespace

bool gpu_type_matches(std::string_view wanted, std::string_view type) {
  if (wanted.size() > type.size()) return false;
  if (!same_without_case(wanted, type.substr(0, wanted.size()))) return false;
  return wanted.size() == type.size() || type[wanted.size()] == '-';
}

}  // namespace berth
