# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads trained parameters into the JAX models that they were exported from."""

import json
import os

import jax
import numpy

from .errors import ExportError
from .stablehlo import DTYPES, split_module, split_parameters


def restore_parameters(model, path):
    """Returns `model` with its parameters replaced by those of the safetensors
    file `path`, as written by `te-run export`.

    model           the exported model: the variables of a Flax linen module or
                    any other tree that was passed as `params`, or a Flax NNX or
                    Equinox module. It is not changed.

    Returns a tree or a module of the same structure; every parameter has the
    element type that it has in `model`. Raises ExportError if the file cannot be
    read, lacks a parameter or has others, or has one of another shape.
    """
    merge = lambda tree: tree  # noqa: E731
    tree = model
    if parts := split_module(model):
        tree, merge = parts
    names, leaves, rebuild = split_parameters(tree)
    tensors = load_safetensors(path)
    problems = [f"{name} is missing" for name in names if name not in tensors]
    problems += [f"{name} is not one of the model" for name in tensors if name not in names]
    for name, leaf in zip(names, leaves):
        if name in tensors and tensors[name].shape != tuple(leaf.shape):
            problems.append(
                f"{name} is {list(tensors[name].shape)} in the file and "
                f"{list(leaf.shape)} in the model"
            )
    if problems:
        raise ExportError(
            f"{path} does not have the parameters of the model:\n  "
            + "\n  ".join(problems)
            + "\nOf a checkpoint, te-run export writes the parameters alone."
        )
    return merge(
        rebuild(
            [
                jax.numpy.asarray(tensors[name], dtype=leaf.dtype)
                for name, leaf in zip(names, leaves)
            ]
        )
    )


def load_safetensors(path):
    """Arrays by name."""
    try:
        with open(path, "rb") as file:
            size = int.from_bytes(file.read(8), "little")
            if size > os.path.getsize(path):
                raise ValueError("its header is longer than the file")
            header = json.loads(file.read(size))
            data = file.read()
        header.pop("__metadata__", None)
        types = {name: numpy.dtype(dtype) for dtype, name in DTYPES.items()}
        return {
            name: numpy.frombuffer(
                data[slice(*entry["data_offsets"])], types[entry["dtype"]]
            ).reshape(entry["shape"])
            for name, entry in header.items()
        }
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise ExportError(f"{path} cannot be read as a safetensors file: {error}") from error
