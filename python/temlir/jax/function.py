# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions whose forward and backward passes are compiled programs."""

import os
import tempfile

import jax
import jax.numpy as jnp
import numpy

from ..compiler import compile_file
from ..errors import CompileError, TemlirError
from .program import Program, synchronize

_LIMIT = 8
# What programs take; others are converted where no value is lost.
_DTYPES = ("float32", "bfloat16", "int32")


class CompiledFunction:
    """What temlir.jax.compile returns: a function with the arguments and results of
    the one that it was made of, pure and differentiable.

    A program is for one set of shapes. Others are compiled when they occur, up to
    `limit` programs.
    """

    def __init__(self, function, options, platform, limit, params):
        self.original = function
        self.__name__ = getattr(function, "__name__", type(function).__name__)
        self._options = dict(options)
        self._platform = platform
        self._limit = limit
        self._params = params
        self._calls = {}

    def __call__(self, *args, fp8_state=None, **kwargs):
        call, leaves = self._find(args, kwargs)
        return call(leaves, fp8_state)

    def fp8_state(self, *args, **kwargs):
        """The first scales and amaxes of the FP8 tensors, {name: array}, of the
        program for a call with these arguments; empty except in delayed scaling."""
        return self._find(args, kwargs)[0].program.first_states()

    def report(self):
        """The descriptions of the compiled programs (docs/artifact.md)."""
        return [call.program.description for call in self._calls.values()]

    def synchronize(self):
        """Waits for all calls; raises their errors in data, such as a token id
        outside of its table, which a GPU finds late."""
        synchronize()

    def _find(self, args, kwargs):
        """The program for these arguments, and their arrays."""
        if not 0 <= self._params < len(args):
            raise TemlirError(
                f"{self.__name__} is called with {len(args)} positional arguments, and "
                f"argument {self._params} has the parameters: pass it by position, or "
                "choose another with params="
            )
        paths, structure = jax.tree_util.tree_flatten_with_path((args, kwargs))
        leaves = [_Leaf(path, value, self._params) for path, value in paths]
        key = structure, tuple(leaf.key for leaf in leaves)
        try:
            call = self._calls.get(key)
        except TypeError as error:
            raise TemlirError(
                f"an argument of {self.__name__} is neither an array nor hashable: "
                f"{error}"
            ) from None
        if call is None:
            if len(self._calls) >= self._limit:
                raise TemlirError(self._describe_limit(leaves))
            call = _Call(self, leaves, structure)
            self._calls[key] = call
        return call, leaves

    def _describe_limit(self, leaves):
        known = "\n  ".join(call.text for call in self._calls.values())
        return (
            f"{self.__name__} is called with {_describe(leaves)}, but has been "
            f"compiled for {self._limit} other calls:\n  {known}\nPad the inputs to a "
            "few shapes, pass numbers that change as arrays, or compile with a larger "
            "limit="
        )


class _Leaf:
    """A leaf of the arguments' tree: an array is an operand, anything else a part
    of the program."""

    def __init__(self, path, value, params):
        self.path = path
        self.value = value
        place = path[1].idx if path[0].idx == 0 else None
        names = path[2:] if place == params else path[1:]
        self.name = jax.tree_util.keystr(names, simple=True, separator=".")
        self.is_array = isinstance(value, (jax.Array, numpy.ndarray, numpy.generic))
        self.is_array |= isinstance(value, jax.ShapeDtypeStruct)
        self.is_parameter = False
        if self.is_array:
            is_float = jnp.issubdtype(value.dtype, jnp.floating)
            self.is_parameter = place == params and is_float
            self.shape, self.dtype = tuple(value.shape), value.dtype
            self.key = self.shape, str(self.dtype)
            self._check()
        else:
            self.key = (value,)

    def _check(self):
        if str(self.dtype) not in (*_DTYPES, "bool"):
            hint = "convert it"
            if jnp.issubdtype(self.dtype, jax.dtypes.prng_key):
                hint = "programs have no random numbers: call the model without dropout"
            raise TemlirError(
                f"{self.name or 'the argument'} is {self.dtype}; programs take float32, "
                f"bfloat16, int32 and bool: {hint}"
            )

    @property
    def type(self):
        """As the program takes it."""
        dtype = jnp.int32 if self.dtype == bool else self.dtype
        return jax.ShapeDtypeStruct(self.shape, dtype)


def _describe(leaves):
    arrays = [leaf for leaf in leaves if leaf.is_array and not leaf.is_parameter]
    others = [leaf for leaf in leaves if not leaf.is_array]
    texts = [f"{leaf.dtype} {list(leaf.shape)}" for leaf in arrays]
    texts += [f"{leaf.name}={leaf.value!r}" for leaf in others]
    return ", ".join(texts) or "no inputs"


