# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forward and backward pass of a transformer layer in JAX on one GPU: XLA in bf16,
with its own attention and with cuDNN's, and temlir.jax.

usage: jax_modules.py [BATCH LENGTH WIDTH HEADS]   default 4 2048 4096 32

Needs JAX with CUDA on a Hopper GPU, and te-compile on PATH or the wheel."""

import functools
import os
import statistics
import sys
from time import perf_counter

os.environ["JAX_PLATFORMS"] = "cuda"
os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../python/tests"))
from temlir_jax_models import block, jax, jnp, normal, parameters

import temlir.jax

CALLS = 10


def measure(name, function, p, x, dy, repeats=10):
    """Prints the median time of a call, of runs of CALLS calls, and the peak of memory
    since the process began."""

    @jax.jit
    def step(p, x, dy):
        y, vjp = jax.vjp(function, p, x)
        return vjp(dy)

    for _ in range(3):
        jax.block_until_ready(step(p, x, dy))
    times = []
    for _ in range(repeats):
        start = perf_counter()
        for _ in range(CALLS):
            result = step(p, x, dy)
        jax.block_until_ready(result)
        times.append((perf_counter() - start) * 1e3 / CALLS)
    peak = jax.devices()[0].memory_stats()["peak_bytes_in_use"] / 2**30
    print(f"  {name:<28} {statistics.median(times):8.3f} ms  peak {peak:.2f} GiB", flush=True)


def main():
    batch, length, width, heads = map(int, sys.argv[1:] or (4, 2048, 4096, 32))
    p = jax.tree.map(lambda a: a.astype(jnp.bfloat16), parameters(width=width))
    x, dy = (normal(seed, batch, length, width, dtype=jnp.bfloat16) for seed in (1, 2))
    layer = functools.partial(block, heads=heads)
    cudnn = functools.partial(
        jax.nn.dot_product_attention, is_causal=True, implementation="cudnn"
    )
    print(jax.devices()[0].device_kind, "jax", jax.__version__)
    for recipe in "delayed_scaling", "current_scaling":
        compiled = temlir.jax.compile(layer, (p, x), recipe=recipe)
        state = compiled.fp8_state(p, x)
        run = functools.partial(compiled, fp8_state=state) if state else compiled
        measure(f"temlir, fp8, {recipe}", run, p, x, dy)
    measure("temlir, bf16", temlir.jax.compile(layer, precision="bf16"), p, x, dy)
    measure("XLA, bf16, cuDNN's attention", functools.partial(layer, attention=cudnn), p, x, dy)
    measure("XLA, bf16", layer, p, x, dy)


if __name__ == "__main__":
    main()
