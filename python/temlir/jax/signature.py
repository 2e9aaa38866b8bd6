# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a function and the arguments of a call to a program."""

import functools
import inspect
import os
import tempfile

import jax
import jax.numpy as jnp
import numpy

from ..compiler import compile_model
from ..errors import CompileError, TemlirError

# What programs take; others are converted where no value is lost.
_DTYPES = ("float32", "bfloat16", "int32")


class Signature:
    """The programs of a function by what they were compiled for: shapes, and what
    among the arguments is no array. `constant` has the places of arguments
    without gradients."""

    def __init__(self, function, options, platform, limit, params, constant=()):
        self.function = function
        self.name = getattr(function, "__name__", type(function).__name__)
        self.params = params
        self._options = dict(options)
        self._platform = platform
        self._limit = limit
        self._constant = constant
        self._compiled = {}

    def programs(self):
        return [compiled.program for compiled in self._compiled.values()]

    def find(self, args, kwargs, make):
        """(Arguments, program): the program is `make` of an artifact and a device."""
        if not 0 <= self.params < len(args):
            raise TemlirError(
                f"{self.name} is called with {len(args)} positional arguments, and "
                f"argument {self.params} has the parameters: pass it by position, or "
                "choose another with params="
            )
        paths, structure = jax.tree_util.tree_flatten_with_path((args, kwargs))
        leaves = [_Leaf(path, value, self.params) for path, value in paths]
        key = structure, tuple(leaf.key for leaf in leaves)
        try:
            compiled = self._compiled.get(key)
        except TypeError as error:
            raise TemlirError(
                f"an argument of {self.name} is neither an array nor hashable: {error}"
            ) from None
        if compiled is None:
            if len(self._compiled) >= self._limit:
                raise TemlirError(self._describe_limit(leaves))
            compiled = _Compiled(self, leaves, structure, make)
            self._compiled[key] = compiled
        return Arguments(leaves, compiled), compiled.program

    def compile(self, call, leaves, names, make):
        """(program, types of the results by name, their structure)"""
        with tempfile.TemporaryDirectory(prefix="temlir-") as folder:
            model = os.path.join(folder, f"{self.name.strip('<>')}.mlir")
            artifact = os.path.join(folder, "program.so")
            arrays = [leaf for leaf in leaves if leaf.is_array]
            results, structure = _export(call, arrays, names, model)
            boundary = functools.partial(_boundary_of, arrays)
            options = dict(self._options)
            constant = [
                name
                for name, array in zip(names, arrays)
                if array.is_float and array.place in self._constant
            ]
            if constant:
                given = options.get("constant-input")
                options["constant-input"] = ",".join(constant + [given] * bool(given))
            compile_model(model, artifact, options, boundary)
            return make(artifact, self._platform), results, structure

    def _describe_limit(self, leaves):
        known = "\n  ".join(compiled.text for compiled in self._compiled.values())
        return (
            f"{self.name} is called with {_describe(leaves)}, but has been compiled for "
            f"{self._limit} other calls:\n  {known}\nPad the inputs to a few shapes, "
            "pass numbers that change as arrays, or compile with a larger limit="
        )


