#!/usr/bin/env python3
"""tools/tally.py REPORT.xml: what ctest's report says, in one line; before it the names of what failed or was skipped."""
import sys
import xml.etree.ElementTree as ElementTree


def main(path):
    try:
        cases = list(ElementTree.parse(path).getroot().iter("testcase"))
    except (OSError, ElementTree.ParseError) as error:
        print(f"ctest left no report: {error}")
        print("0 passed, 1 failed, 0 skipped")
        return 1
    names = {"run": [], "fail": [], "notrun": [], "disabled": []}
    for case in cases:
        names.setdefault(case.get("status", "fail"), []).append(name_of(case))
    skipped = names["disabled"] + [name_of(c) for c in cases if c.get("status") == "notrun" and is_skip(c)]
    failed = names["fail"] + [n for n in names["notrun"] if n not in skipped]
    for title, group in (("skipped", skipped), ("failed", failed)):
        for name in group:
            print(f"{title}: {name}")
    print(f"{len(names['run'])} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or not cases else 0


def name_of(case):
    """Without what GoogleTest prints of the parameter."""
    return case.get("name").split("  # GetParam()")[0]


def is_skip(case):
    """A test that said itself that it cannot run here; `not run` for any other reason (no program) is a failure."""
    mark = case.find("skipped")
    return mark is not None and mark.get("message", "").startswith("SKIP_")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
