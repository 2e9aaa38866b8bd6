# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports JAX to StableHLO in MLIR's generic form, with named parameters."""

import inspect
import json
import os
import re
import tempfile

import jax
import numpy

from .errors import ExportError
from .paths import shorten_path


def export_stablehlo(
    model,
    example_inputs,
    path,
    *,
    params=None,
    output_names=None,
    input_names=None,
    weights="beside",
    allow_unused=False,
    trainable=None,
    debug_info=True,
):
    """Exports `model` to the StableHLO file `path`, model.mlir, and the values of
    its parameters to model.safetensors next to it.

    model           a Flax linen module (with its variables as `params`), a Flax
                    NNX module, an Equinox module, or a function
                    f(params, *inputs) with any tree of arrays as `params`.
                    NNX and Equinox modules are exported for evaluation, without
                    dropout; call linen's with deterministic=True yourself if
                    they require it:
                    lambda v, ids: model.apply(v, ids, deterministic=True).
    example_inputs  an array, a tuple of arrays, or a dict of arrays by the names
                    of the model's parameters. Their shapes are the shapes that
                    the compiled program will have.
    params          see `model`. Floats in it become parameters named by their
                    keys, "params.Dense_0.kernel"; all other values become part
                    of the program.
    output_names    names of the outputs; by default ["logits"] for one array,
                    and the keys of a dict or tuple of arrays.
    input_names     names of the inputs; by default those of the model's
                    parameters.
    weights         "beside", or "absent" (shapes only; te-compile --init
                    generates values). Parameters may then be
                    jax.ShapeDtypeStruct.
    allow_unused    accept parameters that the outputs do not depend on. They
                    will not be trained.
    trainable       which parameters are trained: a function of their names,
                    lambda name: "lora" in name. The others are frozen, unless
                    te-compile overrides it (--freeze, --train-only).
    debug_info      write the origin of operations: modules and source lines.

    Returns the names of the parameters. Raises ExportError, and leaves an
    existing file at `path` unchanged, if JAX cannot lower the model or the
    outputs do not depend on a parameter.
    """
    if weights not in ("beside", "absent"):
        raise ExportError(f"weights is 'beside' or 'absent', not {weights!r}")
    path = os.fspath(path)
    if not path.endswith(".mlir"):
        raise ExportError(f"the file's name must end in .mlir: {path}")
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise ExportError(f"there is no folder {folder}")

    function, tree = _as_function(model, params)
    names, leaves, rebuild = split_parameters(tree)
    inputs, given_names = _inputs(model, example_inputs)
    input_names = _unique(input_names or given_names, len(inputs), "input")
    clash = set(names) & set(input_names)
    if clash:
        raise ExportError(f"both an input and a parameter are called {clash.pop()}")

    def flat(*arguments):
        values = rebuild(arguments[: len(names)])
        return function(values, *arguments[len(names) :])

    shapes = [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in (*leaves, *inputs)]
    try:
        # For a CPU: on other platforms, models lower to vendor libraries.
        traced = jax.jit(flat, keep_unused=True).trace(*shapes)
        _check_traced(traced.jaxpr, len(shapes))
        module = traced.lower(lowering_platforms=("cpu",)).compiler_ir("stablehlo")
    except ExportError:
        raise
    except Exception as error:  # from any part of JAX or of the model
        raise ExportError(f"JAX cannot lower the model: {error}") from error
    outputs = _output_names(traced.out_info, output_names)
    frozen = {name for name in names if trainable and not trainable(name)}
    if len(frozen) == len(names):
        raise ExportError(
            "trainable is true of no parameter; they are called "
            + ", ".join(names[:4])
            + (f" and {len(names) - 4} more" if len(names) > 4 else "")
        )
    text = _annotate(
        module, names, frozen, input_names, outputs, allow_unused, debug_info
    )

    with tempfile.TemporaryDirectory(dir=folder, prefix=".export-") as work:
        draft = os.path.join(work, "model.mlir")
        with open(draft, "w", encoding="utf-8") as file:
            file.write(text)
        if weights == "beside":
            data = os.path.join(work, "model.safetensors")
            save_safetensors(dict(zip(names, leaves)), data)
            os.replace(data, path[: -len(".mlir")] + ".safetensors")
        os.replace(draft, path)
    return names


