# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions and helpers of the tests of temlir.jax."""

import os
import shutil
import sys
import unittest

# Two devices, for tests of shard_map; before jax starts.
os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=2")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

try:
    import jax
    import jax.numpy as jnp
except ImportError as error:
    raise unittest.SkipTest("jax is not installed: pip install jax") from error

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))


def require_compiler():
    """Skips a file of tests where models cannot be compiled."""
    if not shutil.which("te-compile"):
        raise unittest.SkipTest("te-compile is not on PATH")


def normal(seed, *shape, scale=1.0, dtype=jnp.float32):
    return (scale * jax.random.normal(jax.random.key(seed), shape)).astype(dtype)


def parameters(seed=0, width=64):
    """Those of `block`."""
    shapes = {"qkv": (width, 3 * width), "out": (width, width)}
    shapes |= {"fc_1": (width, 4 * width), "fc_2": (4 * width, width)}
    tree = {}
    for i, (name, shape) in enumerate(shapes.items()):
        tree[name] = {
            "kernel": normal(100 * seed + i, *shape, scale=shape[0] ** -0.5),
            "bias": normal(100 * seed + 10 + i, shape[1], scale=0.1),
        }
    for i, name in enumerate(("norm_1", "norm_2")):
        tree[name] = 1 + normal(100 * seed + 20 + i, width, scale=0.1)
    return tree


def linear(p, x):
    return x @ p["kernel"] + p["bias"]


def attention(q, k, v):
    """Causal, of [batch, length, heads, size]."""
    length, size = q.shape[1], q.shape[-1]
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / size**0.5
    scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e9)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v)


def block(p, x, linear=linear, heads=4, attention=attention):
    """A pre-norm transformer layer with RMS norms and causal attention."""

    def norm(scale, x):
        return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * scale

    batch, length, width = x.shape
    qkv = linear(p["qkv"], norm(p["norm_1"], x))
    qkv = qkv.reshape(batch, length, 3, heads, width // heads)
    a = attention(*(qkv[:, :, i] for i in range(3)))
    x = x + linear(p["out"], a.reshape(batch, length, width))
    h = jax.nn.gelu(linear(p["fc_1"], norm(p["norm_2"], x)))
    return x + linear(p["fc_2"], h)


def _round(x, dtype):
    scale = float(jnp.finfo(dtype).max) / jnp.max(jnp.abs(x))
    return (x * scale).astype(dtype).astype(x.dtype) / scale


@jax.custom_vjp
def _fp8_product(x, weight):
    return _round(x, jnp.float8_e4m3fn) @ _round(weight, jnp.float8_e4m3fn)


def _fp8_forward(x, weight):
    x, weight = _round(x, jnp.float8_e4m3fn), _round(weight, jnp.float8_e4m3fn)
    return x @ weight, (x, weight)


def _fp8_backward(kept, dy):
    x, weight = kept
    dy = _round(dy, jnp.float8_e5m2)
    rows = dy.reshape(-1, dy.shape[-1])
    return dy @ weight.T, x.reshape(-1, x.shape[-1]).T @ rows


_fp8_product.defvjp(_fp8_forward, _fp8_backward)


def fp8_linear(p, x):
    """A linear layer whose operands are rounded to FP8 by the amax of each: what FP8
    training costs, by JAX's own FP8 types."""
    return _fp8_product(x, p["kernel"]) + p["bias"]


def gradients(function, *args):
    """[output, gradients of all arguments], for a cotangent without a pattern."""
    y, vjp = jax.vjp(function, *args)
    return [y, *vjp(normal(99, *y.shape, dtype=y.dtype))]


def errors(found, expected):
    """{name: relative error of norms}."""

    def error(a, b):
        a, b = a.astype(jnp.float32), b.astype(jnp.float32)
        return float(jnp.linalg.norm(a - b) / jnp.linalg.norm(b))

    paths = jax.tree_util.tree_flatten_with_path(expected)[0]
    names = [jax.tree_util.keystr(path) for path, _ in paths]
    pairs = zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True)
    return {name: error(a, b) for name, (a, b) in zip(names, pairs)}
