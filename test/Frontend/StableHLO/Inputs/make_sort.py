# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes sort.*: sorts of integers as JAX writes them, what is reversed for them, and
elements that are written several times, of which the last one stays; and JAX's results.
Needs jax.

usage: make_sort.py"""

import os
import sys

import jax
import jax.numpy as jnp
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../../python"))
from temlir_export import export_stablehlo  # noqa: E402
from temlir_export.stablehlo import save_safetensors  # noqa: E402


def model(params, keys, values, truths):
    by_rows = jnp.sort(keys, axis=1)
    by_columns = jnp.argsort(keys, axis=0)
    downwards = jnp.argsort(-keys, axis=1)
    sorted_keys, moved, chosen = jax.lax.sort((keys, values, truths > 0), dimension=1, num_keys=1)
    total = by_rows + 10 * by_columns + 100 * downwards + 1000 * sorted_keys
    total = total + 10000 * jnp.argsort(keys, axis=1, descending=True)
    chosen = chosen ^ jnp.flip(truths > 0, (0, 1))
    # Positions from the end, twice, and outside.
    rows = jnp.arange(4)[:, None]
    total = total.at[rows, keys].set(-truths)
    total = total.at[jnp.array([1, 2, 1])].set(keys[:3])
    moved = moved.at[keys[0], 3 * keys[1]].set(values[0])
    chosen = chosen.at[:, keys[2]].set(truths > 0)
    return params["w"] * (total.astype(jnp.float32) + moved + jnp.where(chosen, 0.5, 0.25))


generator = np.random.default_rng(3)
inputs = {"keys": np.int32(generator.integers(-3, 4, (4, 7))),
          "values": np.float32(generator.normal(0, 1, (4, 7))),
          "truths": np.int32(generator.integers(0, 2, (4, 7)))}
params = {"w": jnp.asarray(generator.normal(0, 1, (4, 7)), jnp.float32)}
path = os.path.join(HERE, "sort.mlir")
export_stablehlo(model, {name: jnp.asarray(x) for name, x in inputs.items()}, path,
                 params=params, debug_info=False)
os.replace(os.path.join(HERE, "sort.safetensors"), os.path.join(HERE, "sort.weights.safetensors"))
reference = {f"input.{name}": x for name, x in inputs.items()}
reference["logits"] = np.asarray(model(params, *inputs.values()))
save_safetensors(reference, os.path.join(HERE, "sort.safetensors"))
