# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiled program: its entries, and how tensors become their arguments."""

import ctypes
import itertools
import operator
import struct

import torch

from . import libraries
from .device import align, device_of

DTYPES = {
    "f32": torch.float32,
    "bf16": torch.bfloat16,
    "f8e4m3": torch.float8_e4m3fn,
    "f8e5m2": torch.float8_e5m2,
    "f8e8m0": torch.float8_e8m0fnu,
    "i64": torch.int64,
    "i32": torch.int32,
    "u8": torch.uint8,
}


class TensorType:
    """Dtype and shape of an argument."""

    def __init__(self, described):
        self.name = described["name"]
        self.dtype = DTYPES[described["dtype"]]
        self.shape = torch.Size(described["shape"])
        self.bytes = self.dtype.itemsize
        for size in self.shape:
            self.bytes *= size
        self._strides = torch.empty(self.shape, device="meta").stride()

    def empty(self, device):
        # Half a microsecond less than torch.empty.
        return torch.empty_strided(
            self.shape, self._strides, dtype=self.dtype, device=device
        )


class _Entry:
    """An entry's function, and the order of its arguments: `pick` takes them from
    a list of all addresses that a call may need, and `pack` makes an array of them
    and of the address of temporary memory."""

    def __init__(self, library, described, places):
        self.function = getattr(library, described["symbol"])
        self.function.restype = ctypes.c_int32
        self.function.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
        self.arena_bytes = described["arena_bytes"]
        self.names = [
            ("output" if argument["role"] == "output" else "value", argument["name"])
            for argument in described["arguments"]
        ]
        order = [places[name] for name in self.names]
        get = operator.itemgetter(*order)
        self.pack = struct.Struct(f"{len(order) + 1}P").pack
        self.pick = get if len(order) > 1 else lambda values: (get(values),)

    def reads(self, name):
        return ("value", name) in self.names


def _entries(description):
    return {entry["name"]: entry for entry in description["entries"]}


