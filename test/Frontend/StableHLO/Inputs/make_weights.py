# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a safetensors file with one float32 tensor of zeros.

usage: make_weights.py FILE NAME SIZE,SIZE"""

import json
import sys

path, name, sizes = sys.argv[1:]
shape = [int(size) for size in sizes.split(",")]
count = 4
for size in shape:
    count *= size
header = json.dumps({name: {"dtype": "F32", "shape": shape, "data_offsets": [0, count]}})
with open(path, "wb") as file:
    file.write(len(header).to_bytes(8, "little") + header.encode() + bytes(count))
