# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks of temlir.jax on a GPU. benchmarks/jax_modules.py has times.

Needs a Hopper GPU, JAX with CUDA, and te-compile on PATH or the wheel."""

import os
import sys

os.environ["JAX_PLATFORMS"] = "cuda"
os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from temlir_jax_models import block, errors, gradients, jax, jnp, normal, parameters
from test_jax_step import adamw, make, run

import temlir.jax

WIDTH = 256
# By default layers of this size would be bf16, which takes less time.
ALL = {"fp8-layers": "all"}
# precision: (dtype of parameters and input, bar); f32 products may use TF32
CASES = {
    "f32": (jnp.float32, 2e-3),
    "bf16": (jnp.bfloat16, 0.04),
    "fp8": (jnp.bfloat16, 0.3),
}


def cast(tree, dtype):
    return jax.tree.map(lambda a: a.astype(dtype), tree)


def batch(seed=1):
    return normal(seed, 2, 128, WIDTH)


def compiled_block(precision):
    options = ALL if precision == "fp8" else {}
    return temlir.jax.compile(block, precision=precision, options=options)


def exactly(function, *args):
    with jax.default_matmul_precision("highest"):
        return gradients(function, *args)


def assert_close(found, expected, bar, what):
    worst = max(found := errors(found, expected), key=found.get)
    assert found[worst] < bar, f"{what}: {worst} {found[worst]:.2g}, bar {bar}"
    return f"worst {worst} {found[worst]:.2g}"


def check(precision):
    """Gradients beside those of float32; the same bits under jit."""
    dtype, bar = CASES[precision]
    args = parameters(width=WIDTH), batch()
    compiled = compiled_block(precision)
    found = gradients(compiled, *cast(args, dtype))
    worst = assert_close(found, exactly(block, *args), bar, precision)
    jitted = jax.jit(lambda *args: gradients(compiled, *args))
    for _ in range(2):
        again = jitted(*cast(args, dtype))
        for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(again)):
            assert jnp.array_equal(a, b), f"{precision}: other bits under jit"
    print(f"{precision}: {worst}; the same bits under jit", flush=True)


def check_scan():
    """Stacked layers in a scan, and with jax.checkpoint."""
    layers = [parameters(seed, WIDTH) for seed in range(3)]
    stacked = jax.tree.map(lambda *a: jnp.stack(a), *layers)

    def model(layer, stacked, x):
        return jax.lax.scan(lambda x, p: (layer(p, x), None), x, stacked)[0]

    args = stacked, batch()
    expected = exactly(lambda *a: model(block, *a), *args)
    compiled = compiled_block("f32")
    for name, layer in ("scan", compiled), ("remat", jax.checkpoint(compiled)):
        found = gradients(jax.jit(lambda *a, f=layer: model(f, *a)), *args)
        print(f"{name}: {assert_close(found, expected, 2e-3, name)}", flush=True)


def check_training():
    """Losses and gradient norms of whole steps beside AdamW written in JAX."""
    with jax.default_matmul_precision("highest"):
        expected, _ = adamw(parameters())
    for precision, bar, options in ("f32", 1e-3, {}), ("fp8", 3e-2, ALL):
        found, _ = run(*make(precision=precision, options=options))
        assert jnp.allclose(found, expected, rtol=bar), (precision, found, expected)
    print("train_step: losses and norms of f32 and FP8 agree", flush=True)


if __name__ == "__main__":
    print(jax.devices()[0].device_kind, "jax", jax.__version__)
    for precision in CASES:
        check(precision)
    check_scan()
    check_training()
