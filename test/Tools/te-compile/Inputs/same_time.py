# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same_time.py PLAN.json REPORT.md: what the calls of the final program take is
what the graph's ops took, within 2 %: views may have become copies."""

import json
import re
import sys

with open(sys.argv[1]) as file:
    planned = json.load(file)["step"]["compute_seconds"] * 1e6
with open(sys.argv[2]) as file:
    report = file.read()
table = re.search(r"## Time of train on .*?\| total +\| +\d+ \| +([0-9.]+) \|",
                  report, re.DOTALL)
reported = float(table.group(1))
assert abs(planned / reported - 1) < 0.02, (planned, reported)
