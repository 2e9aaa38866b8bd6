# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes losses/own_jax.*: a plain function of JAX that returns its loss, exported as
users export it, with its parameters, and JAX's loss and gradients in float64, rounded to
float32. Norms, gates, rotations and the loss are written out as plain models write
them. Needs jax.

usage: make_jax_loss.py"""

import os
import sys

import jax
import jax.numpy as jnp
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../python"))
from temlir_export import export_stablehlo  # noqa: E402
from temlir_export.stablehlo import save_safetensors  # noqa: E402

VOCABULARY, HIDDEN, HEADS, FFN, BATCH, SEQUENCE = 32, 16, 2, 24, 2, 8
SIZE = HIDDEN // HEADS


def norm(x, gamma, beta):
    mean = jnp.mean(x, -1, keepdims=True)
    variance = jnp.mean(x * x, -1, keepdims=True) - mean**2
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * gamma + beta


def rope(x, positions):
    frequencies = 100.0 ** (-jnp.arange(0, SIZE, 2) / SIZE)
    angles = (positions[..., None] * frequencies)[..., None, :]
    cos, sin, a, b = jnp.cos(angles), jnp.sin(angles), x[..., ::2], x[..., 1::2]
    return jnp.stack([a * cos - b * sin, b * cos + a * sin], -1).reshape(x.shape)


def loss(p, ids, positions, labels):
    x = p["tokens"][ids]
    heads = (norm(x, p["gamma"], p["beta"]) @ p["qkv"]).reshape(
        BATCH, SEQUENCE, 3, HEADS, SIZE)
    q, k, v = (heads[:, :, i] for i in range(3))
    q, k = rope(q, positions), rope(k, positions)
    y = jax.nn.dot_product_attention(q, k, v, is_causal=True)
    x = x + y.reshape(BATCH, SEQUENCE, HIDDEN) @ p["out"]
    h = x @ p["up"]
    x = x + (h / (1 + jnp.exp(-h))) @ p["down"]
    logs = jax.nn.log_softmax(x @ p["head"])
    counts = labels != -100
    chosen = jnp.take_along_axis(
        logs, jnp.where(counts, labels, 0)[..., None], -1)[..., 0]
    return -jnp.sum(jnp.where(counts, chosen, 0.0)) / jnp.maximum(jnp.sum(counts), 1)


if __name__ == "__main__":
    random = np.random.default_rng(3)
    shapes = {"tokens": (VOCABULARY, HIDDEN), "gamma": (HIDDEN,), "beta": (HIDDEN,),
              "qkv": (HIDDEN, 3 * HIDDEN), "out": (HIDDEN, HIDDEN),
              "up": (HIDDEN, FFN), "down": (FFN, HIDDEN), "head": (HIDDEN, VOCABULARY)}
    params = {name: jnp.asarray(random.normal(0, 0.3, shape), jnp.float32)
              for name, shape in shapes.items()}
    labels = random.integers(0, VOCABULARY, (BATCH, SEQUENCE))
    labels[1, 3:6] = -100
    inputs = [jnp.asarray(x, jnp.int32) for x in (
        random.integers(0, VOCABULARY, (BATCH, SEQUENCE)),
        np.stack([np.arange(SEQUENCE), np.arange(SEQUENCE) + 3]), labels)]
    names = ["ids", "positions", "labels"]
    folder = os.path.join(HERE, "losses")
    export_stablehlo(loss, tuple(inputs), os.path.join(folder, "own_jax.mlir"),
                     params=params, input_names=names, output_names=["loss"],
                     debug_info=False)
    jax.config.update("jax_enable_x64", True)
    value, gradients = jax.value_and_grad(loss)(
        {name: x.astype(jnp.float64) for name, x in params.items()}, *inputs)
    reference = {"loss": np.float32(value)}
    reference.update({f"input.{name}": np.asarray(x) for name, x in zip(names, inputs)})
    reference.update({f"grad.{name}": np.asarray(x, np.float32)
                      for name, x in gradients.items()})
    save_safetensors(reference, os.path.join(folder, "own_jax_reference.safetensors"))
