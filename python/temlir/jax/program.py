# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled programs as functions of JAX, by custom calls of XLA."""

import ctypes
import functools
import hashlib
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
    "f8e8m0": jnp.float8_e8m0fnu,
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


def first_values(state, kind):
    """A state before the first step, as an array of the type `kind`."""
    if state["init"]["kind"] != "constant":
        return jnp.zeros(kind.shape, kind.dtype)
    value = state["init"]["value"]
    if state["dtype"] == "i64":
        pair = [value & 0xFFFFFFFF, value >> 32]
        return jnp.broadcast_to(jnp.array(pair, jnp.int32), kind.shape)
    return jnp.full(kind.shape, value, kind.dtype)


class _Entry:
    """An entry as a function of its arguments by name: it takes a dict of arrays,
    and returns one of outputs and states that it changes."""

    def __init__(self, library, described, types, key, device, changed):
        self.arguments = [argument["name"] for argument in described["arguments"]]
        self.outputs = [
            argument["name"]
            for argument in described["arguments"]
            if argument["role"] == "output"
        ]
        self._operands = [name for name in self.arguments if name not in self.outputs]
        self._results = self.outputs + [name for name in self._operands if name in changed]
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


class Artifact:
    """A loaded artifact.

    entries   their descriptions by name
    types     {name: type} of states and of the arguments of all entries
    """

    def __init__(self, path, device):
        _library()
        self._device = device
        self._loaded, self.description = libraries.open_program(path)
        with open(path, "rb") as file:
            self._key = hashlib.sha256(file.read()).hexdigest()
        self.entries = {entry["name"]: entry for entry in self.description["entries"]}
        self.types = {s["name"]: _array_type(s) for s in self.description["states"]}
        for entry in self.entries.values():
            for argument in entry["arguments"]:
                if argument["role"] != "state":
                    self.types[argument["name"]] = _array_type(argument)

    def entry(self, name, changed=()):
        """An entry that updates the states `changed`; None if there is none."""
        if name not in self.entries:
            return None
        return _Entry(
            self._loaded, self.entries[name], self.types, self._key, self._device, changed
        )


class Program:
    """The entries forward, forward_saving and backward of an artifact.

    parameters   {name: type} of the parameters
    inputs       {name: type} of the inputs
    outputs      {name: type} of the outputs of the model
    states       {name: type} of scales and amaxes; only delayed scaling has any
    """

    def __init__(self, path, device):
        artifact = Artifact(path, device)
        self.description = artifact.description
        entries, states = artifact.entries, self.description["states"]

        def choose(names):
            return {name: artifact.types[name] for name in names}

        def arguments(entry, *roles):
            described = entries[entry]["arguments"]
            return choose(a["name"] for a in described if a["role"] in roles)

        self.parameters = choose(s["name"] for s in states if s["kind"] == "parameter")
        self.inputs = arguments("forward_saving", "input", "scalar")
        self.outputs = arguments("forward", "output")
        self._states = [s for s in states if s["kind"] != "parameter"]
        # What is no float has no cotangent, by which states are returned.
        self.states = choose(s["name"] for s in self._states if s["dtype"] == "f32")
        self._counts = choose(s["name"] for s in self._states if s["dtype"] != "f32")
        self._forward = artifact.entry("forward")
        self._forward_saving = artifact.entry("forward_saving")
        self._backward = artifact.entry("backward", {*self.states, *self._counts})
        self.run = self._make_function()

    def first_states(self):
        """{name: array}"""
        return {
            state["name"]: first_values(state, self.states[state["name"]])
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
