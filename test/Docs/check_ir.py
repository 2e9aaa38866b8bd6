# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the IR that a page quotes with what a tool prints.

Each statement of the block must be in the output, in this order:
  - a line indented by four or more beyond the first of its statement continues
    it, and white space counts for nothing;
  - `…` stands for any text within a line of output;
  - a line `...` stands for any lines, also at the block's beginning and end.
    Statements without it between them are consecutive lines of output;
  - value names (%x) are free, but a name means one value throughout a block."""

import re
import shlex
import subprocess

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


def run(command):
    result = subprocess.run(shlex.split(command), capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(
            f"exit code {result.returncode} from: {command}\n{result.stderr}"
        )
    return result.stdout
