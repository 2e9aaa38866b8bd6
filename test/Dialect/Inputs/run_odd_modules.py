# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every pass of a tool over modules that no pass hopes for:
run_odd_modules.py TE-OPT MODULES.mlir. A refusal with an error is an answer;
a crash, or a failure without a word, is none.
"""
import re
import subprocess
import sys

tool, modules = sys.argv[1:]
text = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
passes = sorted(set(re.findall(r"^ +--((?:te|tert)-[a-z0-9-]+)", text, re.MULTILINE)))
bad = []
for name in passes:
    done = subprocess.run(
        [tool, "--split-input-file", modules, "--" + name], capture_output=True, text=True, timeout=300
    )
    if done.returncode not in (0, 1) or (done.returncode == 1 and "error:" not in done.stderr):
        bad.append(name)
        print(f"--{name} ended with {done.returncode}:\n{done.stderr[-2000:]}")
print(len(passes), "passes,", len(bad), "of them failed")
sys.exit(bool(bad) or len(passes) < 20)
