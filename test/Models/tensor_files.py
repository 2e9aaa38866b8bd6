# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Safetensors files for the checks in this folder, which use Python's library alone."""

import json
import math
import struct


def write(path, tensors):
    """Writes int64 tensors, each a pair of shape and values."""
    header, data = {}, b""
    for name, (shape, values) in tensors.items():
        packed = struct.pack(f"<{len(values)}q", *values)
        header[name] = {"dtype": "I64", "shape": shape,
                        "data_offsets": [len(data), len(data) + len(packed)]}
        data += packed
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)
    return path


def read(path):
    """The bytes of every tensor, by name."""
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<Q", data[:8])[0]
    begin = 8 + length
    return {name: data[begin + tensor["data_offsets"][0]:begin + tensor["data_offsets"][1]]
            for name, tensor in json.loads(data[8:begin]).items() if name != "__metadata__"}


def floats(data):
    return struct.unpack(f"<{len(data) // 4}f", data)


def integers(data):
    return struct.unpack(f"<{len(data) // 8}q", data)


def loss(reference):
    """The mean cross-entropy of a reference's logits [..., V] and labels, in float64."""
    logits, labels = floats(reference["logits"]), integers(reference["labels"])
    classes = len(logits) // len(labels)
    rows = [logits[i * classes:(i + 1) * classes] for i in range(len(labels))]
    return math.fsum(math.log(math.fsum(map(math.exp, row))) - row[label]
                     for row, label in zip(rows, labels)) / len(labels)
