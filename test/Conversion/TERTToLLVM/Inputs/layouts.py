# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes layouts.safetensors and layouts_forward.safetensors: inputs, what NumPy
computes from them in float64, and gradients by central differences. Run it in
its folder; it needs numpy and safetensors."""
import numpy as np
from safetensors.numpy import save_file

random = np.random.default_rng(11)
shapes = {"x": (32, 64), "w": (64, 64), "v": (32, 32), "p": (64, 32),
          "q": (32, 64), "g": (64,), "b": (64,)}
inputs = {name: (random.standard_normal(shape) * (1 if len(shape) == 1 or
                 name == "x" else shape[-1] ** -0.5)).astype(np.float32)
          for name, shape in shapes.items()}


def forward(x, w, v, p, q, g, b):
    u = x @ w.T
    gate, value = u[:, 0::2], u[:, 1::2]
    back = x[::-1]
    centered = back - back.mean(-1, keepdims=True)
    normal = centered / np.sqrt(back.var(-1, keepdims=True) + 1e-5)
    t = x.T
    return {"swiglu": (gate / (1 + np.exp(-gate)) * value) @ v.T,
            "parts": np.tanh(x @ np.concatenate([p.T, q]).T),
            "reversed": normal * g + b,
            "transposed": t * 0.5 * (1 + np.tanh(
                np.sqrt(2 / np.pi) * (t + 0.044715 * t ** 3)))}


exact = {name: value.astype(np.float64) for name, value in inputs.items()}
outputs = forward(**exact)
cotangents = {name: random.standard_normal(value.shape).astype(np.float32)
              for name, value in outputs.items()}


def objective(values):
    return sum((cotangents[name].astype(np.float64) * value).sum()
               for name, value in forward(**values).items())


gradients = {}
for name, value in exact.items():
    gradient = np.zeros_like(value)
    for index in np.ndindex(value.shape):
        kept = value[index]
        value[index] = kept + 1e-6
        up = objective(exact)
        value[index] = kept - 1e-6
        gradient[index] = (up - objective(exact)) / 2e-6
        value[index] = kept
    gradients["grad." + name] = gradient


def save(path, *groups):
    save_file({name: np.ascontiguousarray(value, dtype=np.float32)
               for group in groups for name, value in group.items()}, path)


save("layouts.safetensors", inputs, outputs, gradients,
     {"cotangent." + name: value for name, value in cotangents.items()})

# Destinations: what is computed goes into every second column and row.
a = random.standard_normal((16, 32)).astype(np.float32)
wide = random.standard_normal((16, 64)).astype(np.float32)
tall = np.zeros((32, 32))
wide_result, relu = wide.astype(np.float64), np.maximum(a, 0)
wide_result[:, 1::2] = relu
tall[0::2] = relu
tall[1::2] = a.astype(np.float64) @ a.T @ a
corner = np.zeros((5, 9))
corner[4:0:-2, 8:0:-3] = a[:2, :3] + a[2:4, 3:6]
save("layouts_forward.safetensors",
     {"a": a, "wide": wide},
     {"columns": wide_result, "rows": tall, "corner": corner})
