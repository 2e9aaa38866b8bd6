# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of FP8 steps of many ranks against those of one rank.

usage: compare_errors.py TE_RUN DATA FOLDER REFERENCE YARDSTICK JUDGED RANKS

Each of the three artifacts makes one step of SGD with momentum from the same
weights, whose buffers are then the gradients, on several batches of DATA. REFERENCE
is of float32, whose own error, which other tests bound, is four orders of magnitude
less than FP8's. Of each gradient the relative error of JUDGED, on RANKS ranks, over
all batches (root of the mean of squares) is divided by that of YARDSTICK, on one:

- the mean over all tensors and a matrix may be 1.05,
- a vector may be 1.15.

FP8 rounds each number anew where bits before it differ, so that the error of one
tensor scatters around its mean, the more the fewer numbers it has: hence several
batches, and another bar for vectors.
"""

import math
import pathlib
import re
import subprocess
import sys

BATCHES = 8
MEAN, MATRIX, VECTOR = 1.05, 1.05, 1.15
BUFFER = "sgd.momentum_buffer."


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: {result.stdout}{result.stderr}")
    return result.stdout


def step(te_run, data, artifact, batch, folder, *options):
    """The checkpoint of one step."""
    seed = str(batch)
    options += ("--steps", "1", "--lr", "0.1", "--clip", "1e9")
    folder = str(folder / f"{pathlib.Path(artifact).stem}.{seed}")
    command = (te_run, "train", artifact, "--data", data, "--seed", seed)
    run(*command, "--checkpoint", folder, *options)
    return str(next(pathlib.Path(folder).glob("step-*")))


def errors_of(te_run, checkpoint, reference):
    """Relative errors of gradients, with the rank of each: of a row that te-run
    compare prints, the first number behind the shape."""
    text = run(te_run, "compare", checkpoint, reference)
    rows = re.findall(r"^(\S+)\s+\S+ \[(.*?)\]\s+(\S+)", text, re.MULTILINE)
    errors = {
        name: (float(error), shape.count(",") + 1)
        for name, shape, error in rows
        if name.startswith(BUFFER)
    }
    if not errors:
        sys.exit(f"no gradients in {checkpoint}: {text}")
    return errors


def main():
    te_run, data, folder, reference, yardstick, judged, ranks = sys.argv[1:]
    folder = pathlib.Path(folder)
    sums = {}
    for batch in range(BATCHES):
        exact = step(te_run, data, reference, batch, folder)
        one = step(te_run, data, yardstick, batch, folder)
        many = step(te_run, data, judged, batch, folder, "--devices", ranks)
        theirs = errors_of(te_run, one, exact)
        for name, (error, rank) in errors_of(te_run, many, exact).items():
            a, b, _ = sums.get(name, (0, 0, rank))
            sums[name] = (a + error**2, b + theirs[name][0] ** 2, rank)
    failed, total = False, 0
    for name, (a, b, rank) in sums.items():
        ratio = math.sqrt(a / b)
        total += ratio
        is_over = ratio > (MATRIX if rank > 1 else VECTOR)
        failed |= is_over
        print(f"{ratio:.3f} {name.removeprefix(BUFFER)}{' OVER' if is_over else ''}")
    mean = total / len(sums)
    print(f"{mean:.3f} mean of {len(sums)} gradients")
    sys.exit(failed or mean > MEAN)


main()