def find_places(function, argnums, argnames):
    """Arguments as jax.jit takes them, by positions and by names, as a set that has
    both of each where the function's signature is known. Raises TemlirError for
    those that it has not."""
    numbers = {argnums} if isinstance(argnums, int) else set(argnums)
    names = {argnames} if isinstance(argnames, str) else set(argnames)
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return numbers | names
    kinds = {parameter.kind for parameter in parameters}
    positional = [
        parameter.name
        for parameter in parameters
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    known = {parameter.name for parameter in parameters}
    for number in numbers:
        if number not in range(len(positional)) and (
            number < 0 or inspect.Parameter.VAR_POSITIONAL not in kinds
        ):
            raise TemlirError(f"there is no positional argument {number}")
    for name in names:
        if name not in known and inspect.Parameter.VAR_KEYWORD not in kinds:
            raise TemlirError(f"there is no argument {name}")
    both = enumerate(positional)
    pairs = [pair for pair in both if not {*pair}.isdisjoint(numbers | names)]
    return numbers.union(names, *pairs)


class _Leaf:
    """A leaf of the arguments' tree: an array is an operand, anything else a part
    of the program. `place` is the position or the keyword of its argument."""

    def __init__(self, path, value, params):
        self.value = value
        self.place = path[1].idx if path[0].idx == 0 else path[1].key
        names = path[2:] if self.place == params else path[1:]
        self.name = jax.tree_util.keystr(names, simple=True, separator=".")
        self.is_array = isinstance(value, (jax.Array, numpy.ndarray, numpy.generic))
        self.is_array |= isinstance(value, jax.ShapeDtypeStruct)
        self.is_parameter = False
        if self.is_array:
            self.is_float = jnp.issubdtype(value.dtype, jnp.floating)
            self.is_parameter = self.place == params and self.is_float
            self.shape, self.dtype = tuple(value.shape), value.dtype
            self.key = self.shape, str(self.dtype)
            self._check()
        else:
            # True and 1 are equal.
            self.key = type(value), value

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


class _Compiled:
    """A program and how a call becomes one of it."""

    def __init__(self, signature, leaves, structure, make):
        self.text = _describe(leaves)
        self.names = _unique_names(leaves)
        constants = [None if leaf.is_array else leaf.value for leaf in leaves]
        are_bools = [leaf.is_array and leaf.dtype == bool for leaf in leaves]
        are_arrays = [leaf.is_array for leaf in leaves]

        def call(arrays):
            arrays = iter(arrays)
            values = []
            for constant, is_bool, is_array in zip(constants, are_bools, are_arrays):
                value = next(arrays) if is_array else constant
                values.append(value != 0 if is_bool else value)
            args, kwargs = jax.tree.unflatten(structure, values)
            return signature.function(*args, **kwargs)

        self.program, self.results, self.structure = signature.compile(
            call, leaves, self.names, make
        )


class Arguments:
    """The arrays of a call by the names that its program has for them."""

    def __init__(self, leaves, compiled):
        self.names = compiled.names
        self._arrays = [leaf for leaf in leaves if leaf.is_array]
        self._compiled = compiled

    def choose(self, types):
        """{name: array} of those in `types`, with their dtypes."""
        return {
            name: jnp.asarray(leaf.value, types[name].dtype)
            for name, leaf in zip(self.names, self._arrays)
            if name in types
        }

    def result(self, outputs):
        """What the function would return."""
        results = self._compiled.results
        leaves = [outputs[name].astype(kind.dtype) for name, kind in results.items()]
        return jax.tree.unflatten(self._compiled.structure, leaves)

    def replace(self, params, found):
        """The tree of parameters with those in `found`."""
        pairs = zip(self.names, self._arrays)
        given = iter([n for n, leaf in pairs if leaf.is_parameter])
        leaves, structure = jax.tree.flatten(params)
        new = []
        for leaf in leaves:
            dtype = getattr(leaf, "dtype", None)
            if dtype is not None and jnp.issubdtype(dtype, jnp.floating):
                leaf = found.get(next(given), leaf)
            new.append(leaf)
        return jax.tree.unflatten(structure, new)


def _describe(leaves):
    arrays = [leaf for leaf in leaves if leaf.is_array and not leaf.is_parameter]
    others = [leaf for leaf in leaves if not leaf.is_array]
    texts = [f"{leaf.dtype} {list(leaf.shape)}" for leaf in arrays]
    texts += [f"{leaf.name}={leaf.value!r}" for leaf in others]
    return ", ".join(texts) or "no inputs"


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


def _boundary_of(arrays):
    """The option boundary: "bf16" if all matrices among the parameters are."""
    dtypes = {a.dtype for a in arrays if a.is_parameter and len(a.shape) >= 2}
    is_narrow = bool(dtypes) and all(dtype == jnp.bfloat16 for dtype in dtypes)
    return "bf16" if is_narrow else "f32"


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
            'and programs are made for 9.0 (Hopper: H100, H200); platform="cpu" '
            "needs no GPU"
        )
    return "cuda", "sm_90"


def make_options(precision, recipe, policy, platform):
    """(the runtime's device, te-compile's options)"""
    device, target = _platform_of(platform)
    chosen = {"target": target, "precision": precision}
    if precision == "fp8":
        chosen["recipe"] = recipe
    if policy is not None:
        chosen["policy"] = policy
    return device, chosen
