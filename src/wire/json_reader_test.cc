// What must be refused, and how: the message names the path, the hint what would be right.
#include "wire/json_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wire/event_json.h"
#include "wire/job_json.h"
#include "wire/json_document.h"
#include "wire/json_writer.h"
#include "wire/state_json.h"

namespace berth {
namespace {

using testing::HasSubstr;

struct Refused {
  std::string text, message, hint;
};

class RefusedSpec : public testing::TestWithParam<Refused> {};

TEST_P(RefusedSpec, NamesPathAndWhatIsRight) {
  const Result<JobSpec> spec = job_spec_from_json(GetParam().text);
  ASSERT_FALSE(spec.ok());
  EXPECT_EQ(spec.error().code, ErrorCode::invalid);
  EXPECT_THAT(spec.error().message, HasSubstr(GetParam().message));
  EXPECT_THAT(spec.error().hint, HasSubstr(GetParam().hint));
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusedSpec,
    testing::Values(
        Refused{R"({"nmae":"x"})", R"(spec has an unknown field "nmae")", "name, queue, user"},
        Refused{R"({"groups":[{},{"count":"2"}]})", R"(spec.groups[1].count is "2")", "a whole number"},
        Refused{R"({"groups":[{"gpus":{"cuont":1}}]})", R"(spec.groups[0].gpus has an unknown field "cuont")",
                "count, milli"},
        Refused{R"({"groups":{}})", "spec.groups is an object", "a list"},
        Refused{R"({"priority":1.5})", "spec.priority is 1.5", "a whole number from -2147483648 to 2147483647"},
        Refused{R"({"priority":2147483648})", "spec.priority is 2147483648", "to 2147483647"},
        Refused{R"({"begin_ms":9223372036854775808})", "spec.begin_ms is 9223372036854775808", "9223372036854775807"},
        Refused{R"({"priority":null})", "spec.priority is null", "a whole number"},
        Refused{R"({"hold":"yes"})", R"(spec.hold is "yes")", "true or false"},
        Refused{R"({"class":"fast"})", R"(spec.class is "fast")", "training, inference, batch, interactive"},
        Refused{R"({"class":3})", "spec.class is 3", "one of training"},
        Refused{R"({"env":{"A":1}})", "spec.env.A is 1", "a string"},
        Refused{R"({"nodes":{"features":[["a",2]]}})", "spec.nodes.features[0][1] is 2", "a string"},
        Refused{R"({"name":"a\u0000b"})", "spec: name holds a NUL", "without \\u0000"},
        Refused{R"({"env":{"A":"x\u0000"}})", "env.A holds a NUL", ""},
        Refused{R"({"env":{"A\u0000":"x"}})", "a field name in env holds a NUL", ""},
        Refused{"{\"name\":\"\xff\"}", "line 1", "UTF-8"}, Refused{"{\"name\":\"\xed\xa0\x80\"}", "line 1", "UTF-8"},
        Refused{"{\"name\":\n \"a\",,}", "line 2, byte 6", ""},
        Refused{"{\"name\":\"a\"", "line 1, byte 12: incomplete", ""}, Refused{"{} x", "something follows the end", ""},
        Refused{"", "line 1, byte 1", ""}, Refused{"[]", "spec is a list", "an object"},
        Refused{"null", "spec is null", "an object"},
        Refused{std::string(100, '[') + std::string(100, ']'), "line 1, byte 33", "32 levels"},
        Refused{R"({"name":")" + std::string(200, 'a') + R"(","launch":")" + std::string(200, 'b') + "\"}", "bbb...",
                "each, first"}));

TEST(JsonDocument, RefusesMoreBytesThanTheBound) {
  const auto value = parse_json("[1,2,3]", "the request", 6);
  ASSERT_FALSE(value.ok());
  EXPECT_EQ(value.error().code, ErrorCode::too_large);
  EXPECT_THAT(value.error().message, HasSubstr("the request has 7 bytes; the bound is 6"));
  EXPECT_TRUE(parse_json("[1,2,3]", "the request", 7).ok());
}

TEST(JsonDocument, DuplicateFieldsLeaveOneValue) {
  const auto spec = job_spec_from_json(R"({"name":"a","name":"b"})");
  ASSERT_TRUE(spec.ok());
  EXPECT_EQ(spec->name, "b");
}

TEST(JsonWriterTest, WritesNothingThatTheReaderWouldRefuse) {
  JobSpec spec;
  spec.name = std::string("a\0b", 3);
  spec.comment = "\xff\xc3";
  spec.env[std::string("k\0", 2)] = "v\xed\xa0\x80";
  const Result<JobSpec> back = job_spec_from_json(job_spec_to_json(spec));
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(back->name, "a\uFFFDb");
  EXPECT_EQ(back->comment, "\uFFFD\uFFFD");
  EXPECT_EQ(back->env.at("k\uFFFD"), "v\uFFFD\uFFFD\uFFFD");
}

TEST(OldDocuments, MissingFieldsTakeTheModelsDefaults) {
  const auto spec = job_spec_from_json("{}");
  ASSERT_TRUE(spec.ok());
  EXPECT_EQ(*spec, JobSpec{});
  const auto event = event_from_json(R"({"event":"attempt_ended","at_ms":5,"job":3,"attempt":1,"outcome":"failed"})");
  ASSERT_TRUE(event.ok()) << event.error().message;
  const auto& ended = std::get<event::AttemptEnded>(event->body);
  EXPECT_EQ(ended.key, (AttemptKey{JobId(3), 1}));
  EXPECT_EQ(ended.cpu_ms, 0);
}

TEST(EventJson, RefusesWhatItDoesNotKnow) {
  const auto unknown = event_from_json(R"({"event":"job_teleported","at_ms":1})");
  ASSERT_FALSE(unknown.ok());
  EXPECT_THAT(unknown.error().message, HasSubstr("job_teleported"));
  EXPECT_FALSE(event_from_json(R"({"at_ms":1,"job":1})").ok());
  EXPECT_FALSE(event_from_json(R"({"event":"job_held","at_ms":"1","job":1})").ok());
  EXPECT_FALSE(event_from_json(R"({"event":"job_held","at_ms":1,"job":1,"to":"x"})").ok());
  EXPECT_FALSE(event_from_json(R"([])").ok());
}

TEST(StateJson, ListsOfJobs) {
  EXPECT_EQ(job_ids_to_json({JobId(15), JobId(12)}), "[12,15]");
  const auto back = job_ids_from_json("[15,12]");
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, (std::set<JobId>{JobId(12), JobId(15)}));
}

}  // namespace
}  // namespace berth
