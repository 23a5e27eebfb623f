// Request::target to path and query, by Boost.URL.
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include "api/message.h"

namespace berth::api {

Result<void> read_target(Request& request) {
  const auto url = boost::urls::parse_origin_form(request.target);
  if (!url) {
    return Error{ErrorCode::invalid, "the request target is malformed: '" + request.target.substr(0, 200) + "'",
                 "a path with %-encoding, e.g. /v1/jobs?state=pending"};
  }
  for (const auto& segment : url->segments()) request.path.push_back(segment);
  for (const auto& parameter : url->params()) request.query.emplace_back(parameter.key, parameter.value);
  for (const auto& segment : request.path) {
    if (segment.find('\0') != std::string::npos)
      return Error{ErrorCode::invalid, "the path holds a NUL byte", "leave %00 out"};
  }
  return {};
}

}  // namespace berth::api