class Program:
    """The entries forward, forward_saving and backward of an artifact.

    inputs       TensorType of each input, scalars such as a seed included
    parameters   TensorType of each parameter, and `trained`, whether it has a
                 gradient
    values       both, the inputs first
    outputs      TensorType of each output of the model
    states       scales and amaxes, which a caller keeps (States)
    """

    def __init__(self, path, device):
        library, description = libraries.open_program(path)
        self._library, self.description = library, description
        self.device = device
        self.context = device_of(device)
        entries = _entries(description)
        saving, backward = entries["forward_saving"], entries["backward"]
        arguments = saving["arguments"]

        self.inputs = [
            TensorType(argument)
            for argument in arguments
            if argument["role"] in ("input", "scalar")
        ]
        states = {state["name"]: state for state in description["states"]}
        self.parameters = []
        self.states = []
        for state in states.values():
            if state["kind"] == "parameter":
                parameter = TensorType(state)
                parameter.trained = not state.get("frozen", False)
                self.parameters.append(parameter)
            else:
                self.states.append(state)
        outputs = [
            TensorType(argument)
            for argument in arguments
            if argument["role"] == "output"
        ]
        count = _number_saved([output.name for output in outputs])
        self.outputs = outputs[: len(outputs) - count]
        saved = outputs[len(outputs) - count :]
        inputs = {
            argument["name"]
            for argument in backward["arguments"]
            if argument["role"] == "input"
        }
        # Integers have none, and what the option constant-output names.
        self.have_cotangents = [
            "cotangent." + output.name in inputs for output in self.outputs
        ]
        self.cotangents = list(itertools.compress(self.outputs, self.have_cotangents))
        described = [
            argument
            for argument in backward["arguments"]
            if argument["role"] == "output"
        ]
        self.gradients = [TensorType(argument) for argument in described]
        self._no_gradients = [
            torch.empty(0, dtype=gradient.dtype, device=device)
            for gradient in self.gradients
        ]
        self._gradient_offsets = [
            argument.get("arena_offset", 0) for argument in described
        ]
        gradients = {gradient.name: i for i, gradient in enumerate(self.gradients)}
        # The place of each input's and each parameter's gradient, or None.
        self.gradient_of_input = [
            gradients.get("grad." + value.name) for value in self.inputs
        ]
        self.gradient_of_parameter = [
            gradients.get("grad." + value.name) for value in self.parameters
        ]

        # All that is saved is in one piece of memory.
        self.saved_bytes = 0
        self._saved_offsets = []
        for value in saved:
            self._saved_offsets.append(self.saved_bytes)
            self.saved_bytes += align(value.bytes)

        # The order of addresses that all entries pick from.
        self.values = self.inputs + self.parameters
        places = {("value", value.name): i for i, value in enumerate(self.values)}
        for state in self.states:
            places["value", state["name"]] = len(places)
        of_forward, of_backward = dict(places), dict(places)
        for output in outputs:
            of_forward["output", output.name] = len(of_forward)
        for value in saved:
            of_backward["value", value.name] = len(of_backward)
        for output in self.outputs:
            of_backward["value", "output." + output.name] = len(of_backward)
        for output in self.cotangents:
            of_backward["value", "cotangent." + output.name] = len(of_backward)
        for gradient in self.gradients:
            of_backward["output", gradient.name] = len(of_backward)
        self._forward = _Entry(library, entries["forward"], of_forward)
        self._forward_saving = _Entry(library, saving, of_forward)
        self._backward = _Entry(library, backward, of_backward)
        # What autograd must keep besides: places among the values and outputs.
        names = [value.name for value in self.values]
        names += ["output." + value.name for value in self.outputs]
        self.kept = [i for i, name in enumerate(names) if self._backward.reads(name)]

    def forward(self, values, states):
        """The outputs. Tensors are contiguous, in the program's dtypes."""
        outputs = [output.empty(self.device) for output in self.outputs]
        self._call(self._forward, addresses_of(*values, *states, *outputs))
        return outputs

    def forward_saving(self, values, states):
        """The outputs, and what `backward` reads."""
        outputs = [output.empty(self.device) for output in self.outputs]
        saved = self.empty_saved()
        addresses = addresses_of(*values, *states, *outputs)
        addresses += self._addresses_in(saved)
        self._call(self._forward_saving, addresses)
        return outputs, saved

    def empty_saved(self):
        """Memory for what backward reads."""
        return torch.empty(self.saved_bytes, dtype=torch.uint8, device=self.device)

    def _addresses_in(self, saved):
        start = saved.data_ptr()
        return [start + offset for offset in self._saved_offsets]

    def backward(self, cotangents, saved, kept, states):
        """The gradients, in the order of `gradients`, in one piece of memory: that
        of the call's temporaries, which is smaller than both apart. `kept` are the
        values and outputs of `self.kept`. `saved` is overwritten."""
        memory, arena = self.context.allocate(self._backward.arena_bytes)
        count = len(self.values)
        given = [None] * (count + len(self.outputs))
        for place, tensor in zip(self.kept, kept):
            given[place] = tensor
        # Hooks of autograd may have moved it.
        if saved.data_ptr() % 16:
            saved = saved.clone()
        addresses = addresses_of(*given[:count], *states) + self._addresses_in(saved)
        addresses += addresses_of(*given[count:], *cotangents)
        offsets = self._gradient_offsets
        addresses += [arena + offset for offset in offsets]
        self._call(self._backward, addresses, arena)
        start, storage = arena - memory.data_ptr(), memory.untyped_storage()
        # An alias of an empty tensor takes half the time of a new one.
        return [
            empty.data.set_(
                storage, (start + offset) // gradient.dtype.itemsize, gradient.shape
            )
            for empty, gradient, offset in zip(
                self._no_gradients, self.gradients, offsets
            )
        ]

    def _call(self, entry, addresses, arena=None):
        self.context.call(
            entry.function,
            entry.pack,
            entry.pick(addresses),
            entry.arena_bytes,
            arena,
        )


def _number_saved(names):
    """How many of these outputs are saved.0, saved.1 and so on, the last ones."""
    for count in range(len(names), 0, -1):
        if names[-count:] == [f"saved.{i}" for i in range(count)]:
            return count
    return 0


def addresses_of(*tensors):
    return [0 if tensor is None else tensor.data_ptr() for tensor in tensors]
