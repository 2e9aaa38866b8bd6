# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What pages say about the repository: links, folders, files and messages."""

import functools
import os
import re
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^( *)(`{3,}).*?^\1\2$", re.MULTILINE | re.DOTALL)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def files_of(*folders):
    """The paths of all files in the folders, from the repository's root."""
    for folder in folders:
        for where, _, names in os.walk(os.path.join(ROOT, folder)):
            if "__pycache__" not in where:
                for name in names:
                    yield os.path.relpath(os.path.join(where, name), ROOT)


@functools.lru_cache(maxsize=None)
def pages():
    found = [name for name in os.listdir(ROOT) if name.endswith(".md")]
    found += [p for p in files_of("docs", "python", "examples") if p.endswith(".md")]
    return sorted(found)


def prose(text):
    """A page without its blocks of code."""
    return _FENCE.sub("", text)


def anchors(text):
    """Those of a page's titles, as GitHub makes them."""
    found = set()
    for title in re.findall(r"^#+ (.*)$", prose(text), re.MULTILINE):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        title = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        number = 0
        while (anchor := title + (f"-{number}" if number else "")) in found:
            number += 1
        found.add(anchor)
    return found


def links(page):
    """(target, path from the root, anchor) of a page's relative links."""
    for match in _LINK.finditer(prose(read(page))):
        target = match[1] or match[2]
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        full = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        yield target, full, anchor


def broken_links(page):
    broken = []
    for target, path, anchor in links(page):
        if not os.path.exists(os.path.join(ROOT, path)):
            broken.append(target)
        elif anchor and (not path.endswith(".md") or anchor not in anchors(read(path))):
            broken.append(target)
    return broken


def paths_of_code(text):
    """Repository paths among a page's words in backticks."""
    return {
        word.rstrip("/")
        for word in re.findall(r"`([^`\s]+)`", prose(text))
        if "/" in word and "*" not in word
    }


def joined_literals(text):
    """A source, whose string literals are joined where they stand side by side."""
    text = re.sub(r'"\s*(?:(?:<<|\+)\s*)?"', "", text)
    return re.sub(r"\s+", " ", text.replace('\\"', '"'))


@functools.lru_cache(maxsize=None)
def sources():
    return {
        path: joined_literals(read(path))
        for path in files_of("lib", "runtime", "tools", "include", "python", "test/Docs")
        if path.endswith((".cpp", ".h", ".cu", ".py")) and "test_" not in path
    }


def pieces_of(message):
    """What stands between the ellipses of a quoted message."""
    return [piece.strip() for piece in message.split("…") if len(piece.strip(" '.,:;()")) > 3]


def prints(source, message, reach=1500):
    """Whether a source has the pieces of a message, in order and close together."""
    pieces = pieces_of(message)
    start = source.find(pieces[0])
    while start >= 0:
        at = start
        for piece in pieces:
            at = source.find(piece, at, start + reach)
            if at < 0:
                break
            at += len(piece)
        else:
            return True
        start = source.find(pieces[0], start + 1)
    return False


def quoted_messages(text):
    """Those in the first columns of tables that are headed by messages."""
    found, of_messages = [], False
    for line in text.splitlines():
        if not line.startswith("|"):
            of_messages = False
        elif re.match(r"\| (message|reason)", line):
            of_messages = True
        elif of_messages:
            found += re.findall(r"`([^`]+)`", line.split(" | ")[0])
    return found


class Links(unittest.TestCase):
    def test_lead_somewhere(self):
        for page in pages():
            with self.subTest(page=page):
                self.assertEqual(broken_links(page), [])

    def test_the_index_leads_to_all_pages(self):
        listed = {path for _, path, _ in links("docs/README.md")}
        there = {p for p in pages() if p.startswith("docs/")} - {"docs/README.md"}
        self.assertEqual(there - listed, set())

    def test_anchors(self):
        text = "# A `b` c\n```\n# no title\n```\n## A b c\n## [Link](x.md): it's\n"
        self.assertEqual(anchors(text), {"a-b-c", "a-b-c-1", "link-its"})


class Structure(unittest.TestCase):
    """docs/structure.md names folders that exist, and all of two levels."""

    def setUp(self):
        self.text = read("docs/structure.md")

    def test_named_folders_exist(self):
        for path in paths_of_code(self.text):
            self.assertTrue(os.path.exists(os.path.join(ROOT, path)), path)

    def test_all_folders_are_named(self):
        named = {path for _, path, _ in links("docs/structure.md")}
        left_out = {"out", "__pycache__"}
        for top in os.listdir(ROOT):
            if top.startswith((".", "build")) or top in left_out or not os.path.isdir(os.path.join(ROOT, top)):
                continue
            self.assertIn(top, named)
            for name in os.listdir(os.path.join(ROOT, top)):
                path = f"{top}/{name}"
                if name in left_out or name.startswith(".") or not os.path.isdir(os.path.join(ROOT, path)):
                    continue
                if name.endswith(".egg-info") or path == "lib/Dialect":
                    continue
                self.assertIn(path, named)

    def test_runtime_folders_include_what_they_use(self):
        rows = re.findall(r"^\| \[`runtime/(\w+)`\].*\| (.*)\|$", self.text, re.M)
        uses = {folder: set(re.findall(r"`(\w+)`", listed)) for folder, listed in rows}
        found = {folder: set() for folder in uses}
        for path in files_of("runtime"):
            if path.endswith((".h", ".cpp", ".inc", ".def", ".cu", ".cuh")):
                folder = path.split("/")[1]
                included = re.findall(r'^#include "(\w+)/', read(path), re.M)
                found[folder] |= set(included) & set(uses) - {folder}
        self.assertEqual(found, uses)


class AddingAnOp(unittest.TestCase):
    """docs/adding-an-op.md names every file in which its example is written."""

    NAMES = re.compile(
        r"\bsquared_error|SquaredErrorOp|SquaredErrorGradOp|SquaredError\."
    )

    def test_names_all_files_of_the_example(self):
        named = {path for _, path, _ in links("docs/adding-an-op.md")}
        files = {
            path
            for path in files_of("include", "lib", "runtime", "test", "tools", "benchmarks")
            if path.endswith((".td", ".h", ".cpp", ".cu", ".cuh", ".txt", ".def", ".mlir", ".test"))
            and self.NAMES.search(read(path))
        }
        self.assertGreater(len(files), 20)
        self.assertEqual(files - named, set())

    def test_table_has_eight_files(self):
        """Those in which an op must be written, besides its tests and frontends."""
        rows = [r for r in read("docs/adding-an-op.md").splitlines() if r.startswith("| [") and "(optional)" not in r]
        listed = [name for row in rows for name in re.findall(r"`([^`]+)`", row)]
        mentioned = {
            path
            for path in files_of("include", "lib", "runtime")
            if path.endswith((".td", ".h", ".cpp", ".cu", ".txt"))
            and (self.NAMES.search(read(path)) or path.endswith("kernels/SquaredError.cu"))
        }
        # What is optional: a rule for ranks, and what makes it a loss.
        optional = ("/Distribution/", "/LossAttrs.cpp")
        required = {path for path in mentioned if not any(part in path for part in optional)}
        self.assertEqual(len(required), 8, required)
        for name in listed:
            if name != "CMakeLists.txt":
                self.assertTrue(any(path.endswith(name) for path in required), name)


class Troubleshooting(unittest.TestCase):
    """docs/troubleshooting.md quotes what the sources print."""

    def test_messages_are_in_the_sources(self):
        messages = quoted_messages(read("docs/troubleshooting.md"))
        self.assertGreater(len(messages), 40)
        for message in messages:
            with self.subTest(message=message):
                self.assertTrue(any(prints(text, message) for text in sources().values()))

    def test_notices_another_message(self):
        source = joined_literals('error() << "it needs " << n <<\n  " ranks, "\n "not one";')
        self.assertTrue(prints(source, "it needs … ranks, not one"))
        self.assertFalse(prints(source, "it needs … ranks, not two"))
        self.assertFalse(prints(source, "ranks, not one … it needs"))


class Readme(unittest.TestCase):
    """The figures with which README.md compares are those of docs/benchmarks.md."""

    def test_figures_are_measured(self):
        text = read("README.md")
        why = text[text.index("## Why") : text.index("What it cannot do yet")]
        measured = [float(n) for n in re.findall(r"\d+\.\d+", read("docs/benchmarks.md"))]
        figures = re.findall(r"\d+\.\d+", why)
        self.assertGreater(len(figures), 8)
        for figure in figures:
            digits = len(figure.split(".")[1])
            self.assertIn(float(figure), [round(n, digits) for n in measured], figure)


class Glossary(unittest.TestCase):
    def test_is_in_order(self):
        terms = re.findall(r"^\*\*(.+?)\*\*", read("docs/glossary.md"), re.MULTILINE)
        self.assertGreater(len(terms), 40)
        self.assertEqual(terms, sorted(terms, key=str.casefold))


if __name__ == "__main__":
    unittest.main()
