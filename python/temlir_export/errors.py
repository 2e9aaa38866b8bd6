# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception


class ExportError(RuntimeError):
    """A model that cannot be exported, or a file unfit for training.

    The message says what is wrong and what to do.
    """
