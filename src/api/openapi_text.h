// docs/openapi.json as it was when the program was built. Any thread.
#pragma once

#include <string_view>

namespace berth::api {

std::string_view openapi_text();

}  // namespace berth::api
