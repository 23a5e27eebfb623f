#include "wire/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth {
namespace {

constexpr int kCodes = static_cast<int>(ErrorCode::io) + 1;

TEST(Errors, EveryCodeHasANameOfItsOwnAndComesBack) {
  for (int i = 0; i < kCodes; ++i) {
    const auto code = static_cast<ErrorCode>(i);
    EXPECT_EQ(error_code_named(name_of(code)), code);
    EXPECT_GE(http_status(code), 400);
    EXPECT_GE(exit_status(code), 1);
  }
  EXPECT_EQ(error_code_named("nothing"), std::nullopt);
}

TEST(Errors, StatusesThatScriptsRelyOn) {
  EXPECT_EQ(http_status(ErrorCode::not_found), 404);
  EXPECT_EQ(exit_status(ErrorCode::not_found), kExitNo);
  EXPECT_EQ(exit_status(ErrorCode::invalid), kExitUsage);
  EXPECT_EQ(exit_status(ErrorCode::unavailable), kExitUnreachable);
}

TEST(Errors, JsonGoldenAndBack) {
  const Error error{ErrorCode::not_found, "no job \"12\"", "berth jobs"};
  const std::string text = error_to_json(error);
  EXPECT_EQ(text, R"({"error":{"code":"not_found","message":"no job \"12\"","hint":"berth jobs"}})");
  EXPECT_EQ(error_from_json(text, 404), error);
}

TEST(Errors, AnAnswerThatIsNoErrorDocumentStillIsAnError) {
  const Error error = error_from_json("<html>busy</html>", 503);
  EXPECT_EQ(error.code, ErrorCode::unavailable);
  EXPECT_THAT(error.message, testing::HasSubstr("<html>busy</html>"));
  EXPECT_EQ(error_from_json("", 404).code, ErrorCode::not_found);
  EXPECT_EQ(error_from_json("{}", 418).code, ErrorCode::invalid);
  EXPECT_EQ(error_from_json(R"({"error":{"code":"odd","message":"m"}})", 409).code, ErrorCode::conflict);
  EXPECT_EQ(error_from_json(R"({"error":7})", 500).code, ErrorCode::corrupt);
}

}  // namespace
}  // namespace berth
