# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes kernels.safetensors: inputs, and what NumPy computes from them in
float64. Run it in its folder; it needs numpy, torch and safetensors."""
import math

import numpy as np
import torch
from safetensors.torch import save_file

random = np.random.default_rng(11)


def draw(*shape):
    return random.standard_normal(shape).astype(np.float32)


x = 1.5 * draw(40, 33)
p = np.exp(0.5 * draw(40, 33))
b, k, t, v = draw(33), draw(40), draw(33, 40), 3 * draw(20000)
X, P = x.astype(np.float64), p.astype(np.float64)
mixed = (X + b) * k[:, None] - t.T
narrow = torch.from_numpy(x).bfloat16().double().numpy()
outputs = {
    "absf": np.abs(X), "ceil": np.ceil(X), "cos": np.cos(X),
    "cosh": np.cosh(X), "erf": np.vectorize(math.erf)(X), "exp": np.exp(X),
    "exp2": np.exp2(X), "expm1": np.expm1(X), "floor": np.floor(X),
    "log": np.log(P), "log1p": np.log1p(P), "log2": np.log2(P),
    "roundeven": np.round(X), "rsqrt": P ** -0.5, "sin": np.sin(X),
    "sinh": np.sinh(X), "sqrt": np.sqrt(P), "tanh": np.tanh(X),
    "cube": X ** 3, "power": P ** X,
    "counters": np.arange(33) - np.arange(40)[:, None],
    "joined": np.concatenate([X / 2, mixed], axis=1),
    "rows": (X * X).sum(axis=1), "largest": X.max(axis=0), "all": 1 + P.sum(),
    # One rounding, where the product is stored.
    "bf16": narrow ** 3,
    "chosen": np.where(x.T > 0, t, 0), "long": np.sin(v.astype(np.float64)),
}
DTYPES = {"counters": torch.int64, "bf16": torch.bfloat16}
inputs = {"x": x, "p": p, "b": b, "k": k, "t": t, "v": v}
save_file({name: torch.from_numpy(np.array(value, order="C"))
           .to(DTYPES.get(name, torch.float32))
           for name, value in (inputs | outputs).items()},
          "kernels.safetensors")
