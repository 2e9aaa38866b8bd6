# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes sines.safetensors: arguments of every size, and their sine and cosine
as mpmath computes them to 300 bits. Run it in its folder; it needs mpmath, numpy
and safetensors."""
import mpmath
import numpy as np
from safetensors.numpy import save_file

mpmath.mp.prec = 300
random = np.random.default_rng(5)
largest = np.finfo(np.float32).max
# Where the reduction changes, multiples of pi/2 as near as a float comes, and
# both ends.
near = [float.fromhex(text) for text in
        ("0x1.47d0fep+34", "0x1.2d97c8p+2", "0x1.921fb6p+22")]
chosen = [0, 1e-30, 2**24 - 1, 2**24, 2**24 + 2, 1e8, 2.0**64, 2.0**87, 2.0**88,
          2.0**127, largest] + near
spread = np.exp2(random.uniform(-3, 127.99, 498))
x = np.concatenate([chosen, spread]).astype(np.float32)
x = np.concatenate([x, -x])
save_file({"x": x,
           "sin": np.array([float(mpmath.sin(float(v))) for v in x], np.float32),
           "cos": np.array([float(mpmath.cos(float(v))) for v in x], np.float32)},
          "sines.safetensors")
