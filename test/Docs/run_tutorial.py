# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a page as its reader would: its blocks of sh and python in their order, the
latter in one interpreter, in a folder that has what the repository's root has.

usage: run_tutorial.py PAGE --root DIR --tools DIR --needs MODULE[,MODULE...]

Exit code 77: skipped, because a module is not installed."""

import argparse
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import traceback

_BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def find_blocks(text):
    """[(language, line of its first line, code)]"""
    return [
        (match[1], text.count("\n", 0, match.start(2)) + 1, match[2])
        for match in _BLOCK.finditer(text)
    ]


def run_blocks(blocks, page):
    """Whether all blocks ended well; what did not is printed."""
    names = {"__name__": "__main__"}
    for language, line, code in blocks:
        print(f"--- {language}, line {line}", flush=True)
        if language == "sh":
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", code], check=False)
            if done.returncode:
                print(f"{page}:{line}: this ends with {done.returncode}:\n{code}")
                return False
            continue
        try:
            # Line numbers as in the page.
            exec(compile("\n" * (line - 1) + code, page, "exec"), names)
        except Exception:  # of whatever the page does
            traceback.print_exc(file=sys.stdout)
            print(f"{page}:{line}: this fails:\n{code}")
            return False
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--root", required=True)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--needs", required=True)
    arguments = parser.parse_args()
    root, page = os.path.abspath(arguments.root), os.path.abspath(arguments.page)
    tools = os.path.abspath(arguments.tools)
    for module in arguments.needs.split(","):
        if importlib.util.find_spec(module) is None:
            print(f"skipped: {module} is not installed: pip install {module}")
            return 77
    with open(page, encoding="utf-8") as file:
        blocks = find_blocks(file.read())
    if {language for language, *_ in blocks} != {"sh", "python"}:
        print(f"{page} has no blocks of sh and python")
        return 1
    os.environ["PATH"] = tools + os.pathsep + os.environ["PATH"]
    sys.path.insert(0, os.path.join(root, "python"))
    with tempfile.TemporaryDirectory() as work:
        # What the commands write stays out of the repository.
        for name in os.listdir(root):
            if name not in ("out", "build"):
                os.symlink(os.path.join(root, name), os.path.join(work, name))
        os.chdir(work)
        try:
            return 0 if run_blocks(blocks, page) else 1
        finally:
            os.chdir(root)


if __name__ == "__main__":
    sys.exit(main())
