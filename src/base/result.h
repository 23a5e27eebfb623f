// Result<T>: a value, or an Error that says what was wrong and what would be right.
// For requests and the outside failing. A job that cannot run is a Hold, not an Error; our own bugs are BERTH_CHECK.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "base/check.h"

namespace berth {

// The closed set of what can go wrong; wire/errors.h maps each to an HTTP status and an exit status.
enum class ErrorCode {
  invalid,      // the request does not parse or contradicts itself
  not_found,    // what it names does not exist
  conflict,     // the state does not allow it (now)
  denied,       // the caller may not
  infeasible,   // it can never run here
  too_large,    // over a stated bound
  exhausted,    // a resource of the daemon's machine ran out (disk, memory, descriptors)
  corrupt,      // stored data is damaged
  unsupported,  // understood, but not offered (or: written by a newer version)
  unavailable,  // the other side cannot be reached
  timeout,      // the other side did not answer in time
  io,           // the operating system refused
};

struct Error {
  ErrorCode code = ErrorCode::invalid;
  std::string message;  // what was wrong, and where
  std::string hint;     // what would be right; may be empty

  friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & {
    BERTH_CHECK(ok(), std::get<1>(state_).message);
    return std::get<0>(state_);
  }
  const T& value() const& {
    BERTH_CHECK(ok(), std::get<1>(state_).message);
    return std::get<0>(state_);
  }
  T&& value() && {
    BERTH_CHECK(ok(), std::get<1>(state_).message);
    return std::get<0>(std::move(state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const {
    BERTH_CHECK(!ok(), "error() of a Result that holds a value");
    return std::get<1>(state_);
  }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)), failed_(true) {}

  bool ok() const { return !failed_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const {
    BERTH_CHECK(failed_, "error() of a Result that succeeded");
    return error_;
  }

 private:
  Error error_;
  bool failed_ = false;
};

}  // namespace berth
