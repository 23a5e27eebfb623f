#include <algorithm>

#include "wire/quantity.h"
#include "wire/quantity_scan.h"
#include "wire/utf8.h"

namespace berth {
namespace {

using Clauses = std::vector<std::vector<std::string>>;  // a conjunction of disjunctions

const char* const kHint = "write a&b for both, a|b for either, and parentheses where they mix: a&(b|c)";
constexpr std::size_t kMostClauses = 256;
constexpr int kMostDepth = 20;

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

// (A1 & A2) | (B1 & B2) is (A1|B1) & (A1|B2) & (A2|B1) & (A2|B2).
Clauses either(const Clauses& a, const Clauses& b) {
  Clauses product;
  for (const auto& left : a) {
    for (const auto& right : b) {
      auto clause = left;
      for (const std::string& name : right) add_once(clause, name);
      product.push_back(std::move(clause));
    }
  }
  return product;
}

class FeatureReader {
 public:
  explicit FeatureReader(std::string_view text) : text_(text), rest_(text) {}

  Result<Clauses> read() {
    auto clauses = expression(0);
    if (clauses && !rest_.empty()) return refused();
    return clauses;
  }

 private:
  Error refused() const { return not_a(text_, "a constraint", kHint); }

  Result<Clauses> expression(int depth) {
    auto left = operand(depth);
    char used = 0;
    while (left && !rest_.empty() && (rest_[0] == '&' || rest_[0] == '|')) {
      if (used != 0 && used != rest_[0]) return not_a(text_, "a clear constraint: & and | mix", kHint);
      used = rest_[0];
      rest_.remove_prefix(1);
      auto right = operand(depth);
      if (!right) return right;
      if (left->size() * right->size() > kMostClauses || left->size() + right->size() > kMostClauses)
        return Error{ErrorCode::too_large, shown(text_) + " is too complicated a constraint", kHint};
      if (used == '|')
        left = either(*left, *right);
      else
        left->insert(left->end(), right->begin(), right->end());
    }
    return left;
  }

  Result<Clauses> operand(int depth) {
    if (rest_.starts_with('[')) return unsupported(shown(text_) + ": [..], all nodes alike, is not offered", kHint);
    if (!rest_.starts_with('(')) return name();
    if (depth >= kMostDepth) return refused();
    rest_.remove_prefix(1);
    auto inside = expression(depth + 1);
    if (!inside) return inside;
    if (!rest_.starts_with(')')) return refused();
    rest_.remove_prefix(1);
    return inside;
  }

  Result<Clauses> name() {
    std::size_t end = 0;
    while (end < rest_.size() && rest_.find_first_of("&|()[]*!, \t\n", end) != end) ++end;
    const std::string_view found = rest_.substr(0, end);
    rest_.remove_prefix(end);
    if (rest_.starts_with('*'))
      return unsupported(shown(text_) + ": numbers of nodes by feature (a*4) are not offered", kHint);
    if (rest_.starts_with('!'))
      return unsupported(shown(text_) + ": `not` (!a) is not offered",
                         "name the features that will do, or use --exclude");
    if (found.empty() || !is_utf8_without_nul(found) || shown(found).size() != found.size() + 2) return refused();
    return Clauses{{std::string(found)}};
  }

  std::string_view text_;
  std::string_view rest_;
};

}  // namespace

Result<std::vector<std::vector<std::string>>> parse_features(std::string_view text) {
  return FeatureReader(text).read();
}

}  // namespace berth
