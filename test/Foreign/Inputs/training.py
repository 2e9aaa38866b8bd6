# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes training.safetensors: parameters and a batch, and what NumPy computes
from them in float64, gradients by central differences. Run it in its folder; it
needs numpy and safetensors."""
import numpy as np
from safetensors.numpy import save_file

random = np.random.default_rng(5)
ids = random.integers(0, 32, (4, 8))
labels = random.integers(0, 32, (4, 8))
shapes = {"table": (32, 32), "w1": (64, 32), "w2": (32, 64), "head": (32, 32)}
params = {name: (0.5 * random.standard_normal(shape)).astype(np.float32)
          for name, shape in shapes.items()}
exact = {name: value.astype(np.float64) for name, value in params.items()}


def forward():
    x = exact["table"][ids.reshape(-1)]
    h = 0.5 * x @ exact["w1"].T
    y = 0.75 * (h / (1 + np.abs(h))) @ exact["w2"].T
    return (x + y) @ exact["head"].T


def loss():
    logits = forward()
    lse = np.log(np.exp(logits).sum(-1))
    return np.mean(lse - logits[np.arange(32), labels.reshape(-1)])


results = {"logits": forward().reshape(4, 8, 32), "loss": np.array(loss())}
for name, value in exact.items():
    gradient = np.zeros_like(value)
    for index in np.ndindex(value.shape):
        kept = value[index]
        value[index] = kept + 1e-6
        up = loss()
        value[index] = kept - 1e-6
        gradient[index] = (up - loss()) / 2e-6
        value[index] = kept
    results["grad." + name] = gradient
save_file({"input_ids": ids, "labels": labels, **params,
           **{name: np.asarray(value, dtype=np.float32, order="C")
              for name, value in results.items()}}, "training.safetensors")
