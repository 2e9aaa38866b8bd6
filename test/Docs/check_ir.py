# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the IR quoted in a page is what the tools print today.

A quoted block has the command that makes it in the comment before it, run in
the repository's root:

    <!-- te-opt examples/gpt_bytes/model.onnx --te-raise -->
    ```mlir
    %h = te.activation gelu_tanh %u : …
    ...
    ```

Each statement of the block must be in the output, in this order:
  - a line indented by four or more beyond the first of its statement continues
    it, and white space counts for nothing;
  - `…` stands for any text within a line of output;
  - a line `...` stands for any lines, also at the block's beginning and end.
    Statements without it between them are consecutive lines of output;
  - value names (%x) are free, but a name means one value throughout a block.

usage: check_ir.py --tools DIR --root DIR PAGE.md
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile

_BLOCK = re.compile(r"^<!-- (te-\S+ .*?) -->\n+```mlir\n(.*?)^```$", re.S | re.M)
_VALUE = re.compile(r"%[\w$.-]+(?::\d+)?(?:#\d+)?")
_GAP = object()


def statements(block):
    """The block's statements, gaps as _GAP."""
    result, indent = [], 0
    for line in block.splitlines():
        text = line.strip()
        if not text:
            continue
        depth = len(line) - len(line.lstrip())
        if text == "...":
            result.append(_GAP)
        elif result and result[-1] is not _GAP and depth >= indent + 4:
            result[-1] += " " + text
        else:
            result.append(text)
            indent = depth
    return result


def squeeze(text):
    return " ".join(text.split())


def pattern_of(statement):
    """A statement as a regular expression and the names of its groups."""
    names, parts, last = [], [], 0
    statement = squeeze(statement)
    for match in _VALUE.finditer(statement):
        parts.append(literal(statement[last : match.start()]))
        parts.append(r"(%[\w$.#:-]+)")
        names.append(match.group())
        last = match.end()
    parts.append(literal(statement[last:]))
    return re.compile("".join(parts)), names


def literal(text):
    return ".*".join(re.escape(piece) for piece in text.split("…"))


def bind(match, names, known):
    """`known` with this line's values, or None where they contradict it."""
    known = dict(known)
    for name, value in zip(names, match.groups()):
        value = value.rstrip(":")
        if known.setdefault(name, value) != value:
            return None
    return known


class Search:
    """Finds the statements in the lines, going back where a choice was wrong."""

    def __init__(self, block, output):
        self.items = statements(block)
        self.patterns = [
            None if item is _GAP else pattern_of(item) for item in self.items
        ]
        self.lines = [squeeze(line) for line in output.splitlines()]
        self.furthest = -1
        self.dead = set()

    def run(self):
        return self._from(0, 0, {}, True)

    def missing(self):
        """The first statement that was never found behind those before it."""
        for index in range(self.furthest + 1, len(self.items)):
            if self.items[index] is not _GAP:
                return self.items[index]
        return None

    def _from(self, item, line, known, free):
        if item == len(self.items):
            return True
        if self.items[item] is _GAP:
            return self._from(item + 1, line, known, True)
        key = (item, line, free, tuple(sorted(known.items())))
        if key in self.dead:
            return False
        pattern, names = self.patterns[item]
        for at in range(line, len(self.lines) if free else line + 1):
            if at >= len(self.lines):
                break
            match = pattern.fullmatch(self.lines[at])
            bound = bind(match, names, known) if match else None
            if bound is not None:
                self.furthest = max(self.furthest, item)
                if self._from(item + 1, at + 1, bound, False):
                    return True
        self.dead.add(key)
        return False


def run(command, tools, root):
    words = shlex.split(command)
    words[0] = os.path.join(tools, words[0])
    result = subprocess.run(words, cwd=root, capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(
            f"exit code {result.returncode} from: {command}\n{result.stderr}"
        )
    return result.stdout


def main():
    parser = argparse.ArgumentParser(description="Checks IR quoted in a page.")
    parser.add_argument("--tools", required=True, help="folder of te-opt")
    parser.add_argument("--root", required=True, help="where commands run")
    parser.add_argument("page")
    options = parser.parse_args()

    with open(options.page, encoding="utf-8") as file:
        text = file.read()
    blocks = [
        (text.count("\n", 0, match.start()) + 1, match.group(1), match.group(2))
        for match in _BLOCK.finditer(text)
    ]
    if not blocks:
        print(f"{options.page}: no checked block found", file=sys.stderr)
        return 1
    outputs, failures = {}, 0
    for line, command, block in blocks:
        try:
            if command not in outputs:
                outputs[command] = run(command, options.tools, options.root)
        except (OSError, RuntimeError) as error:
            print(f"{options.page}:{line}: {error}", file=sys.stderr)
            failures += 1
            continue
        search = Search(block, outputs[command])
        if search.run():
            continue
        failures += 1
        with tempfile.NamedTemporaryFile(
            "w", suffix=".mlir", prefix="check-ir-", delete=False
        ) as file:
            file.write(outputs[command])
        print(
            f"{options.page}:{line}: the output of\n  {command}\n"
            f"does not have, after the statements before it:\n  {search.missing()}\n"
            f"The whole output is in {file.name}",
            file=sys.stderr,
        )
    print(f"{len(blocks) - failures} of {len(blocks)} blocks agree with the tools")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.setrecursionlimit(10000)
    sys.exit(main())
