# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_plan.py PLAN.json [INFO.json [BENCH.json]]: the plan has the fields of
docs/planning.md, of their types, and the memory that te-run info and bench say
the program has."""

import json
import sys

number = (int, float)
HELD = {"activation_bytes": int, "gradient_bytes": int, "other_bytes": int}
PLAN = {
    "format": str, "version": int, "cluster": str, "device": (str, type(None)),
    "host_size": int, "mesh": [{"axis": str, "size": int}], "ranks": int,
    "hosts": int, "microbatches": int,
    "memory": {
        "bytes": int, "state_bytes": int,
        "states": [{"kind": str, "count": int, "bytes": int}],
        "entries": [{"entry": str, "arena_bytes": int, "argument_bytes": int,
                     "bytes": int}],
        "profiles": [{"entry": str, "peak": HELD, "parts": [HELD]}],
    },
    "collectives": [{
        "entry": str, "kind": str, "axes": str, "ranks": int, "dtypes": str,
        "tensors": int, "whole_bytes": number, "sent_bytes": number,
        "per_call": int, "per_step": int, "begun": bool, "calls_beside": int,
    }],
    "step": {"tokens": int, "flops_per_rank": number,
             "sent_bytes_per_rank": number},
}
TIMES_OF_COLLECTIVE = {"seconds_beside": number, "seconds": number,
                     "exposed_seconds": number}
TIMES_OF_STEP = {
    "seconds": number, "compute_seconds": number, "collective_seconds": number,
    "exposed_seconds": number, "tokens_per_second": number,
    "utilization": number,
}


def check(value, schema, path):
    if isinstance(schema, list):
        assert isinstance(value, list), path
        for index, element in enumerate(value):
            check(element, schema[0], f"{path}[{index}]")
    elif isinstance(schema, dict):
        assert isinstance(value, dict), path
        assert value.keys() == schema.keys(), (path, value.keys() ^ schema.keys())
        for key, kind in schema.items():
            check(value[key], kind, f"{path}.{key}")
    else:
        assert isinstance(value, schema), (path, value)
        assert schema is bool or not isinstance(value, bool), (path, value)


def read(path):
    with open(path) as file:
        return json.load(file)


plan = read(sys.argv[1])
if plan["device"] is not None:
    PLAN["collectives"][0].update(TIMES_OF_COLLECTIVE)
    PLAN["step"].update(TIMES_OF_STEP)
check(plan, PLAN, "plan")
memory = plan["memory"]
train = next(e for e in memory["entries"] if e["entry"] == "train")
assert sum(kind["bytes"] for kind in memory["states"]) == memory["state_bytes"]
assert memory["bytes"] == max(e["bytes"] for e in memory["entries"])
for profile in memory["profiles"]:
    entry = next(e for e in memory["entries"] if e["entry"] == profile["entry"])
    assert sum(profile["peak"].values()) <= entry["arena_bytes"], profile
if len(sys.argv) > 2:
    info = read(sys.argv[2])["memory"]
    assert info["states"] == memory["state_bytes"], info
    assert info["peak"] == memory["bytes"], info
    assert info["arena"] == max(e["arena_bytes"] for e in memory["entries"])
if len(sys.argv) > 3:
    bench = read(sys.argv[3])
    assert bench["ranks"] == plan["ranks"], bench["ranks"]
    assert bench["samples"] * plan["microbatches"] == plan["step"]["tokens"]
    assert bench["state_bytes"] == memory["state_bytes"], bench["state_bytes"]
    assert bench["arena_bytes"] == train["arena_bytes"], bench["arena_bytes"]
    assert bench["argument_bytes"] == train["argument_bytes"]
    # What the device's allocator counted; states are initialized while the
    # entry has its arena already.
    init = sum(e["arena_bytes"] for e in memory["entries"] if e["entry"] == "init")
    expected = bench["temporary_bytes"] + train["bytes"] + init
    # Every state begins at a multiple of 256 bytes.
    gaps = 255 * sum(kind["count"] for kind in memory["states"])
    assert 0 <= bench["peak_bytes"] - expected <= gaps, (bench["peak_bytes"], expected)
