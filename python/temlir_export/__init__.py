# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports PyTorch models to ONNX for training with TE-MLIR."""

from .check import check_onnx, tied_names
from .errors import ExportError
from .export import export_onnx

__all__ = ["ExportError", "check_onnx", "export_onnx", "tied_names"]
