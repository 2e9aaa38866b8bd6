#!/usr/bin/env python3
# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls the entry "forward" of any compiled program with arrays of ones, and prints
the first number of each output. Only the standard library.

usage: call_program.py LIBTERT PROGRAM.so"""

import ctypes
import json
import math
import sys

_TYPES = {"f32": ctypes.c_float, "i64": ctypes.c_int64, "i32": ctypes.c_int32}


def open_device(path, name=b"cpu"):
    # Programs find the runtime's functions because it is loaded globally.
    runtime = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
    runtime.tert_last_error.restype = ctypes.c_char_p
    runtime.tert_last_error.argtypes = (ctypes.c_void_p,)
    runtime.tert_synchronize.argtypes = (ctypes.c_void_p,)
    context, message = ctypes.c_void_p(), ctypes.create_string_buffer(256)
    if runtime.tert_open(name, None, ctypes.byref(context), message, ctypes.c_size_t(256)):
        sys.exit(message.value.decode())
    return runtime, context


def describe(program):
    text = ctypes.c_char.in_dll(program, "tert_artifact_description")
    return json.loads(ctypes.string_at(ctypes.addressof(text)))


def main(runtime_path, program_path):
    runtime, context = open_device(runtime_path)
    program = ctypes.CDLL(program_path)
    description = describe(program)
    states = {state["name"]: state for state in description["states"]}
    entry = {entry["name"]: entry for entry in description["entries"]}["forward"]

    arrays = {}
    for argument in entry["arguments"]:
        kind = states.get(argument["name"], argument)
        size = math.prod(kind["shape"])
        is_output = argument["role"] == "output"
        arrays[argument["name"]] = (_TYPES[kind["dtype"]] * size)(*[not is_output] * size)
    arena = ctypes.create_string_buffer(entry["arena_bytes"] + 256)
    start = (ctypes.addressof(arena) + 255) // 256 * 256

    addresses = [ctypes.addressof(array) for array in arrays.values()] + [start]
    function = getattr(program, entry["symbol"])
    function.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
    if function(context, (ctypes.c_void_p * len(addresses))(*addresses)):
        sys.exit(runtime.tert_last_error(context).decode())
    runtime.tert_synchronize(context)
    for argument in entry["arguments"]:
        if argument["role"] == "output":
            print(argument["name"], arrays[argument["name"]][0])
    runtime.tert_close(context)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
