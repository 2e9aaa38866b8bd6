# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Removes the exporting machine's folders from source positions."""

import os


def shorten_path(file):
    """`file` relative to its package or to the current folder, or its name."""
    here = os.getcwd() + os.sep
    packages = file.rfind("site-packages" + os.sep)
    if packages >= 0:
        return file[packages:]
    if file.startswith(here):
        return file[len(here) :]
    return os.path.basename(file) if os.path.isabs(file) else file
