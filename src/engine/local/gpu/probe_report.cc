#include "engine/local/gpu/probe_report.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

namespace berth {
namespace {

// A line is a word and fields "key=value", separated by tabs.
class LineWriter {
 public:
  explicit LineWriter(std::string word) : text_(std::move(word)) {}
  LineWriter& put(const char* key, const std::string& value) {
    if (value.empty()) return *this;
    text_ += std::string("\t") + key + "=";
    for (const char c : value) text_ += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    return *this;
  }
  LineWriter& put(const char* key, std::int64_t value) { return put(key, std::to_string(value)); }
  LineWriter& put(const char* key, const std::optional<std::int64_t>& value) {
    return value ? put(key, *value) : *this;
  }
  std::string line() const { return text_ + "\n"; }

 private:
  std::string text_;
};

using Fields = std::map<std::string, std::string, std::less<>>;

Fields fields_of(std::string_view rest) {
  Fields fields;
  while (!rest.empty()) {
    const std::string_view field = rest.substr(0, rest.find('\t'));
    rest.remove_prefix(std::min(field.size() + 1, rest.size()));
    const std::size_t cut = field.find('=');
    if (cut != std::string_view::npos) fields.emplace(field.substr(0, cut), field.substr(cut + 1));
  }
  return fields;
}

std::optional<std::int64_t> number(const Fields& fields, std::string_view key) {
  const auto found = fields.find(key);
  if (found == fields.end()) return std::nullopt;
  std::int64_t value = 0;
  const std::string& text = found->second;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc{} && result.ptr == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::string text(const Fields& fields, std::string_view key) {
  const auto found = fields.find(key);
  return found == fields.end() ? std::string{} : found->second;
}

// The numbers of a reading, written and read by the same table.
struct NumberField {
  const char* key;
  std::optional<std::int64_t> GpuReading::*field;
};
constexpr NumberField kNumbers[] = {{"minor", &GpuReading::minor},
                                    {"total_mib", &GpuReading::total_mib},
                                    {"reserved_mib", &GpuReading::reserved_mib},
                                    {"used_mib", &GpuReading::used_mib},
                                    {"utilization", &GpuReading::utilization},
                                    {"temperature", &GpuReading::temperature},
                                    {"power_mw", &GpuReading::power_mw},
                                    {"ecc_uncorrected", &GpuReading::ecc_uncorrected},
                                    {"ecc_corrected", &GpuReading::ecc_corrected},
                                    {"remap_pending", &GpuReading::remap_pending},
                                    {"remap_failed", &GpuReading::remap_failed},
                                    {"recovery_action", &GpuReading::recovery_action},
                                    {"mig", &GpuReading::mig}};

std::string gpu_lines(const GpuReading& g) {
  LineWriter line("gpu");
  line.put("index", g.index).put("uuid", g.uuid).put("name", g.name).put("pci", g.pci).put("capability", g.capability);
  if (g.error != 0) line.put("error", g.error).put("call", g.failed_call);
  for (const NumberField& row : kNumbers) line.put(row.key, g.*row.field);
  std::string lines = line.line();
  for (const GpuProcess& p : g.processes) lines += LineWriter("process").put("pid", p.pid).put("mib", p.mib).line();
  return lines;
}

GpuReading gpu_of(const Fields& f) {
  GpuReading g;
  g.index = number(f, "index").value_or(0);
  g.error = static_cast<int>(number(f, "error").value_or(0));
  g.failed_call = text(f, "call");
  g.uuid = text(f, "uuid");
  g.name = text(f, "name");
  g.pci = text(f, "pci");
  g.capability = text(f, "capability");
  for (const NumberField& row : kNumbers) g.*row.field = number(f, row.key);
  return g;
}

}  // namespace

std::string to_lines(const ProbeReport& r) {
  std::string lines = LineWriter("report")
                          .put("library", r.has_library ? 1 : 0)
                          .put("error", r.error)
                          .put("message", r.message)
                          .put("driver", r.driver)
                          .put("cuda", r.cuda)
                          .put("listed", r.listed)
                          .line();
  for (const GpuReading& gpu : r.gpus) lines += gpu_lines(gpu);
  for (const GpuLink& l : r.links)
    lines += LineWriter("link").put("a", l.a).put("b", l.b).put("level", l.level).put("nvlinks", l.nvlinks).line();
  return lines + "end\n";
}

std::string to_line(const XidEvent& event) {
  return LineWriter("xid").put("uuid", event.uuid).put("code", event.xid).line();
}

std::optional<std::variant<ProbeReport, XidEvent>> ProbeReader::take(std::string_view line) {
  const std::string_view word = line.substr(0, line.find('\t'));
  const Fields f = fields_of(line.substr(std::min(word.size() + 1, line.size())));
  if (word == "report") {
    report_ = {};
    report_.has_library = number(f, "library").value_or(1) != 0;
    report_.error = static_cast<int>(number(f, "error").value_or(0));
    report_.message = text(f, "message");
    report_.driver = text(f, "driver");
    report_.cuda = number(f, "cuda");
    report_.listed = number(f, "listed");
  } else if (word == "gpu") {
    report_.gpus.push_back(gpu_of(f));
  } else if (word == "process" && !report_.gpus.empty()) {
    report_.gpus.back().processes.push_back({number(f, "pid").value_or(0), number(f, "mib")});
  } else if (word == "link") {
    report_.links.push_back({number(f, "a").value_or(0), number(f, "b").value_or(0), number(f, "level").value_or(-1),
                             number(f, "nvlinks").value_or(0)});
  } else if (word == "xid") {
    return XidEvent{text(f, "uuid"), number(f, "code").value_or(0)};
  } else if (word == "end") {
    return std::exchange(report_, {});
  }
  return std::nullopt;
}

}  // namespace berth
