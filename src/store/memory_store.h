// The store that keeps nothing: for the simulator and tests. The same law and the same errors as any other store.
#pragma once

#include <memory>

#include "ports/store.h"

namespace berth {

std::unique_ptr<Store> make_memory_store();

}  // namespace berth
