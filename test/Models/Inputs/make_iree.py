# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes iree/NAME.mlir: the models of jax/NAME in linalg on tensors, as IREE's compiler
(iree-base-compiler on PyPI) writes them from StableHLO, with util.func renamed. Names of
parameters survive as te.param; values and JAX's numbers are those beside jax/NAME.

usage: make_iree.py [NAME ...]"""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = ["linen", "bert", "nnx", "equinox", "llama_scan"]


def make(name):
    source = os.path.join(HERE, "jax", name, "model.mlir")
    text = subprocess.run(["iree-compile", "--compile-to=input", source], check=True,
                          capture_output=True, text=True).stdout
    text = re.sub(r"\butil\.(func|return|call)\b", r"func.\1", text)
    with open(os.path.join(HERE, "iree", name + ".mlir"), "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    os.makedirs(os.path.join(HERE, "iree"), exist_ok=True)
    for name in sys.argv[1:] or MODELS:
        make(name)
