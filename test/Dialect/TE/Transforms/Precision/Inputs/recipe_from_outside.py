#!/usr/bin/env python3
# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes recipe_from_outside.safetensors: y = relu(x) · wᵀ of eighths, whose
products and sums are exact, and 16 times which are exact in E4M3."""

import json
import pathlib
import struct

M, N, K = 16, 48, 32
x = [[((7 * i + 3 * k) % 17 - 8) / 8 for k in range(K)] for i in range(M)]
w = [[((5 * j + 11 * k) % 15 - 7) / 8 for k in range(K)] for j in range(N)]
y = [[sum(max(a, 0.0) * b for a, b in zip(row, column)) for column in w] for row in x]

header, data = {}, b""
for name, matrix in (("x", x), ("w", w), ("y", y)):
    begin = len(data)
    for row in matrix:
        data += struct.pack(f"<{len(row)}f", *row)
    header[name] = {
        "dtype": "F32",
        "shape": [len(matrix), len(matrix[0])],
        "data_offsets": [begin, len(data)],
    }
text = json.dumps(header).encode()
text += b" " * (-len(text) % 8)
path = pathlib.Path(__file__).with_suffix(".safetensors")
path.write_bytes(struct.pack("<Q", len(text)) + text + data)
