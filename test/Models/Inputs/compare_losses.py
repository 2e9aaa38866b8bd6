"""compare_losses.py A B TOLERANCE: whether two evaluations have the same loss,
but for a relative difference; of JSON that te-run eval or train --metrics wrote."""

import json
import sys


def loss(path):
    with open(path) as file:
        result = json.load(file)
    return result["eval_loss"] if "eval_loss" in result else result["loss"]


a, b, tolerance = loss(sys.argv[1]), loss(sys.argv[2]), float(sys.argv[3])
if not abs(a - b) <= tolerance * abs(b):
    sys.exit(f"losses {a!r} and {b!r} differ by more than {tolerance}")
