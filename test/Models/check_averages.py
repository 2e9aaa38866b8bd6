# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recomputes averages of parameters in float64.

    check_averages.py DECAY PARAMETERS AVERAGES [PARAMETERS AVERAGES ...]

Each pair is what te-run export wrote of consecutive steps, from the first one,
without and with --ema.
"""

import sys

from tensor_files import floats, read

# Of elements near 1 in size: float32's rounding in each of some ten steps.
TOLERANCE = 1e-6


def main(arguments):
    decay = float(arguments[0])
    expected = {}
    for parameters, averages in zip(arguments[1::2], arguments[2::2]):
        found = read(averages)
        for name, data in read(parameters).items():
            values = floats(data)
            if name not in expected:
                expected[name] = list(values)
            else:
                expected[name] = [decay * old + (1 - decay) * new for old, new in zip(expected[name], values)]
            worst = max(abs(a - b) for a, b in zip(floats(found[name]), expected[name]))
            if worst > TOLERANCE:
                return f"{averages}: the average of {name} is {worst} from its definition"
    return None if found != read(parameters) else "the averages are the parameters"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
