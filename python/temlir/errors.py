# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors of this package; their messages say what to do."""


class TemlirError(RuntimeError):
    """A model that cannot be compiled, or a program that cannot be run."""


class CompileError(TemlirError):
    """What the compiler says about a model, all unsupported operations at once."""
