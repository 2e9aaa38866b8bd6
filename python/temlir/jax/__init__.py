# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of JAX in FP8, compiled ahead of time (docs/jax-program.md)."""

from ..errors import CompileError, TemlirError
from .function import CompiledFunction, compile
from .states import calibrate
from .training import TrainStep, train_step

__all__ = ["CompileError", "CompiledFunction", "TemlirError", "TrainStep"]
__all__ += ["calibrate", "compile", "train_step"]