class _Call:
    """A program as a call with arguments of certain shapes."""

    def __init__(self, owner, leaves, structure):
        self.text = _describe(leaves)
        self._names = _unique_names(leaves)
        constants = [None if leaf.is_array else leaf.value for leaf in leaves]
        function = owner.original

        def call(arrays):
            arrays = iter(arrays)
            values = [
                _restore(next(arrays), leaf) if leaf.is_array else constant
                for leaf, constant in zip(leaves, constants)
            ]
            args, kwargs = jax.tree.unflatten(structure, values)
            return function(*args, **kwargs)

        with tempfile.TemporaryDirectory(prefix="temlir-") as folder:
            model = os.path.join(folder, f"{owner.__name__.strip('<>')}.mlir")
            artifact = os.path.join(folder, "program.so")
            arrays = [leaf for leaf in leaves if leaf.is_array]
            results, self._structure = _export(call, arrays, self._names, model)
            _compile(model, artifact, arrays, owner._options)
            self.program = Program(artifact, owner._platform)
        self._results = results

    def __call__(self, leaves, states):
        program = self.program
        given = {
            name: leaf.value
            for name, leaf in zip(self._names, (x for x in leaves if x.is_array))
        }

        def choose(types):
            return {n: jnp.asarray(given[n], kind.dtype) for n, kind in types.items()}

        outputs = program.run(
            choose(program.parameters), choose(program.inputs), self._check(states)
        )
        leaves = [outputs[n].astype(kind.dtype) for n, kind in self._results.items()]
        return jax.tree.unflatten(self._structure, leaves)

    def _check(self, states):
        expected = self.program.states
        if states is None and expected:
            raise TemlirError(
                "delayed scaling has states: pass fp8_state=, which the method "
                "fp8_state() makes at first, and replace it by its gradient after "
                'each step; or compile with recipe="current_scaling"'
            )
        states = states or {}
        found = {name: tuple(value.shape) for name, value in states.items()}
        wanted = {name: kind.shape for name, kind in expected.items()}
        if found != wanted:
            raise TemlirError(
                f"fp8_state has {found or 'nothing'}, and this program {wanted}: it is "
                "the state of another one"
            )
        return states


def _restore(array, leaf):
    return array != 0 if leaf.dtype == bool else array


def _unique_names(leaves):
    """The names of the arrays."""
    names = []
    for leaf in leaves:
        if not leaf.is_array:
            continue
        name = leaf.name or "parameter"
        if not leaf.is_parameter:
            name = "arguments." + name
        while name in names:
            name += "_"
        names.append(name)
    return names


def _export(call, arrays, names, model):
    """Writes the model file; returns the types of the results by the names of the
    program's outputs, and their structure."""
    from temlir_export import ExportError, export_stablehlo

    parameters = {n: a.type for n, a in zip(names, arrays) if a.is_parameter}
    inputs = {n: a.type for n, a in zip(names, arrays) if not a.is_parameter}

    def flat(parameters, *values):
        values = {**parameters, **dict(zip(inputs, values))}
        return tuple(jax.tree.leaves(call([values[name] for name in names])))

    try:
        shapes = jax.eval_shape(call, [array.type for array in arrays])
        results, structure = jax.tree.flatten(shapes)
        outputs = {f"output.{i}": kind for i, kind in enumerate(results)}
        export_stablehlo(
            flat,
            tuple(inputs.values()),
            model,
            params=parameters,
            input_names=list(inputs),
            output_names=list(outputs),
            weights="absent",
            allow_unused=True,
        )
    except ExportError as error:
        raise CompileError(str(error)) from error
    return outputs, structure


def _compile(model, artifact, arrays, options):
    dtypes = {a.dtype for a in arrays if a.is_parameter and len(a.shape) >= 2}
    is_narrow = bool(dtypes) and all(dtype == jnp.bfloat16 for dtype in dtypes)
    options = {
        "merge-linears": "true" if options["precision"] == "fp8" else "false",
        "entry": "forward,forward_saving",
        "outputs": "caller",
        "init": "normal:0.02",
        "boundary": "bf16" if is_narrow and options["precision"] != "f32" else "f32",
        **options,
    }
    try:
        compile_file(model, artifact, options)
    except CompileError as error:
        folder = os.path.dirname(model) + os.sep
        raise CompileError(str(error).replace(folder, "")) from None


def _platform_of(platform):
    """(the runtime's device, the compiler's target)"""
    platform = platform or jax.default_backend()
    if platform == "cpu":
        return "cpu", "cpu"
    if platform not in ("gpu", "cuda"):
        raise TemlirError(f'programs run on "cpu" and "cuda", not on "{platform}"')
    gpus = jax.devices("cuda")
    found = {str(getattr(gpu, "compute_capability", "")) for gpu in gpus}
    if found != {"9.0"}:
        raise TemlirError(
            f"{gpus[0].device_kind} has compute capability {', '.join(sorted(found))}, "
            "and programs are made for 9.0 (Hopper: H100, H200); platform=\"cpu\" "
            "needs no GPU"
        )
    return "cuda", "sm_90"


def compile(
    function,
    example_args=None,
    *,
    precision="fp8",
    recipe="current_scaling",
    policy=None,
    params=0,
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
    platform      "cpu" or "cuda"; JAX's default
    limit         the number of shapes that are compiled at most
    options       further options of te-compile by name, {"fp8-layers": "all"}

    Arrays among the arguments are operands; what is no array, Python's numbers too,
    is a part of the program. Raises CompileError, with all that the compiler does not
    support in one message, and TemlirError.
    """
    device, target = _platform_of(platform)
    chosen = {"target": target, "precision": precision}
    if precision == "fp8":
        chosen["recipe"] = recipe
    if policy is not None:
        chosen["policy"] = policy
    compiled = CompiledFunction(
        function, {**chosen, **(options or {})}, device, limit, params
    )
    if example_args is not None:
        compiled._find(tuple(example_args), {})
    return compiled
