# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled programs as functions of JAX, by custom calls of XLA."""

import ctypes
import functools
import hashlib
import json
import math

import jax
import jax.numpy as jnp

from .. import libraries
from ..errors import TemlirError

_TARGET = "temlir_call"
_ARENA_SLACK = 256

_DTYPES = {
    "f32": jnp.float32,
    "bf16": jnp.bfloat16,
    "f8e4m3": jnp.float8_e4m3fn,
    "f8e5m2": jnp.float8_e5m2,
    "i32": jnp.int32,
    "u8": jnp.uint8,
}


@functools.cache
def _library():
    """libtert-xla, whose handlers XLA knows from now on."""
    libraries.runtime()
    library = libraries.xla()
    for platform, name in (("cpu", "tert_xla_call_cpu"), ("CUDA", "tert_xla_call_cuda")):
        jax.ffi.register_ffi_target(
            _TARGET, jax.ffi.pycapsule(getattr(library, name)), platform=platform
        )
    return library


def synchronize():
    """Waits for all calls of compiled functions on all devices; raises their errors
    in data, such as a token id outside of its table, which a GPU finds late."""
    message = ctypes.create_string_buffer(1024)
    if _library().tert_xla_synchronize(message, len(message)):
        raise TemlirError(message.value.decode(errors="replace"))


def _array_type(described):
    """Shape and dtype of an argument. JAX has 64-bit integers only where it is told
    to, so they are pairs of 32 bits here."""
    shape = tuple(described["shape"])
    if described["dtype"] == "i64":
        return jax.ShapeDtypeStruct((*shape, 2), jnp.int32)
    return jax.ShapeDtypeStruct(shape, _DTYPES[described["dtype"]])


class _Entry:
    """An entry as a function of its arguments by name: it takes a dict of arrays,
    and returns one of outputs and states that it changes."""

    def __init__(self, library, described, types, key, device, changed):
        self.arguments = [argument["name"] for argument in described["arguments"]]
        outputs = [
            argument["name"]
            for argument in described["arguments"]
            if argument["role"] == "output"
        ]
        self._operands = [name for name in self.arguments if name not in outputs]
        self._results = outputs + [name for name in self._operands if name in changed]
        self._types = [types[name] for name in self._results]
        self._aliases = {
            self._operands.index(name): place
            for place, name in enumerate(self._results)
            if name in changed
        }
        arena = described["arena_bytes"]
        self._scratch = [jax.ShapeDtypeStruct((arena + _ARENA_SLACK,), jnp.uint8)]
        self._scratch = self._scratch if arena else []
        self._name = f"{described['name']}:{key}"
        arguments = (libraries.XlaArgument * len(self.arguments))()
        for argument, name in zip(arguments, self.arguments):
            argument.operand = self._place(self._operands, name)
            argument.result = self._place(self._results, name)
            argument.bytes = math.prod(types[name].shape) * types[name].dtype.itemsize
        function = ctypes.cast(getattr(library, described["symbol"]), ctypes.c_void_p)
        _library().tert_xla_add_entry(
            self._name.encode(),
            function,
            device.encode(),
            arena,
            len(arguments),
            arguments,
        )

    @staticmethod
    def _place(names, name):
        return names.index(name) if name in names else -1

    def __call__(self, values):
        results = jax.ffi.ffi_call(
            _TARGET,
            self._types + self._scratch,
            vmap_method="sequential",
            input_output_aliases=self._aliases,
        )(*[values[name] for name in self._operands], entry=self._name)
        return dict(zip(self._results, results))


class Program:
    """The entries forward, forward_saving and backward of an artifact.

    parameters   {name: type} of the parameters
    inputs       {name: type} of the inputs
    outputs      {name: type} of the outputs of the model
    states       {name: type} of scales and amaxes; only delayed scaling has any
    """

    def __init__(self, path, device):
        _library()
        library = ctypes.CDLL(path)
        self._library = library
        text = ctypes.c_char.in_dll(library, "tert_artifact_description")
        description = json.loads(ctypes.string_at(ctypes.addressof(text)))
        self.description = description
        with open(path, "rb") as file:
            key = hashlib.sha256(file.read()).hexdigest()
        entries = {entry["name"]: entry for entry in description["entries"]}
        types = {state["name"]: _array_type(state) for state in description["states"]}
        for entry in entries.values():
            for argument in entry["arguments"]:
                if argument["role"] != "state":
                    types[argument["name"]] = _array_type(argument)
        arguments = entries["forward_saving"]["arguments"]

        def choose(names):
            return {name: types[name] for name in names}

        self.parameters = choose(
            state["name"]
            for state in description["states"]
            if state["kind"] == "parameter"
        )
        self.inputs = choose(
            argument["name"]
            for argument in arguments
            if argument["role"] in ("input", "scalar")
        )
        self.outputs = choose(
            argument["name"]
            for argument in entries["forward"]["arguments"]
            if argument["role"] == "output"
        )
        self._states = [
            state for state in description["states"] if state["kind"] != "parameter"
        ]
        # What is no float has no cotangent, by which states are returned.
        self.states = choose(
            state["name"] for state in self._states if state["dtype"] == "f32"
        )
        changed = [state["name"] for state in self._states]
        add = functools.partial(_Entry, library, types=types, key=key, device=device)
        self._forward = add(entries["forward"], changed=())
        self._forward_saving = add(entries["forward_saving"], changed=())
        self._backward = add(entries["backward"], changed=changed)
        self._counts = {
            name: types[name] for name in changed if name not in self.states
        }
        self.run = self._make_function()

    def first_states(self):
        """{name: array}"""
        return {
            state["name"]: jnp.full(
                state["shape"], state["init"]["value"], _DTYPES[state["dtype"]]
            )
            for state in self._states
            if state["name"] in self.states
        }

    def _make_function(self):
        """The program as a function of dicts of arrays by name: parameters, inputs
        and states, which returns one of the outputs. The cotangents of the states
        are their new values, which is how JAX's FP8 layers return them."""

        @jax.custom_vjp
        def run(parameters, inputs, states):
            return self._forward({**parameters, **inputs, **states})

        def forward(parameters, inputs, states):
            values = {**parameters, **inputs, **states}
            found = self._forward_saving(values)
            outputs = {name: found.pop(name) for name in self.outputs}
            values |= {"output." + name: value for name, value in outputs.items()}
            read = self._backward.arguments
            kept = {name: value for name, value in values.items() if name in read}
            return outputs, (kept, found)

        def backward(residuals, cotangents):
            kept, saved = residuals
            given = {
                "cotangent." + name: value
                for name, value in cotangents.items()
                if jnp.issubdtype(self.outputs[name].dtype, jnp.floating)
            }
            counts = {
                name: jnp.zeros(kind.shape, kind.dtype)
                for name, kind in self._counts.items()
            }
            found = self._backward({**kept, **saved, **given, **counts})

            def gradients(types):
                given = {name: found.get("grad." + name) for name in types}
                return {
                    name: None if value is None else value.astype(types[name].dtype)
                    for name, value in given.items()
                }

            return (
                gradients(self.parameters),
                gradients(self.inputs),
                {name: found[name] for name in self.states},
            )

        run.defvjp(forward, backward)
        return run
