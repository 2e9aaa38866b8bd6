# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the inputs in corpus/stablehlo that the fuzzer starts from: small functions, a
kind of operation each. Needs jax."""

import os
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../python"))
from temlir_export import export_stablehlo  # noqa: E402

X = np.zeros((2, 3, 4), np.float32)
IDS = np.zeros((2, 3), np.int32)

FUNCTIONS = {
    "dense": lambda p, x: jax.nn.gelu(x @ p["w"] + p["w"][0]),
    "attention": lambda p, x: jax.nn.softmax(
        jnp.where(jnp.tril(jnp.ones((3, 3), bool)), jnp.einsum("bqd,bkd->bqk", x, x), -jnp.inf)
    ) @ x,
    "norm": lambda p, x: (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5),
    "gather": lambda p, ids: jnp.take(p["w"], ids, axis=0) + jnp.arange(3)[:, None],
    "scatter": lambda p, x: x.at[:, 1].set(p["w"][0]).at[0, jnp.array([0, 2])].add(1.5),
    "scan": lambda p, x: lax.scan(lambda h, row: (jnp.tanh(h @ p["w"] + row), h), x[0], x)[1],
    "loop": lambda p, x: lax.fori_loop(0, 2, lambda i, h: h * 2 + x[i], x[0]),
    "branch": lambda p, x: lax.switch(np.int32(1), [jnp.sin, jnp.cos, jnp.tanh], x),
    "order": lambda p, x: lax.top_k(x, 2)[0] + jnp.argmax(x, -1, keepdims=True) + jnp.cumsum(x, 1)[:, :, :2],
    "shapes": lambda p, x: lax.pad(jnp.flip(jnp.swapaxes(x, 0, 2), 1), 1.0, ((0, 1, 0), (1, 0, 1), (-1, 2, 0)))
    + jnp.tile(jnp.concatenate([x[0, :1, :1], x[0, :1, 1:2]], 0), (1, 1)).sum(),
    "slices": lambda p, x: lax.dynamic_update_slice(x, x[:1, :2, :2] * 2, (0, 1, 1))[:, ::2, 3:0:-2],
    "types": lambda p, x: jnp.dot(x.astype(jnp.bfloat16), p["w"].astype(jnp.bfloat16),
                                  preferred_element_type=jnp.float32) + (x > 0) + jnp.int32(7) // 2,
    "pool": lambda p, x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2), (1, 1, 2), "VALID"),
}

if __name__ == "__main__":
    folder = os.path.join(HERE, "corpus/stablehlo")
    for name, function in FUNCTIONS.items():
        inputs = {"ids": IDS} if name == "gather" else {"x": X}
        path = os.path.join(folder, name + ".mlir")
        export_stablehlo(function, inputs, path, params={"w": np.zeros((4, 4), np.float32)}, debug_info=False,
                         allow_unused=True)
        os.remove(os.path.join(folder, name + ".safetensors"))
