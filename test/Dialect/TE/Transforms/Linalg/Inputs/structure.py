# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the input of import-structure.mlir and what its ops are defined to make of
it, two safetensors files, without packages."""
import json
import struct
import sys

ROWS, COLUMNS, TILE = 6, 10, 4


def save(path, tensors):
    header, data = {}, b""
    for name, (shape, values) in tensors.items():
        packed = struct.pack(f"<{len(values)}f", *values)
        header[name] = {"dtype": "F32", "shape": shape,
                        "data_offsets": [len(data), len(data) + len(packed)]}
        data += packed
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def matrix(function):
    return [ROWS, COLUMNS], [function(i, j) for i in range(ROWS) for j in range(COLUMNS)]


def x(i, j):
    return ((7 * i + 3 * j) % 11 - 5) / 4


def packed():
    across = -(-COLUMNS // TILE)
    down = -(-ROWS // TILE)
    return [down, across, TILE, TILE], [
        x(TILE * i + a, TILE * j + b)
        if TILE * i + a < ROWS and TILE * j + b < COLUMNS else -1.0
        for i in range(down) for j in range(across)
        for a in range(TILE) for b in range(TILE)]


save(sys.argv[1], {"x": matrix(x)})
save(sys.argv[2], {
    "taken": matrix(lambda i, j: 3 * x(i, j)),
    "other": matrix(lambda i, j: x(i, j) + 3),
    # Row i of a block of two goes where the block of the other end was.
    "all": matrix(lambda i, j: x(4 - 2 * (i // 2) + i % 2, j) + (2 - i // 2)),
    "packed": packed(),
    "unpacked": matrix(lambda i, j: 2 * x(i, j)),
    "generated": matrix(lambda i, j: x(i, j) + 10 * i + j),
    "nested": matrix(lambda i, j: x(i, j) + sum(
        a * b for a in range(3) for b in range(a, 3))),
})
