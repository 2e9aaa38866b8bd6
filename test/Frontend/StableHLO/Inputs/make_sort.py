# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes sort.*: sorts of integers as JAX writes them, and JAX's results. Needs jax.

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
