# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what a command writes to a terminal, escapes as \\x1b:
on_terminal.py COMMAND...
"""
import os
import pty
import sys

child, terminal = pty.fork()
if child == 0:
    os.environ["TERM"] = "xterm"
    os.execvp(sys.argv[1], sys.argv[1:])
text = b""
try:
    while piece := os.read(terminal, 4096):
        text += piece
except OSError:  # The command has ended.
    pass
os.waitpid(child, 0)
print(text.decode().replace("\x1b", "\\x1b").replace("\r", ""), end="")
