# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants outliers in front of a linear layer: multiplies feature 0 of the norm before it
by FACTOR and divides the weights that read it by FACTOR, so that the model computes what
it did, but for the rounding of FP8, which has no range for the other features.

usage: plant_outliers.py WEIGHTS OUT NORM LINEAR FACTOR    (LINEAR.weight is [in, out])
       plant_outliers.py --data REFERENCE OUT              (inputs and labels of a reference)"""

import json
import struct
import sys

import tensor_files


def plant(source, target, norm, linear, factor):
    with open(source, "rb") as file:
        data = file.read()
    length = struct.unpack("<Q", data[:8])[0]
    header, values = json.loads(data[8:8 + length]), bytearray(data[8 + length:])
    header.pop("__metadata__", None)  # checksums of what it was
    linear_shape = header[f"{linear}.weight"]["shape"]
    for name, count, by in ((f"{norm}.weight", 1, factor), (f"{norm}.bias", 1, factor),
                            (f"{linear}.weight", linear_shape[1], 1 / factor)):
        assert header[name]["dtype"] == "F32", header[name]
        begin = header[name]["data_offsets"][0]
        for at in range(begin, begin + 4 * count, 4):
            struct.pack_into("<f", values, at, by * struct.unpack_from("<f", values, at)[0])
    text = json.dumps(header).encode()
    with open(target, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + values)


def write_data(source, target):
    tensors = tensor_files.read(source)
    tensor_files.write(target, {
        "input_ids": ([2, 64], tensor_files.integers(tensors["input.input_ids"])),
        "labels": ([2, 64], tensor_files.integers(tensors["labels"]))})


if sys.argv[1] == "--data":
    write_data(*sys.argv[2:])
else:
    plant(*sys.argv[1:5], float(sys.argv[5]))
