# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares two checkpoints of one FP8 training: of parameters that the first says are
frozen, values, FP8 copies, amaxes and scales are the same bytes in both; of others,
parameters and their copies are not.

usage: same_copies.py EARLIER LATER"""

import json
import sys


def load(path):
    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(size))
        data = file.read()
    notes = header.pop("__metadata__")
    return notes, {
        name: data[slice(*entry["data_offsets"])] for name, entry in header.items()
    }


notes, before = load(sys.argv[1])
_, after = load(sys.argv[2])
frozen = set(json.loads(notes["frozen"]))
parameters = set(json.loads(notes["parameters"]))
assert frozen and frozen < parameters, (len(frozen), len(parameters))

copies = 0
for name in sorted(parameters):
    states = [name] + [
        state
        for state in before
        if state.startswith(f"fp8.weight.{name}.") or state == f"fp8.weight_amax.{name}"
    ]
    copies += len(states) - 1 if name in frozen else 0
    for state in states:
        assert (before[state] == after[state]) == (name in frozen), state
assert copies > 20, copies
assert not [s for s in before if s.startswith("adamw.") and s.split(".", 2)[2] in frozen]

# Scales of the slots of frozen weights, which are named as the weights are.
slots = [line.rsplit(":", 1)[0] for line in notes["slots"].splitlines()]
assert len([slot for slot in slots if slot in frozen]) > 6, slots
changed = 0
for kind in ("fp8.scales", "fp8.scale_invs"):
    for i, slot in enumerate(slots):
        same = before[kind][4 * i : 4 * i + 4] == after[kind][4 * i : 4 * i + 4]
        assert same or slot not in frozen, slot
        changed += not same
assert changed
print(f"{copies} copies and amaxes of {len(frozen)} frozen parameters are the same")
