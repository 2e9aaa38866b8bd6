# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the code blocks of a page in their order, as its reader would, in a folder
that has what the repository's root has. Blocks of sh run in bash, those of python in
one interpreter, json is parsed.

Comments of the page, which its readers do not see, say more. Before a block:

    <!-- needs torch onnx -->       left out where a Python module, or a command, is missing
    <!-- not run: several hosts --> the reason. Only its syntax is checked, and that the
                                    options of our tools exist
    <!-- in FILE -->                of mlir, cpp and others: quoted from a file of the repository,
                                    as check_ir.py compares
    <!-- te-opt … -->               of mlir: what that prints, likewise

Anywhere:

    <!-- sh                         a block that the reader has no need to see: what
    cp … model.onnx                 takes the place of files of the reader's own
    -->
    <!-- every block needs jax -->
    <!-- shorter: --steps 500 => --steps 8 -->   from here on, in what is run

usage: run_page.py PAGE --root DIR --tools DIR [--tools DIR]

The first of the folders of tools is the bin of a build.

Exit code 77: all blocks were left out."""

import argparse
import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import traceback

import check_ir

_TOKEN = re.compile(
    r"^(?P<indent>[ ]*)```(?P<language>\w*)\n(?P<code>.*?)^[ ]*```$"
    r"|<!--\s(?P<comment>.*?)\s*-->",
    re.MULTILINE | re.DOTALL,
)
_HIDDEN = re.compile(r"(sh|python)\n(.*)", re.DOTALL)
# Folders that blocks write to.
_COPIED = ("examples", "python")


class PageError(Exception):
    """What is wrong with a block, or with what the page says of it."""


class Block:
    def __init__(self, language, line, code):
        self.language, self.line, self.code = language, line, code
        self.needs, self.why_not, self.source, self.command = [], None, None, None


def _shorten(code, pairs):
    for pair in pairs:
        if pair[0] in code:
            pair[2] = True
            code = code.replace(pair[0], pair[1])
    return code


def read_comments(block, comments, needs):
    block.needs = list(needs)
    for comment in comments:
        if comment.startswith("needs "):
            block.needs += comment.split()[1:]
        elif comment.startswith("not run: "):
            block.why_not = comment[len("not run: ") :]
        elif comment.startswith("in "):
            block.source = comment[len("in ") :]
        elif comment.startswith("te-"):
            block.command = comment
        else:
            raise PageError(f"line {block.line}: what does <!-- {comment} --> mean?")


def find_blocks(text):
    """The page's blocks, with what its comments say of them."""
    blocks, comments, shorter, needs, end = [], [], [], [], 0
    for match in _TOKEN.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if text[end : match.start()].strip():
            comments = []
        end = match.end()
        comment = match["comment"]
        if comment is not None:
            hidden = _HIDDEN.match(comment)
            if hidden:
                block = Block(hidden[1], line + 1, hidden[2] + "\n")
                read_comments(block, comments, needs)
                comments = []
                blocks.append(block)
            elif comment.startswith("every block needs "):
                needs = comment.split()[3:]
            elif comment.startswith("shorter: "):
                old, new = comment[len("shorter: ") :].split(" => ")
                shorter.append([old, new, False])
            else:
                comments.append(comment)
            continue
        code = re.sub(f"^{match['indent']}", "", match["code"], flags=re.MULTILINE)
        block = Block(match["language"], line + 1, _shorten(code, shorter))
        read_comments(block, comments, needs)
        comments = []
        blocks.append(block)
    for old, _, used in shorter:
        if not used:
            raise PageError(f"nothing to make shorter: {old}")
    return blocks


def find_missing(needs):
    return [
        need
        for need in needs
        if shutil.which(need) is None and importlib.util.find_spec(need) is None
    ]


def commands_of(code):
    """[[word, …]] of the lines of a block of sh."""
    commands = []
    for line in re.sub(r"\\\n", " ", code).splitlines():
        commands.append([])
        words = shlex.shlex(line, posix=True, punctuation_chars="&|;")
        words.whitespace_split = True
        for word in words:
            if word and set(word) <= set("&|;"):
                commands.append([])
            else:
                commands[-1].append(word)
    return [command for command in commands if command]


def check_options(code):
    """That our tools have the options which a block names."""
    for words in commands_of(code):
        names = [n for n, word in enumerate(words) if re.fullmatch(r"te-[\w-]+", word)]
        if not names:
            continue
        words = words[names[-1] :]
        subcommand = words[1:2] if words[0] == "te-run" else []
        everything = "--help-all" if words[0] in ("te-compile", "te-run") else "--help-hidden"
        done = subprocess.run(
            [words[0], *subcommand, everything], capture_output=True, text=True, check=False
        )
        known = set(re.findall(r"--[a-z][\w-]*", done.stdout + done.stderr))
        for word in words[1:]:
            name = re.match(r"--[a-z][\w-]*", word)
            if name and name[0] not in known:
                raise PageError(f"{' '.join(words[:2])} has no option {name[0]}")


