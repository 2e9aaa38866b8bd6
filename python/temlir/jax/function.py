# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions whose forward and backward passes are compiled programs."""

from ..errors import TemlirError
from .program import Program, synchronize
from .signature import Signature, find_places, make_options

_LIMIT = 8


class CompiledFunction:
    """What temlir.jax.compile returns: a function with the arguments and results of
    the one that it was made of, pure and differentiable.

    A program is for one set of shapes. Others are compiled when they occur, up to
    `limit` programs.
    """

    def __init__(self, function, options, platform, limit, params, constant=()):
        self.original = function
        self._signature = Signature(function, options, platform, limit, params, constant)
        self.__name__ = self._signature.name

    def __call__(self, *args, fp8_state=None, **kwargs):
        call, program = self._signature.find(args, kwargs, Program)
        outputs = program.run(
            call.choose(program.parameters),
            call.choose(program.inputs),
            _check(fp8_state, program.states),
        )
        return call.result(outputs)

    def prepare(self, *args, **kwargs):
        """Compiles the program for arguments like these, without running it."""
        self._signature.find(args, kwargs, Program)

    def fp8_state(self, *args, **kwargs):
        """The first scales and amaxes of the FP8 tensors, {name: array}, of the
        program for a call with these arguments; empty except in delayed scaling."""
        return self._signature.find(args, kwargs, Program)[1].first_states()

    def report(self):
        """The descriptions of the compiled programs (docs/artifact.md)."""
        return [program.description for program in self._signature.programs()]

    def synchronize(self):
        """Waits for all calls; raises their errors in data, such as a token id
        outside of its table, which a GPU finds late."""
        synchronize()


def _check(states, expected):
    if states is None and expected:
        raise TemlirError(
            "delayed scaling has states: pass fp8_state=, which the method fp8_state() "
            "makes at first, and replace it by its gradient after each step; or "
            'compile with recipe="current_scaling"'
        )
    states = states or {}
    found = {name: tuple(value.shape) for name, value in states.items()}
    wanted = {name: kind.shape for name, kind in expected.items()}
    if found != wanted:
        raise TemlirError(
            f"fp8_state has {found or 'nothing'}, and this program {wanted}: it is the "
            "state of another one"
        )
    return states


def compile(
    function,
    example_args=None,
    *,
    precision="fp8",
    recipe="current_scaling",
    policy=None,
    params=0,
    nondiff_argnums=(),
    nondiff_argnames=(),
    platform=None,
    limit=_LIMIT,
    options=None,
):
    """A function that computes what `function` does, in FP8, by a compiled program.

    function      f(params, *inputs), such as the apply of a Flax module; pure, without
                  random numbers
    example_args  a tuple of its arguments, or of their jax.ShapeDtypeStruct, to
                  compile now. Without them, and for other shapes, programs are
                  compiled when they are called for
    precision     "fp8", "bf16" or "f32"
    recipe        where scales come from: "current_scaling" (the default),
                  "delayed_scaling", whose states are an argument fp8_state=, or an
                  attribute with parameters
    policy        which layers are FP8: "GLOB=fp8,GLOB=high"
    params        which argument has the parameters: a tree of arrays, whose floats
                  are float32 or bfloat16
    nondiff_argnums, nondiff_argnames
                  arguments whose gradients are not computed, by positions and by
                  names: they are zero, as behind jax.lax.stop_gradient
    platform      "cpu" or "cuda"; JAX's default
    limit         the number of shapes that are compiled at most
    options       further options of te-compile by name, {"fp8-layers": "all"}

    Arrays among the arguments are operands; what is no array, Python's numbers too,
    is a part of the program. Raises CompileError, with all that the compiler does not
    support in one message, and TemlirError.
    """
    device, chosen = make_options(precision, recipe, policy, platform)
    chosen["entry"] = "forward,forward_saving"
    chosen |= options or {}
    constant = find_places(function, nondiff_argnums, nondiff_argnames)
    if params in constant:
        raise TemlirError(
            f"argument {params} has the parameters, which always have gradients: take "
            "it out of nondiff_argnums and nondiff_argnames"
        )
    compiled = CompiledFunction(function, chosen, device, limit, params, constant)
    if example_args is not None:
        compiled.prepare(*example_args)
    return compiled
