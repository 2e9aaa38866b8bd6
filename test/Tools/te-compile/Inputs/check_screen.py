# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that standard input has lines, at most so many, of at most 80 columns:
check_screen.py MOST-LINES.
"""
import sys

lines = sys.stdin.read().splitlines()
wide = [line for line in lines if len(line) > 80]
for line in wide:
    print(f"{len(line)} columns: {line}")
if not 10 < len(lines) <= int(sys.argv[1]):
    sys.exit(f"{len(lines)} lines, of which there should be {sys.argv[1]} at most")
sys.exit(bool(wide))