def check_syntax(block, page):
    if block.language == "sh":
        done = subprocess.run(
            ["bash", "-n"], input=block.code, text=True, capture_output=True, check=False
        )
        if done.returncode:
            raise PageError(done.stderr)
        check_options(block.code)
    elif block.language == "python":
        compile(block.code, page, "exec")


def check_quoted(block):
    quoted = block.code
    if block.command:
        try:
            text = check_ir.run(block.command)
        except RuntimeError as error:
            raise PageError(error) from error
        gap = ""
    else:
        with open(block.source, encoding="utf-8") as file:
            text = file.read()
        gap = "...\n"
    if block.source and block.language != "mlir":
        # Lines of code, however far they are indented, continue nothing.
        quoted = "\n".join(line.strip() for line in quoted.split("\n"))
    if block.language == "cpp":
        # A file may use namespaces, and have other lines where the page has none.
        quoted = re.sub(r" *//.*", "", quoted).replace("\n\n", "\n...\n")
        quoted, text = (re.sub(r"\b(mlir|te)::", "", it) for it in (quoted, text))
    search = check_ir.Search(gap + quoted + gap, text)
    if not search.run():
        raise PageError(
            f"{block.source or 'the output of ' + block.command} does not have, after the lines before it:\n"
            f"  {search.missing()}"
        )


def run_block(block, page, names):
    if block.language == "sh":
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", block.code], check=False)
        if done.returncode:
            raise PageError(f"this ends with {done.returncode}")
    elif block.language == "python":
        # Line numbers as in the page.
        exec(compile("\n" * (block.line - 1) + block.code, page, "exec"), names)
    elif block.language == "json":
        json.loads(block.code)
    elif block.source or block.command:
        check_quoted(block)
    elif block.language:
        raise PageError(
            f"a block of {block.language} is quoted from a file, <!-- in FILE -->, or "
            "says why it is <!-- not run: REASON -->"
        )


def run_blocks(blocks, page):
    """(whether all blocks ended well, number of blocks that were left out); what did
    not is printed."""
    names, left_out = {"__name__": "__main__"}, 0
    for block in blocks:
        title = f"--- {block.language or 'text'}, line {block.line}"
        missing = find_missing(block.needs)
        if missing:
            left_out += 1
            print(f"{title}: skipped, needs {', '.join(missing)}", flush=True)
            continue
        print(title + (f": not run, {block.why_not}" if block.why_not else ""), flush=True)
        try:
            if block.why_not:
                check_syntax(block, page)
            else:
                run_block(block, page, names)
        except PageError as error:
            print(f"{page}:{block.line}: {error}:\n{block.code}")
            return False, left_out
        except BaseException:  # of whatever the page does
            traceback.print_exc(file=sys.stdout)
            print(f"{page}:{block.line}: this fails:\n{block.code}")
            return False, left_out
    return True, left_out


def write_ninja(folder, build):
    """A ninja that builds nothing, but says whether it could."""
    path = os.path.join(folder, "ninja")
    with open(path, "w", encoding="utf-8") as file:
        file.write(
            "#!/bin/sh\n"
            f'[ "$1" = -C ] && shift 2\nexec {shutil.which("ninja")} '
            f'-C {shlex.quote(build)} -n "$@" > /dev/null\n'
        )
    os.chmod(path, 0o755)


def prepare(work, root, tools):
    """What the commands write stays out of the repository."""
    for name in os.listdir(root):
        source, target = os.path.join(root, name), os.path.join(work, name)
        if name in _COPIED:
            shutil.copytree(source, target)
        elif name not in ("out", "build", ".git"):
            os.symlink(source, target)
    os.makedirs(os.path.join(work, "build"))
    os.symlink(tools, os.path.join(work, "build", "bin"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--root", required=True)
    parser.add_argument("--tools", required=True, action="append")
    arguments = parser.parse_args()
    root, page = os.path.abspath(arguments.root), os.path.abspath(arguments.page)
    tools = [os.path.abspath(folder) for folder in arguments.tools]
    with open(page, encoding="utf-8") as file:
        try:
            blocks = find_blocks(file.read())
        except PageError as error:
            print(f"{page}: {error}")
            return 1
    with tempfile.TemporaryDirectory() as work, tempfile.TemporaryDirectory() as bins:
        prepare(work, root, tools[0])
        if shutil.which("ninja"):
            write_ninja(bins, os.path.dirname(tools[0]))
        # python3 of a block is the one that runs this.
        python = os.path.dirname(sys.executable)
        os.environ["PATH"] = os.pathsep.join([bins, *tools, python, os.environ["PATH"]])
        os.environ["PYTHONPATH"] = os.path.join(root, "python")
        sys.path.insert(0, os.environ["PYTHONPATH"])
        os.chdir(work)
        try:
            good, left_out = run_blocks(blocks, page)
        finally:
            os.chdir(root)
    if not good:
        return 1
    return 77 if left_out and left_out == len(blocks) else 0


if __name__ == "__main__":
    sys.setrecursionlimit(10000)  # of check_ir
    sys.exit(main())
