# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules of PyTorch in FP8, compiled ahead of time (docs/pytorch.md)."""

from .errors import CompileError, TemlirError
from .module import CompiledModule, compile

__all__ = ["CompileError", "CompiledModule", "TemlirError", "compile"]
