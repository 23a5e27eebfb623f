// Router: from method and path to a route's handler. What no route takes is answered here: 404, 405 with Allow, an unknown
// query parameter, a media type, a caller who may only read. docs/openapi.json describes the same table; a test compares.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "api/exchange.h"
#include "api/services.h"

namespace berth::api {

using Handler = void (*)(Services&, const ExchangePtr&);

struct Route {
  Method method;
  std::string_view pattern;             // "/v1/jobs/{id}/why"
  std::vector<std::string_view> query;  // the parameters that it takes
  Handler handler;
};

std::span<const Route> routes();

// Answers, or hands to the handler that will.
void serve(Services& services, const ExchangePtr& exchange);

}  // namespace berth::api
