# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks y, and the gradients for cotangents of 1, 2, 3, ..., of @inside in
many-dimensions.mlir; without a second file, writes what it reads: numbers made of
integers, in safetensors.

usage: many_dimensions.py INPUTS [OUTPUTS]"""

import itertools
import json
import math
import struct
import sys


def write(path, tensors):
    header, data = {}, b""
    for name, (shape, values) in tensors.items():
        piece = struct.pack(f"<{len(values)}f", *values)
        header[name] = {"dtype": "F32", "shape": shape,
                        "data_offsets": [len(data), len(data) + len(piece)]}
        data += piece
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def read(path):
    with open(path, "rb") as file:
        content = file.read()
    size = struct.unpack("<Q", content[:8])[0]
    tensors = {}
    for name, entry in json.loads(content[8 : 8 + size]).items():
        if name != "__metadata__":
            begin, end = (8 + size + offset for offset in entry["data_offsets"])
            tensors[name] = struct.unpack(f"<{(end - begin) // 4}f", content[begin:end])
    return tensors


def place(index):
    """Where the transposed element at `index` is in the input."""
    shape, order = (2, 2, 2, 3, 1, 2, 3, 1), (6, 5, 3, 2, 1, 4, 0, 7)
    source = [0] * 8
    for position, dim in zip(index, order):
        source[dim] = position
    flat = 0
    for size, position in zip(shape, source):
        flat = flat * size + position
    return flat


x = [((i * 37) % 101 - 50) / 64 for i in range(144)]
w = [((i * 53) % 97 - 48) / 64 for i in range(144)]
cotangent = [float(i % 16 + 1) for i in range(144)]
if len(sys.argv) == 2:
    write(sys.argv[1], {"x": ([4, 36], x), "w": ([4, 36], w),
                        "cotangent.y": ([36, 4], cotangent)})
    sys.exit()
found = read(sys.argv[2])
wanted = {"y": [0.0] * 144, "grad.w": [0.0] * 144, "grad.x": [0.0] * 144}
indices = itertools.product(*map(range, (3, 2, 3, 2, 2, 1, 2, 1)))
for i, index in enumerate(indices):
    p = place(index)
    y = math.exp(w[p] * x[p])
    wanted["y"][i] = y
    wanted["grad.w"][p], wanted["grad.x"][p] = (cotangent[i] * y * v for v in (x[p], w[p]))
for name, values in wanted.items():
    worst = max(abs(a - b) for a, b in zip(found[name], values))
    if worst > 1e-5:
        sys.exit(f"{name} is off by {worst}")
