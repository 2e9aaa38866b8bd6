# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the PTX in a compiled program. With the path of an assembler: has it make
machine code of it.

usage: kernel_image.py PROGRAM.so [PTXAS]"""

import re
import subprocess
import sys
import tempfile

with open(sys.argv[1], "rb") as file:
    data = file.read()
found = re.search(rb"\.version \d", data)
if not found:
    sys.exit(f"{sys.argv[1]} has no kernels")
begin = found.start()
text = data[begin : data.index(b"\0", begin)].decode()
print(text)
if len(sys.argv) > 2:
    architecture = re.search(r"^\.target (\w+)", text, re.MULTILINE)[1]
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(text)
        file.flush()
        subprocess.run(
            [sys.argv[2], f"-arch={architecture}", "-o", "/dev/null", file.name], check=True
        )
