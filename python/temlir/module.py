# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules whose forward and backward passes are compiled programs."""

import torch

from .device import common_device
from .errors import TemlirError
from .operators import BoundProgram, call
from .states import States
from .trace import flatten, trace

_LIMIT = 8


class CompiledModule(torch.nn.Module):
    """What temlir.compile returns. It has the parameters, buffers and submodules of
    the module that it was made of, under the same names, so optimizers, state_dict
    and wrappers such as DistributedDataParallel see no difference.

    A program is for one set of shapes. Others are compiled when they occur, up to
    `limit` programs.
    """

    def __init__(self, module, options, limit=_LIMIT, programs=None):
        super().__init__()
        self._parameters = module._parameters
        self._buffers = module._buffers
        self._modules = module._modules
        self._non_persistent_buffers_set = module._non_persistent_buffers_set
        self.training = module.training
        # Not among the submodules: its parameters would have two names.
        object.__setattr__(self, "original", module)
        self._options = dict(options)
        self._limit = limit
        # By graph: blocks that are alike share them.
        self._programs = {} if programs is None else programs
        self._calls = {}
        self._states = {}
        self._loaded = {}

    def forward(self, *args, **kwargs):
        tensors, key = self._key(args, kwargs)
        needed = tuple([tensor.requires_grad for tensor in tensors])
        call_of = self._calls.get((key, needed))
        if call_of is None:
            call_of = self._find(key, needed) or self._compile(args, kwargs, needed)
            self._calls[key, needed] = call_of
        parameters = call_of.parameters()
        if parameters is None:
            self._calls = {
                place: other
                for place, other in self._calls.items()
                if other is not call_of
            }
            return self.forward(*args, **kwargs)
        return call_of(tensors, parameters)

    def prepare(self, *args, **kwargs):
        """Compiles the program for arguments like these, without running it. It
        gives the gradients of all of them that are floats."""
        tensors, key = self._key(args, kwargs)
        needed = (True,) * len(tensors)
        self._calls[key, needed] = self._find(key, needed) or self._compile(
            args, kwargs, needed
        )

    def _find(self, key, needed):
        """A program for this key that gives the needed gradients of inputs, and
        possibly others."""
        for (other, given), call_of in self._calls.items():
            if other == key and all(g or not n for n, g in zip(needed, given)):
                return call_of
        return None

    def _programs_of_calls(self):
        return list(dict.fromkeys(self._calls.values()))

    def fp8_state(self):
        """Scales and amaxes, to be saved in a checkpoint beside state_dict():
        {fingerprint: {name: tensor}}. A program for other shapes with the same FP8
        tensors has the same fingerprint."""
        return {
            **self._loaded,
            **{key: states.state_dict() for (key, _), states in self._states.items()},
        }

    def load_fp8_state(self, state):
        """Copies what fp8_state() returned. Without it scales are found anew, on the
        first data, which takes a few passes."""
        self._loaded = {
            key: {name: value.clone() for name, value in values.items()}
            for key, values in state.items()
        }
        for (key, _), states in self._states.items():
            if key in self._loaded:
                states.load(self._loaded[key])

    def synchronize(self):
        """Waits for the calls on the GPU; raises their errors in data, such as a
        token id outside of its table."""
        for call_of in self._programs_of_calls():
            call_of.program.context.synchronize()

    def report(self):
        """The descriptions of the compiled programs (docs/artifact.md)."""
        return [call_of.program.description for call_of in self._programs_of_calls()]

    def train(self, mode=True):
        self.original.train(mode)
        self.training = mode
        return self

    def extra_repr(self):
        shapes = [call_of.shapes for call_of in self._programs_of_calls()]
        return f"{type(self.original).__name__}, compiled for {shapes or 'no shapes'}"

    def _key(self, args, kwargs):
        """The tensors among the arguments, and what a program is for. Inputs of
        floats are converted to its types."""
        if kwargs or not all([isinstance(arg, torch.Tensor) for arg in args]):
            tensors, *others = flatten(args, kwargs)
        else:
            tensors, others = args, ()
        shapes = tuple(
            [
                (
                    tensor.shape,
                    None if tensor.is_floating_point() else tensor.dtype,
                    tensor.device,
                )
                for tensor in tensors
            ]
        )
        return tensors, (shapes, self.training, *others)

    def _bind(self, traced):
        """The call that runs the program of `traced`."""
        device = traced.program.device
        place = traced.program.description["fingerprint"], device
        if place not in self._states:
            states = States(traced.program, device)
            if place[0] in self._loaded:
                states.load(self._loaded[place[0]])
            self._states[place] = states
        return _Call(self.original, traced, self._states[place])

    def _compile(self, args, kwargs, needed):
        tensors, key = self._key(args, kwargs)
        if len(self._programs_of_calls()) >= self._limit:
            raise TemlirError(self._describe_limit(key))
        device = common_device(
            [*self.parameters(), *tensors], "the module and its inputs"
        )
        traced = trace(
            self.original, args, kwargs, needed, self._options, device, self._programs
        )
        return self._bind(traced)

    def _describe_limit(self, key):
        keys = dict.fromkeys(key for key, _ in self._calls)
        known = "\n  ".join(map(_describe, keys))
        return (
            f"{type(self.original).__name__} is called with {_describe(key)}, but has "
            f"been compiled for {self._limit} other calls:\n  {known}\nPad the inputs "
            "to a few shapes, or compile with a larger limit="
        )


