# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules of PyTorch in FP8, compiled ahead of time (docs/pytorch.md); functions of
JAX with temlir.jax (docs/jax-program.md)."""

import importlib

from .errors import CompileError, TemlirError

# The tools and the compiler do not require torch.
_HOMES = {"CompiledModule": "module", "compile": "module", "convert": "module"}
_HOMES |= {"TrainStep": "training", "train_step": "training"}

__all__ = ["CompileError", "TemlirError", *_HOMES]


def __getattr__(name):
    if name == "jax":
        return importlib.import_module(".jax", __name__)
    if name not in _HOMES:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    return getattr(importlib.import_module("." + _HOMES[name], __name__), name)
