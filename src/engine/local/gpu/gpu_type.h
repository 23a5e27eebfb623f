// From a driver's product name and the memory that it reports to the type by which jobs ask: "NVIDIA H100 80GB HBM3" with
// 81,559 MiB is "H100-80GB". Pure. A new product gets a sensible name by the same rule.
#pragma once

#include <string>
#include <string_view>

#include "base/amount.h"

namespace berth {

// Vendor, form factor and kind of memory left out; then the size that the product is sold with.
std::string gpu_type(std::string_view product, Mib total);

}  // namespace berth
