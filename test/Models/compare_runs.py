"""Fails unless two records of runs (--metrics) have the same steps, learning
rates and, up to a relative difference, losses.

Usage: compare_runs.py A.jsonl B.jsonl TOLERANCE
"""

import json
import sys


def read(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


first, second = read(sys.argv[1]), read(sys.argv[2])
tolerance = float(sys.argv[3])
for key in ("step", "lr"):
    if [row[key] for row in first] != [row[key] for row in second]:
        sys.exit(f"{key} differs: {[row[key] for row in first]} and {[row[key] for row in second]}")
for a, b in zip(first, second):
    if abs(a["loss"] - b["loss"]) > tolerance * abs(b["loss"]):
        sys.exit(f"loss of step {a['step']}: {a['loss']} and {b['loss']}")