class _Call:
    """A program with a module's parameters and states."""

    def __init__(self, module, traced, states):
        self.traced = traced
        self.program = traced.program
        self.bound = BoundProgram(traced.program, states)
        self._device = traced.program.device
        self.shapes = [list(value.shape) for value in traced.program.inputs]
        # Where each parameter is: it may be replaced, as by load_state_dict(assign=
        # True), or by a wrapper that gathers its shards.
        self._places = []
        for described in traced.program.parameters:
            path, _, last = described.name.rpartition(".")
            self._places.append((module.get_submodule(path)._parameters, last))
        self._expected = [
            (value.shape, self._device) for value in traced.program.parameters
        ]
        self._frozen = [
            place
            for place, (owner, name) in enumerate(self._places)
            if not owner[name].requires_grad
        ]

    def parameters(self):
        """The parameters' present values. None if one of them, frozen when the
        program was compiled, requires a gradient now, which the program has not."""
        found = [owner[name] for owner, name in self._places]
        if [(value.shape, value.device) for value in found] != self._expected:
            raise TemlirError(self._describe(found))
        for place in self._frozen:
            if found[place].requires_grad:
                return None
        return found

    def __call__(self, tensors, parameters):
        if self.traced.has_seed:
            seed = torch.randint(
                2**62, (), dtype=torch.int64, device=self.program.device
            )
            tensors = [*tensors, seed]
        outputs = call(self.bound, tensors, parameters)
        return outputs[0] if self.traced.is_plain else self.traced.result(outputs)

    def _describe(self, found):
        """The first parameter that is not as it was."""
        for parameter, value, expected in zip(
            found, self.program.parameters, self._expected
        ):
            if (parameter.shape, parameter.device) != expected:
                break
        return (
            f"the parameter {value.name} is {list(parameter.shape)} on "
            f"{parameter.device} now, and was {list(value.shape)} on {self._device} "
            "when the module was compiled"
        )


def convert(model, **options):
    """Compiles the repeated blocks of a model, each once: the children of every
    ModuleList and Sequential that has at least two of one class are replaced, in
    place, by compiled modules. The program of one serves all whose graphs are equal.
    Takes the options of `compile`, and returns `model`. Its parameters and their
    names stay. Raises TemlirError if there are no such blocks."""
    chosen, limit = _choose(**options)
    programs, count = {}, 0
    for container in list(model.modules()):
        if not isinstance(container, torch.nn.ModuleList | torch.nn.Sequential):
            continue
        classes = [type(child) for child in container]
        for i, child in enumerate(container):
            if classes.count(type(child)) > 1 and any(True for _ in child.parameters()):
                container[i] = CompiledModule(child, chosen, limit, programs)
                count += 1
    if not count:
        raise TemlirError(
            f"{type(model).__name__} has no ModuleList or Sequential of blocks of one "
            "class; compile it as a whole, or its parts"
        )
    return model


def _choose(*, precision="fp8", recipe=None, policy=None, limit=_LIMIT, options=None):
    """te-compile's options, and the limit."""
    chosen = {"precision": precision}
    if recipe is not None:
        chosen["recipe"] = recipe
    if policy is not None:
        chosen["policy"] = policy
    return {**chosen, **(options or {})}, limit


def _describe(key):
    tensors, training, *others = key
    texts = [
        f"{str(dtype or 'float').removeprefix('torch.')} {list(shape)} on {device}"
        for shape, dtype, device in tensors
    ]
    if others:
        texts += [repr(constant[0]) for constant in others[0] if constant is not None]
    return ", ".join(texts) + ("" if training else " in evaluation")


def compile(module, example_inputs=None, **options):
    """A module that computes what `module` does, in FP8, by a compiled program.

    module          a torch.nn.Module, on a CPU or a Hopper GPU, its parameters in
                    float32 or bfloat16
    example_inputs  a tensor, a tuple of the arguments of forward, or a dict of them
                    by name, to compile now. Without them, and for other shapes,
                    programs are compiled when they are called for
    precision       "fp8", "bf16" or "f32"
    recipe          where scales come from: "delayed_scaling" (the default),
                    "current_scaling", or an attribute with parameters
    policy          which layers are FP8: "GLOB=fp8,GLOB=high"
    limit           the number of shapes that are compiled at most
    options         further options of te-compile by name, {"fp8-layers": "all"}

    All but the first two by name. The result shares its parameters with `module`. Raises CompileError, with all
    that the compiler does not support in one message, and TemlirError.
    """
    compiled = CompiledModule(module, *_choose(**options))
    if example_inputs is not None:
        args, kwargs = (), {}
        if isinstance(example_inputs, torch.Tensor):
            args = (example_inputs,)
        elif isinstance(example_inputs, dict):
            kwargs = example_inputs
        else:
            args = tuple(example_inputs)
        compiled.prepare(*args, **kwargs)
    return compiled
