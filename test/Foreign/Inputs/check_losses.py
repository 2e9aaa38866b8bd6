# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails unless the losses that te-run train wrote, of 60 steps or of as many as are
given, fall to half of the first."""
import json
import sys

with open(sys.argv[1]) as lines:
    losses = [json.loads(line)["loss"] for line in lines]
print(f"loss {losses[0]:.3f}, then {losses[-1]:.3f} after {len(losses)} steps")
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 60
sys.exit(0 if len(losses) == steps and losses[-1] <= 0.5 * losses[0] else 1)