def _check_traced(jaxpr, count):
    """Refuses what a program of `count` arguments cannot have."""
    if jaxpr.effects:
        effects = ", ".join(sorted(str(effect) for effect in jaxpr.effects))
        raise ExportError(
            f"the function has effects ({effects}), and a program computes its outputs "
            "alone: leave out printing, callbacks and changes of references"
        )
    if len(jaxpr.in_avals) != count:
        raise ExportError(
            f"the function closes over {len(jaxpr.in_avals) - count} values that JAX is "
            "tracing: pass them as arguments"
        )


def _libraries(model):
    """Names of the libraries of the model's class and its base classes."""
    return {base.__module__.partition(".")[0] for base in type(model).__mro__}


def split_module(model):
    """The trained values of an NNX or Equinox module, as a tree, and a function
    that makes a module from such a tree; nothing for other objects."""
    if "flax" in _libraries(model):
        import flax.nnx

        if isinstance(model, flax.nnx.Module):
            graph, trained, rest = flax.nnx.split(model, flax.nnx.Param, ...)
            return trained, lambda tree: flax.nnx.merge(graph, tree, rest)
    if "equinox" in _libraries(model):
        import equinox

        trained, rest = equinox.partition(model, equinox.is_inexact_array)
        return trained, lambda tree: equinox.combine(tree, rest)
    return None


def _for_evaluation(module):
    """The NNX or Equinox module without dropout."""
    if "equinox" in _libraries(module):
        import equinox

        return equinox.nn.inference_mode(module)
    module.eval()
    return module


def _as_function(model, params):
    """The model as a function of a tree of parameters and of inputs."""
    if "flax" in _libraries(model):
        import flax.linen

        if isinstance(model, flax.linen.Module):
            if params is None:
                raise ExportError("a linen module needs its variables as params")
            return model.apply, params
    if parts := split_module(model):
        trained, merge = parts
        return lambda tree, *inputs: _for_evaluation(merge(tree))(*inputs), trained
    if not callable(model):
        raise ExportError(f"a {type(model).__name__} is neither a module nor a function")
    if params is None:
        raise ExportError("a function needs its parameters as params")
    return model, params


def split_parameters(tree):
    """Names and values of the floats in a tree, and a function that makes the
    tree with other values."""
    paths, structure = jax.tree_util.tree_flatten_with_path(tree)
    names, leaves, places = [], [], []
    values = [leaf for _, leaf in paths]
    for place, (keys, leaf) in enumerate(paths):
        dtype = getattr(leaf, "dtype", None)
        if dtype is None or not jax.numpy.issubdtype(dtype, jax.numpy.floating):
            continue
        name = jax.tree_util.keystr(keys, simple=True, separator=".")
        # A variable of NNX has its array as an attribute.
        if str(keys[-1]) == ".value":
            name = name[: -len(".value")]
        if dtype not in (jax.numpy.float32, jax.numpy.bfloat16):
            raise ExportError(
                f"parameter {name} is {dtype}; the compiler trains float32 and makes "
                "narrow copies itself: convert the parameters to float32"
            )
        names.append(name or "parameter")
        leaves.append(leaf)
        places.append(place)
    if not names:
        raise ExportError("the model has no parameters")
    _unique(names, len(names), "parameter")

    def rebuild(given):
        filled = list(values)
        for place, value in zip(places, given):
            filled[place] = value
        return jax.tree_util.tree_unflatten(structure, filled)

    return names, leaves, rebuild


