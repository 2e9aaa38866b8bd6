# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Padded positions, whose label does not count, have gradients of exactly zero.

With --same, also that no other gradient depends on the ids that are there: that holds
where scales do not come from the tensors of this step. Other flags go to te-run.

usage: check_padding.py TE_RUN GRAD FOLDER [--same] [FLAGS...]"""

import os
import subprocess
import sys

import tensor_files

te_run, program, folder, *flags = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
BATCH, SEQUENCE, TOKENS, WIDTH, IGNORED = 2, 8, 301, 32, -100
USED = 5  # the positions behind these are padded


def gradients(padding):
    """The bytes of every gradient, with these ids at padded positions."""
    ids, labels = [], []
    for position in range(BATCH * SEQUENCE):
        is_used = position % SEQUENCE < USED
        ids.append(position * 7 + 1 if is_used else padding)
        labels.append(position * 11 + 2 if is_used else IGNORED)
    shape = [BATCH, SEQUENCE]
    inputs = tensor_files.write(os.path.join(folder, "inputs.safetensors"),
                                {"ids": (shape, ids), "labels": (shape, labels)})
    outputs = os.path.join(folder, "outputs.safetensors")
    command = [te_run, "grad", program, "--inputs", inputs, "--outputs", outputs]
    subprocess.run(command + [flag for flag in flags if flag != "--same"], check=True)
    return {name: data for name, data in tensor_files.read(outputs).items()
            if name.startswith("grad.")}


def rows(gradient):
    values = tensor_files.floats(gradient)
    return [values[i:i + WIDTH] for i in range(0, len(values), WIDTH)]


PADDING = TOKENS - 1
found = gradients(PADDING)
tokens, positions = rows(found["grad.tokens"]), rows(found["grad.positions"])
assert len(tokens) == TOKENS and len(positions) == SEQUENCE, found.keys()
assert not any(tokens[PADDING]), tokens[PADDING]
for position, row in enumerate(positions):
    assert any(row) == (position < USED), (position, row)
# The same rows have gradients where an id is used.
assert sum(any(row) for row in tokens) == BATCH * USED, [any(row) for row in tokens]

if "--same" in flags:
    other = gradients(PADDING - 1)
    assert other == found, [name for name in found if found[name] != other[name]]
