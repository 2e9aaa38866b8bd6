# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command-line tools of a wheel."""

import os
import sys


def _run(name):
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin")
    os.execv(os.path.join(folder, name), [name, *sys.argv[1:]])


def te_compile():
    _run("te-compile")


def te_opt():
    _run("te-opt")


def te_run():
    _run("te-run")
