#!/usr/bin/env python3
"""The checks find what they are for, and nothing in what is right."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import layers
import sizes
import tally


def breaches_of(name, text):
    """What layers says of one file of that name."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "src" / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
        layers.ROOT, layers.SRC = Path(folder), Path(folder) / "src"
        found = []
        layers.check_file(path, found)
        layers.check_words(name, text, layers.BANNED_EVERYWHERE, "nobody may use", found)
        return found


class Layers(unittest.TestCase):
    def test_an_include_against_the_table(self):
        self.assertEqual(len(breaches_of("store/a.cc", '#include "engine/local/x.h"\n')), 1)
        self.assertEqual(len(breaches_of("core/a.cc", '#include "wire/text.h"\n')), 1)
        self.assertEqual(breaches_of("store/a.cc", '#include "wire/text.h"\n#include "model/job.h"\n'), [])

    def test_tests_may_fold_events_but_not_look_sideways(self):
        self.assertEqual(breaches_of("store/a_test.cc", '#include "core/decide.h"\n'), [])
        self.assertEqual(len(breaches_of("store/a_test.cc", '#include "sim/world.h"\n')), 1)

    def test_the_core_is_pure(self):
        for line in ("#include <chrono>", "#include <unordered_map>", "#include <sys/stat.h>", "#include <iostream>",
                     "auto t = std::chrono::system_clock::now();", 'auto p = getenv("HOME");', "int r = rand();",
                     "std::unordered_set<int> s;", "auto t = time(nullptr);", "std::mutex m;"):
            self.assertEqual(len(breaches_of("core/a.cc", line + "\n")), 1, line)
        for line in ("// unordered_map would not do", 'auto s = "getenv";', "Time time() const;", "job.time();", "int operand(int);"):
            self.assertEqual(breaches_of("core/a.cc", line + "\n"), [], line)
        self.assertEqual(breaches_of("api/a.cc", "#include <chrono>\n"), [])

    def test_what_nobody_may(self):
        self.assertEqual(len(breaches_of("api/a.cc", "using namespace std;\n")), 1)
        self.assertEqual(len(breaches_of("control/a.cc", "if (is_simulated) return;\n")), 1)

    def test_include_cycles(self):
        with tempfile.TemporaryDirectory() as folder:
            layers.SRC = Path(folder)
            (layers.SRC / "core").mkdir()
            for name, other in (("a", "b"), ("b", "c"), ("c", "a")):
                (layers.SRC / "core" / f"{name}.h").write_text(f'#include "core/{other}.h"\n')
            found = []
            layers.find_cycles(sorted(layers.SRC.rglob("*.h")), found)
            self.assertEqual(found, ["include cycle: core/a.h -> core/b.h -> core/c.h -> core/a.h"])


class Sizes(unittest.TestCase):
    def lengths(self, text):
        return [length for _, length in sizes.functions_of(text)]

    def test_functions_and_what_is_none(self):
        self.assertEqual(self.lengths("int f() {\n  return 1;\n}\n"), [3])
        self.assertEqual(self.lengths("namespace a {\nstruct B {\n  int g() const { return 1; }\n};\n}\n"), [1])
        self.assertEqual(self.lengths("const int table[] = {\n 1,\n 2,\n};\n"), [])
        self.assertEqual(self.lengths("template <class T>\nclass C {\n  C() : a_(1) {\n  }\n  int a_;\n};\n"), [2])

    def test_lambdas_belong_to_the_function_around_them(self):
        self.assertEqual(self.lengths("void f() {\n  auto g = [] {\n    if (x()) {\n    }\n  };\n}\n"), [6])

    def test_braces_in_text_do_not_count(self):
        self.assertEqual(self.lengths('void f() {\n  put("}{");  // {\n}\nvoid g() {\n}\n'), [3, 2])


class Tally(unittest.TestCase):
    def run_tally(self, cases):
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write(f"<testsuite>{cases}</testsuite>")
            file.flush()
            run = subprocess.run([sys.executable, tally.__file__, file.name], capture_output=True, text=True)
            return run.returncode, run.stdout.splitlines()[-1]

    def test_counts(self):
        ok = '<testcase name="a" status="run"/>'
        skipped = '<testcase name="b" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>'
        missing = '<testcase name="c" status="notrun"><skipped message="Unable to find executable"/></testcase>'
        bad = '<testcase name="d" status="fail"/>'
        self.assertEqual(self.run_tally(ok + skipped), (0, "1 passed, 0 failed, 1 skipped"))
        self.assertEqual(self.run_tally(ok + missing + bad), (1, "1 passed, 2 failed, 0 skipped"))
        self.assertEqual(self.run_tally(""), (1, "0 passed, 0 failed, 0 skipped"))


if __name__ == "__main__":
    unittest.main()
