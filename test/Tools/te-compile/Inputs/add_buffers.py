# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives an ONNX model buffers that its graph does not read, as the export helper
does, and checks an export of a trained checkpoint for them.

  add_buffers.py add MODEL.onnx OUTPUT.onnx [deep]
  add_buffers.py check EXPORT.safetensors
"""

import json
import struct
import sys

FLOAT, INT64, BOOL = 1, 7, 9
BUFFERS = {
    "norm.running_mean": (FLOAT, [3], struct.pack("<3f", 0.5, float("-inf"), -0.0)),
    "norm.num_batches_tracked": (INT64, [], struct.pack("<q", 1 << 40)),
    "hidden": (BOOL, [2, 2], bytes([1, 0, 0, 1])),
    "nothing": (FLOAT, [0], b""),
}


def varint(number):
    head, rest = number & 127, number >> 7
    return bytes([head | 128]) + varint(rest) if rest else bytes([head])


def field(number, value):
    """A field of a protocol buffer: an integer, or bytes with their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def tensor(name, dtype, shape, data):
    dims = b"".join(field(1, size) for size in shape)
    return dims + field(2, dtype) + field(8, name.encode()) + field(9, data)


def add(source, target, deep):
    buffers = dict(BUFFERS)
    if deep:
        buffers["deep"] = (FLOAT, [1] * 7, struct.pack("<f", 1))
    graph = b"".join(field(5, tensor(name, *of)) for name, of in buffers.items())
    names = json.dumps(list(buffers)).encode()
    # Parts of a message that come again are merged.
    with open(source, "rb") as file:
        model = file.read()
    model += field(7, graph)
    model += field(14, field(1, b"temlir.buffers") + field(2, names))
    with open(target, "wb") as file:
        file.write(model)


def check(path):
    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(size))
        data = file.read()
    dtypes = {FLOAT: "F32", INT64: "I64", BOOL: "U8"}
    for name, (dtype, shape, expected) in BUFFERS.items():
        entry = header[name]
        begin, end = entry["data_offsets"]
        assert entry["dtype"] == dtypes[dtype], (name, entry)
        assert entry["shape"] == shape, (name, entry)
        assert data[begin:end] == expected, (name, data[begin:end])
    print(len(BUFFERS), "buffers")


if sys.argv[1] == "add":
    add(sys.argv[2], sys.argv[3], sys.argv[4:] == ["deep"])
else:
    check(sys.argv[2])
