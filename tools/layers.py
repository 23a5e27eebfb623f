#!/usr/bin/env python3
"""Holds the include table of the design, and what the inner folders must not touch.

Prints one line per breach and exits 1 if there are any.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src"

# folder -> folders that it may include (its own always).
MAY_INCLUDE = {
    "base": set(),
    "model": {"base"},
    "core": {"model", "base"},
    "ports": {"model", "base"},
    "wire": {"model", "base"},
    "control": {"core", "ports", "model", "base"},
    "store": {"ports", "wire", "model", "base"},
    "engine": {"ports", "wire", "model", "base"},
    "sim": {"control", "core", "ports", "wire", "model", "base"},
    "api": {"control", "ports", "wire", "model", "base"},
    "app": {"api", "base", "control", "core", "engine", "model", "ports", "sim", "store", "wire"},
}
# A test may fold events and run the loop with what it tests; the folders beside each other stay apart even there.
TESTS_MAY_ADD = {"core", "control", "ports"}
PURE = {"base", "model", "core", "ports"}
# Who may do what the inner folders must not, and why.
EXEMPT = {"base/check.cc": "a broken invariant is printed to stderr before the program aborts"}

BANNED_HEADERS = {
    "a clock": "chrono ctime time.h sys/time.h",
    "randomness": "random sys/random.h",
    "threads": "thread mutex shared_mutex condition_variable atomic future semaphore latch barrier stop_token pthread.h",
    "input or output": "iostream fstream istream ostream sstream filesystem cstdio stdio.h unistd.h fcntl.h print syncstream",
    "an unordered container": "unordered_map unordered_set",
}
BANNED_HEADER = {name: what for what, names in BANNED_HEADERS.items() for name in names.split()}
BANNED_WORDS = [
    (re.compile(r"\bstd::chrono\b|\bclock_gettime\b|\bgettimeofday\b|(?<![\w.>])time\(\s*(?:nullptr|NULL|0|&\w+)\s*\)"), "a clock"),
    (re.compile(r"\brandom_device\b|\bmt19937|(?<![\w.>])s?rand\("), "randomness"),
    (re.compile(r"\bgetenv\b|\bsetenv\b|\benviron\b"), "the environment"),
    (re.compile(r"\bthread_local\b|\bstd::(?:jthread|thread|mutex|atomic)\b"), "threads"),
    (re.compile(r"\bunordered_(?:multi)?(?:map|set)\b"), "an unordered container"),
]
BANNED_EVERYWHERE = [
    (re.compile(r"\busing\s+namespace\s+std\s*;"), "`using namespace std`"),
    (re.compile(r"\bif\s*\([^)]*\b(?:is_|in_)?(?:simulated|simulation|simulating)(?:_|\b)"), "a branch for the simulator"),
]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def code_of(text):
    """The text without comments and strings; lines stay where they are."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|R"([^(\s]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
    return pattern.sub(lambda m: "\n" * m.group().count("\n") if m.group()[0] in "/R" else '""', text)


def includes_of(text):
    for number, line in enumerate(text.splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[1] == '"', match[2]


def check_file(path, breaches):
    name = path.relative_to(SRC).as_posix()
    folder = name.split("/")[0]
    text = path.read_text()
    allowed = MAY_INCLUDE[folder] | {folder}
    is_test = name.endswith("_test.cc")
    if is_test and folder not in PURE:
        allowed |= TESTS_MAY_ADD
    pure = folder in PURE and not is_test and name not in EXEMPT
    for number, own, header in includes_of(text):
        target = header.split("/")[0]
        if target in MAY_INCLUDE and "/" in header and target not in allowed:
            breaches.append(f"src/{name}:{number}: {folder} must not include {header}")
        if own and target not in MAY_INCLUDE:
            breaches.append(f'src/{name}:{number}: "{header}" should be the path from src/, or <{header}>')
        if pure and not own and (header in BANNED_HEADER or header.startswith(("sys/", "boost/"))):
            what = BANNED_HEADER.get(header, "the operating system or a library")
            breaches.append(f"src/{name}:{number}: {folder} must not use {what} (<{header}>)")
    if pure:
        check_words(f"src/{name}", text, BANNED_WORDS, f"{folder} must not use", breaches)


def check_words(name, text, table, prefix, breaches):
    for number, line in enumerate(code_of(text).splitlines(), 1):
        if INCLUDE.match(line):
            continue
        for pattern, what in table:
            if pattern.search(line):
                breaches.append(f"{name}:{number}: {prefix} {what}")


def find_cycles(files, breaches):
    """Include cycles between files, by depth-first search; each is shown once."""
    graph = {}
    for path in files:
        targets = [header for _, own, header in includes_of(path.read_text()) if own]
        graph[path.relative_to(SRC).as_posix()] = targets
    done, trail = set(), []

    def visit(name):
        if name in trail:
            breaches.append("include cycle: " + " -> ".join(trail[trail.index(name):] + [name]))
            return
        if name in done or name not in graph:
            return
        trail.append(name)
        for target in graph[name]:
            visit(target)
        trail.pop()
        done.add(name)

    for name in sorted(graph):
        visit(name)


def main():
    breaches = []
    sources = sorted(p for p in SRC.rglob("*") if p.suffix in {".h", ".cc"})
    for path in sources:
        if path.relative_to(SRC).parts[0] in MAY_INCLUDE:
            check_file(path, breaches)
        else:
            breaches.append(f"{path.relative_to(ROOT)}: in a folder that the table of tools/layers.py does not know")
    others = [p for d in ("tests", "bench", "fuzz") for p in sorted((ROOT / d).rglob("*")) if p.suffix in {".h", ".cc"}]
    for path in sources + others:
        check_words(path.relative_to(ROOT).as_posix(), path.read_text(), BANNED_EVERYWHERE, "nobody may use", breaches)
    find_cycles(sources, breaches)
    print("\n".join(breaches), end="\n" if breaches else "")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
