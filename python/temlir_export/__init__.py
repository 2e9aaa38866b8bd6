# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports PyTorch models to ONNX and JAX models to StableHLO, for training with
TE-MLIR."""

import importlib

from .errors import ExportError

# Exporting with one framework does not require the other.
_HOMES = {
    "check_onnx": "check",
    "export_hugging_face": "hugging_face",
    "export_onnx": "export",
    "export_stablehlo": "stablehlo",
    "frozen_names": "check",
    "restore_parameters": "restore",
    "tied_names": "check",
}

__all__ = ["ExportError", *_HOMES]


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    return getattr(importlib.import_module("." + _HOMES[name], __name__), name)
