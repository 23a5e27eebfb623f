// A JSON value as an answer.
#pragma once

#include <boost/json/fwd.hpp>

#include "api/message.h"

namespace berth::api {

Response json_response(const boost::json::object& object, int status = 200);

}  // namespace berth::api
