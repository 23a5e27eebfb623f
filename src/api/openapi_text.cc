#include "api/openapi_text.h"

// The file's bytes, put into the program by the assembler; the build depends on the file.
asm(".section .rodata\n"
    "berth_openapi_begin:\n"
    ".incbin \"" BERTH_OPENAPI_FILE
    "\"\n"
    "berth_openapi_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" {
extern const char berth_openapi_begin[];
extern const char berth_openapi_end[];
}

namespace berth::api {

std::string_view openapi_text() {
  return {berth_openapi_begin, static_cast<std::size_t>(berth_openapi_end - berth_openapi_begin)};
}

}  // namespace berth::api
