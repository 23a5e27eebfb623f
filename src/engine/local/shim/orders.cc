#include "engine/local/shim/orders.h"

#include <cstdlib>
#include <cstring>

namespace berth::shim {
namespace {

// Cuts "file=value" at the last '=', since names of groups hold none behind it.
bool add_setting(char* text, Setting* list, int& count) {
  char* cut = std::strrchr(text, '=');
  if (cut == nullptr || count == kMaxList) return false;
  *cut = '\0';
  list[count++] = {text, cut + 1};
  return true;
}

bool take_text(const char* key, const char* value, Orders& o) {
  struct Row {
    const char* key;
    const char** field;
  };
  const Row rows[] = {{"boot", &o.boot},  {"track", &o.track},     {"freezer", &o.freezer}, {"peak", &o.peak},
                      {"oom", &o.oom},    {"groups", &o.groups},   {"cwd", &o.workdir},     {"in", &o.input},
                      {"out", &o.output}, {"err", &o.error_output}};
  for (const Row& row : rows) {
    if (std::strcmp(row.key, key) != 0) continue;
    *row.field = value;
    return true;
  }
  return false;
}

bool take(const char* key, char* value, Orders& o) {
  if (std::strcmp(key, "set") == 0) return add_setting(value, o.early, o.early_count);
  if (std::strcmp(key, "lateset") == 0) return add_setting(value, o.late, o.late_count);
  if (std::strcmp(key, "late") == 0) {
    if (o.late_group_count == kMaxList) return false;
    o.late_groups[o.late_group_count++] = value;
    return true;
  }
  if (std::strcmp(key, "append") == 0) return o.append = true;
  if (std::strcmp(key, "uid") == 0) {
    o.uid = static_cast<uid_t>(std::strtoul(value, nullptr, 10));
    return o.drop_user = true;
  }
  if (std::strcmp(key, "gid") == 0) {
    o.gid = static_cast<gid_t>(std::strtoul(value, nullptr, 10));
    return true;
  }
  return take_text(key, value, o);
}

}  // namespace

bool read_orders(int argc, char** argv, Orders& orders) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--") == 0) {
      orders.argv = argv + i + 1;
      return orders.argv[0] != nullptr;
    }
    char* cut = std::strchr(argv[i], '=');
    if (cut == nullptr) return false;
    *cut = '\0';
    if (!take(argv[i], cut + 1, orders)) return false;
  }
  return false;
}

}  // namespace berth::shim
