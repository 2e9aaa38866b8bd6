#!/usr/bin/env python3
"""Reads where every ELF file below some folders looks for libraries: an entry
that is empty or relative means the folder that a program is started in, where
anybody may have put a library. Then starts programs in such a folder."""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("--readelf", required=True)
parser.add_argument("--start", action="append", default=[])
parser.add_argument("folders", nargs="+")
arguments = parser.parse_args()


def linked(path):
    """Whether a file is an ELF program or library: no object file, and no input
    of a fuzzer, which nobody can execute."""
    if not os.access(path, os.X_OK):
        return False
    with open(path, "rb") as file:
        header = file.read(18)
    return (
        len(header) == 18
        and header[:4] == b"\x7fELF"
        and int.from_bytes(header[16:18], "little") in (2, 3)
    )


def dynamic(path, tag):
    text = subprocess.run(
        [arguments.readelf, "-dW", path], check=True, capture_output=True, text=True
    ).stdout
    return re.findall(rf"\({tag}\).*\[(.*)\]", text)


failures, count = [], 0
for folder in arguments.folders:
    for directory, children, names in os.walk(folder):
        # Environments of Python have libraries of others.
        if "site-packages" in children:
            children.remove("site-packages")
        for name in names:
            path = os.path.join(directory, name)
            if os.path.islink(path) or not os.path.isfile(path) or not linked(path):
                continue
            count += 1
            for paths in dynamic(path, "R(?:UN)?PATH"):
                bad = [
                    entry
                    for entry in paths.split(":")
                    if not re.match(r"/|\$ORIGIN(/|$)|\$\{ORIGIN\}(/|$)", entry)
                ]
                if bad:
                    failures.append(f"{path}: '{paths}' has the entries {bad}")
if count < 2:
    failures.append(f"{count} ELF files: are these the folders?")

for program in arguments.start:
    with tempfile.TemporaryDirectory() as folder:
        for library in dynamic(program, "NEEDED"):
            pathlib.Path(folder, library).write_text("no library\n")
        # What those libraries need in turn, such as those of libtert.
        for library in ("libhwy.so.1", "libcrypto.so.3"):
            pathlib.Path(folder, library).write_text("no library\n")
        result = subprocess.run(
            [os.path.abspath(program), "--version"], cwd=folder, capture_output=True, text=True
        )
        if result.returncode:
            failures.append(f"{program}, started among others' files: {result.stderr}")

print(f"{count} ELF files")
if failures:
    sys.exit("\n".join(failures))
