"""Checks that the averages of two checkpoints agree, whatever their types.

usage: same_moments.py CHECKPOINT CHECKPOINT

Both were converted to their type, rounded to nearest, and updated once, rounded
stochastically."""

import array
import json
import math
import struct
import sys

BLOCK = 128


def decode(dtype, data):
    """(values, bits of a mantissa, the smallest positive number)"""
    if dtype == "F32":
        return array.array("f", data), 23, 0
    if dtype == "BF16":
        wide = array.array("I", (x << 16 for x in array.array("H", data)))
        return array.array("f", wide.tobytes()), 7, 0
    bits, smallest = {"F8_E4M3": (3, 2.0**-9), "F8_E5M2": (2, 2.0**-16)}[dtype]

    def value(code):
        exponent, mantissa = (code & 127) >> bits, code & (1 << bits) - 1
        steps = (mantissa + (1 << bits)) * 2.0 ** (exponent - 1) if exponent else mantissa
        return math.copysign(steps * smallest, -1 if code & 128 else 1)

    table = [value(code) for code in range(256)]
    return [table[code] for code in data], bits, smallest


def moments(path):
    """{name: (relative error, [(value, error of the smallest ones)])}"""
    with open(path, "rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        header, data = json.loads(file.read(size)), file.read()

    def state(name):
        return decode(header[name]["dtype"], data[slice(*header[name]["data_offsets"])])

    found = {}
    for name, about in header.items():
        if not name.startswith("adamw.exp_avg") or "_scale." in name:
            continue
        values, bits, smallest = state(name)
        error = 1.5 * 2.0**-bits
        if not smallest:
            found[name] = error, [(x, 0) for x in values]
            continue
        kind, parameter = name.removeprefix("adamw.").split(".", 1)
        scales, *_ = state(f"adamw.{kind}_scale.{parameter}")
        columns = about["shape"][1]
        blocks = -(-columns // BLOCK)
        factors = (
            scales[i // columns * blocks + i % columns // BLOCK] for i in range(len(values))
        )
        found[name] = error, [(x * f, 1.5 * smallest * f) for x, f in zip(values, factors)]
    return found


first, second = moments(sys.argv[1]), moments(sys.argv[2])
assert first.keys() == second.keys() and first
for name, (x_error, values) in first.items():
    y_error, others = second[name]
    error, norm = x_error + y_error, math.hypot(*(x for x, _ in values))
    assert norm > 0, name
    # Errors of elements have either sign, so that of all is smaller.
    assert math.hypot(*(x - y for (x, _), (y, _) in zip(values, others))) < error * norm / 2
    typical = norm / math.sqrt(len(values))
    for (x, x_least), (y, y_least) in zip(values, others):
        # An average that was larger before the step has the error of that size.
        bound = error * (max(abs(x), abs(y)) + typical) + x_least + y_least
        assert abs(x - y) <= bound, (name, x, y, bound)
