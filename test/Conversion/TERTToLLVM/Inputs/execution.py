# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes execution.safetensors: inputs, and what NumPy computes from them in
float64. Run it in its folder; it needs numpy and safetensors."""
import numpy as np
from safetensors.numpy import save_file

random = np.random.default_rng(7)
x, w, p = (random.standard_normal(s).astype(np.float32)
           for s in [(8, 12), (12, 8), (2, 12)])
c = np.array([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
              [.5, .25, .125, 0, -.125, -.25, -.5, -1, -2, -4, -8, -16]])
y = x.astype(np.float64) + np.tile(p + c, (4, 1))
q, k, v = np.split(y, 3, axis=1)


def heads(t):
    return t.reshape(2, 4, 2, 2).transpose(0, 2, 1, 3)


scores = 0.5 * heads(q) @ heads(k).transpose(0, 1, 3, 2)
scores[:, :, ~np.tri(4, dtype=bool)] = -np.inf
weights = np.exp(scores - scores.max(-1, keepdims=True))
weights /= weights.sum(-1, keepdims=True)
attended = (weights @ heads(v)).transpose(0, 2, 1, 3).reshape(8, 4)

outputs = {"product": (y @ w).reshape(2, 4, 8),
           "swapped": np.concatenate([v, q, k], axis=1),
           "attended": attended, "transposed": y.T, "same": p}
save_file({"x": x, "w": w, "p": p,
           **{name: np.ascontiguousarray(value, dtype=np.float32)
              for name, value in outputs.items()}}, "execution.safetensors")