def _inputs(model, example_inputs):
    """The inputs in the order of the model's parameters, and their names."""
    function = model
    if not inspect.isroutine(model):
        function = type(model).__call__
    try:
        names = list(inspect.signature(function).parameters)[1:]
    except (TypeError, ValueError):
        names = []
    if isinstance(example_inputs, dict):
        unknown = [name for name in example_inputs if name not in names]
        if unknown:
            raise ExportError(f"the model has no parameter {unknown[0]}")
        ordered = [name for name in names if name in example_inputs]
        if ordered != names[: len(ordered)]:
            raise ExportError(f"there is no example of the input {names[0]}")
        return [jax.numpy.asarray(example_inputs[name]) for name in ordered], ordered
    if not isinstance(example_inputs, (tuple, list)):
        example_inputs = (example_inputs,)
    inputs = [
        x if isinstance(x, jax.ShapeDtypeStruct) else jax.numpy.asarray(x)
        for x in example_inputs
    ]
    names = names[: len(inputs)]
    names += [f"input_{i}" for i in range(len(names), len(inputs))]
    return inputs, names


def _unique(names, count, what):
    names = list(names)
    if len(names) != count:
        raise ExportError(f"{count} {what}s have {len(names)} names")
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ExportError(f"two {what}s are called {twice.pop()}")
    return names


def _output_names(outputs, given):
    paths = jax.tree_util.tree_flatten_with_path(outputs)[0]
    if given is None:
        given = [
            jax.tree_util.keystr(keys, simple=True, separator=".") or "logits"
            for keys, _ in paths
        ]
        given = [f"output_{name}" if name.isdigit() else name for name in given]
    return _unique(given, len(paths), "output")


def _annotate(
    module, names, frozen, input_names, output_names, allow_unused, debug_info
):
    """The module's text, with named arguments and results of its function."""
    with module.context as context:
        from jax.interpreters.mlir import ir

        context.allow_unregistered_dialects = True
        main = next(
            op for op in module.body.operations if op.attributes["sym_name"].value == "main"
        )
        unused = [
            name
            for name, argument in zip(names, main.regions[0].blocks[0].arguments)
            if not list(argument.uses)
        ]
        if unused and not allow_unused:
            raise ExportError(
                f"{len(unused)} parameters do not reach the outputs and could not be "
                "trained:\n  " + "\n  ".join(unused) + "\nIf the forward pass does not "
                "use them, pass allow_unused=True (--allow-unused)."
            )

        def dictionaries(pairs):
            return ir.ArrayAttr.get([dictionary(key, name) for key, name in pairs])

        def dictionary(key, name):
            attributes = {key: ir.StringAttr.get(name)}
            if key == "te.param" and name in frozen:
                attributes["te.frozen"] = ir.UnitAttr.get()
            return ir.DictAttr.get(attributes)

        main.attributes["arg_attrs"] = dictionaries(
            [("te.param", name) for name in names]
            + [("te.input", name) for name in input_names]
        )
        main.attributes["res_attrs"] = dictionaries(
            [("te.output", name) for name in output_names]
        )
        text = module.operation.get_asm(
            print_generic_op_form=True, enable_debug_info=debug_info
        )
    return _shorten_paths(text)


_FILE = re.compile(r'loc\("([^"]*[/\\][^"]*)":(\d)')


def _shorten_paths(text):
    """Removes the exporting machine's folders from source positions."""

    def shorten(match):
        return f'loc("{shorten_path(match.group(1))}":{match.group(2)}'

    return _FILE.sub(shorten, text)


# Names of element types in safetensors files.
DTYPES = {"float32": "F32", "bfloat16": "BF16", "int32": "I32", "int64": "I64"}


def save_safetensors(tensors, path):
    """Writes arrays by name as a safetensors file."""
    header, arrays, offset = {}, [], 0
    for name, value in tensors.items():
        if isinstance(value, jax.ShapeDtypeStruct):
            raise ExportError(f"parameter {name} has no values: use weights='absent'")
        array = numpy.ascontiguousarray(numpy.asarray(value))
        size = array.nbytes
        header[name] = {
            "dtype": DTYPES[str(array.dtype)],
            "shape": list(value.shape),
            "data_offsets": [offset, offset + size],
        }
        arrays.append(array)
        offset += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little"))
        file.write(text)
        for array in arrays:
            file.write(array.tobytes())
