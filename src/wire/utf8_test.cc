#include "wire/utf8.h"

#include <gtest/gtest.h>

#include "wire/json_document.h"

namespace berth {
namespace {

using namespace std::string_view_literals;

TEST(Utf8, TakesWhatTheStandardAllows) {
  for (const auto text : {""sv, "plain"sv, "\x01\x7f"sv, "\xC2\x80"sv, "\xDF\xBF"sv, "\xE0\xA0\x80"sv, "\xED\x9F\xBF"sv,
                          "\xEE\x80\x80"sv, "\xEF\xBF\xBF"sv, "\xF0\x90\x80\x80"sv, "\xF4\x8F\xBF\xBF"sv}) {
    EXPECT_TRUE(is_utf8_without_nul(text)) << text;
    EXPECT_EQ(clean_text(text), text);
  }
}

TEST(Utf8, RefusesOverlongFormsSurrogatesCutAndStrayBytesAndNul) {
  for (const auto text :
       {"\0"sv, "\x80"sv, "\xC0\x80"sv, "\xC1\xBF"sv, "\xC2"sv, "\xC2\x41"sv, "\xE0\x9F\xBF"sv, "\xED\xA0\x80"sv,
        "\xE2\x82"sv, "\xF0\x8F\xBF\xBF"sv, "\xF4\x90\x80\x80"sv, "\xF5\x80\x80\x80"sv, "\xFF"sv}) {
    EXPECT_EQ(utf8_prefix_without_nul(text), 0u);
    EXPECT_TRUE(is_utf8_without_nul(clean_text(text)));
  }
}

TEST(Utf8, KeepsWhatIsGoodAroundWhatIsNot) {
  EXPECT_EQ(utf8_prefix_without_nul("ab\xFFzz"sv), 2u);
  EXPECT_EQ(clean_text("ab\xFFz\0y\xC3\xA9"sv), "ab\uFFFDz\uFFFDy\u00E9");
}

}  // namespace
}  // namespace berth
