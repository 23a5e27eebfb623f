#!/usr/bin/env python3
"""Holds the bounds on length: a file outside tests at most 400 lines, a function at most 70.

Prints one line per breach and exits 1 if there are any; with --medians, what is typical instead.
"""
import re
import statistics
import sys
from pathlib import Path

from layers import ROOT, code_of

MAX_FILE, MAX_FUNCTION = 400, 70
NOT_A_FUNCTION = re.compile(r"^\s*(?:(?:inline|export|extern\s+\"\")\s+)?(?:namespace|class|struct|union|enum|extern)\b(?![^{]*\)\s*(?:const)?\s*$)")


def functions_of(text):
    """(first line, length) of every function body; lambdas count as part of the function around them."""
    code = re.sub(r"^\s*#.*?(?<!\\)$", lambda m: "\n" * m.group().count("\n"), code_of(text), flags=re.M | re.S)
    line, chunk_start, chunk = 1, 1, ""
    stack = []  # per open brace: "scope", "other", or the line where a function began
    inside = 0  # how many of them are functions
    for char in code:
        if char == "\n":
            line += 1
        if char == "{":
            head = chunk.strip()
            is_scope = not head or bool(NOT_A_FUNCTION.match(re.sub(r"^template\s*<.*?>\s*(?=class|struct|union)", "", head)))
            if not inside and "(" in head and not is_scope:
                stack.append(chunk_start)
                inside += 1
            else:
                stack.append("other")
            chunk = ""
        elif char == "}":
            opened = stack.pop() if stack else "other"
            if opened != "other":
                inside -= 1
                yield opened, line - opened + 1
            chunk = ""
        elif char == ";":
            chunk = ""
        else:
            if not chunk.strip():
                chunk_start = line
            chunk += char


def main():
    breaches, lengths, sizes = [], [], []
    for folder in ("src", "tests", "bench", "fuzz"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in {".h", ".cc"}:
                continue
            text, name = path.read_text(), path.relative_to(ROOT).as_posix()
            is_test = folder == "tests" or name.endswith("_test.cc")
            lines = text.count("\n")
            if lines > MAX_FILE and not is_test:
                breaches.append(f"{name}: {lines} lines; {MAX_FILE} is the bound")
            for start, length in functions_of(text):
                if length > MAX_FUNCTION:
                    breaches.append(f"{name}:{start}: a function of {length} lines; {MAX_FUNCTION} is the bound")
                if not is_test:
                    lengths.append(length)
            if not is_test:
                sizes.append(lines)
    if "--medians" in sys.argv[1:]:
        print(f"{len(sizes)} files, median {statistics.median(sizes):.0f} lines, longest {max(sizes)}")
        print(f"{len(lengths)} functions, median {statistics.median(lengths):.0f} lines, longest {max(lengths)}")
        return 0
    print("\n".join(breaches), end="\n" if breaches else "")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
