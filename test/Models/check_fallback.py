# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the record (--metrics) of a run of `gpt2_vocab509` that goes on with its fallback
after STEP. Its losses are PyTorch's.

usage: check_fallback.py METRICS STEP planted REFERENCE  (a learning rate of 0; before STEP
                                                          FP8 harms a layer of outliers)
       check_fallback.py METRICS STEP learns TRAINING    (PyTorch's AdamW)"""

import json
import struct
import sys

import tensor_files

metrics, step, kind, reference = sys.argv[1], int(sys.argv[2]), *sys.argv[3:]
tensors = tensor_files.read(reference)
with open(metrics) as file:
    records = [json.loads(line) for line in file]
if kind == "learns":
    data = tensors["constant.loss"]
    expected = struct.unpack(f"<{len(data) // 8}d", data)
    assert len(records) == len(expected), records
else:
    expected = [tensor_files.loss(tensors)] * len(records)
assert [record["step"] for record in records] == list(range(1, len(expected) + 1)), records
assert step < len(records)
for record, loss in zip(records, expected):
    error = abs(record["loss"] / loss - 1)
    if kind == "planted" and record["step"] <= step:
        assert error > 3e-4, (record, loss)
    else:
        assert error < (1e-4 if kind == "planted" else 1e-3), (record, loss)
    assert ("fallback" in record) == (record["step"] == step), record
