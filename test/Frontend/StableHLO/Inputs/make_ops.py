# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes ops.mlir, a function of many operations as JAX writes them, and
ops.safetensors, its inputs and JAX's results; complex.mlir and complex.safetensors
are the same of complex numbers. Needs jax."""

import os
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../../python"))
from temlir_export import export_stablehlo  # noqa: E402
from temlir_export.stablehlo import save_safetensors  # noqa: E402


def f(params, x, y, ids, picks):
    """params.w and x: [3, 4, 6], y: [4, 6], ids: [2, 5] below 4, picks: [3, 4, 2] below 6"""
    x = x + params["w"]
    outputs = {}

    def give(name, value):
        outputs[name] = value.astype(jnp.float32)

    # Lookups, in every place of a tensor.
    give("rows", jnp.take(y, ids, axis=0))
    give("columns", jnp.take(x, ids, axis=1))
    give("rows_clipped", jnp.take(y, ids + 2, axis=0, mode="clip"))
    give("rows_filled", jnp.take(y, ids + 2, axis=0, mode="fill", fill_value=0.5))
    give("along", jnp.take_along_axis(x, picks, axis=2))
    give("points", x[ids % 3, :, ids])
    give("windows", jax.vmap(lambda i: lax.dynamic_slice(y, (i, jnp.int32(1)), (2, 3)))(ids[0] % 3))
    give("integers",
         jnp.array([5, 7, 1, 2])[ids])
    give("fixed", y[jnp.array([2, 0, 3])])
    give("strided", x[:, 3:0:-2, ::2])
    # Updates.
    give("set_column", x.at[:, 0].set(y[0]))
    give("set_rows", y.at[jnp.array([2, 0])].set(1.5))
    give("add_rows", y.at[jnp.array([3, 1])].add(x[0, :2]))
    give("add_dynamic", jnp.zeros((4, 6)).at[ids[0]].add(jnp.ones((5, 6)) * y[0]))
    give("updated", lax.dynamic_update_slice(x, y[None, :2, :3] * 2, (1, 2, 3)))
    # Order.
    give("argmax", jnp.argmax(x, 1))
    give("argmin", jnp.argmin(x, -1))
    values, places = lax.top_k(x, 3)
    give("top_values", values)
    give("top_places", places)
    give("cumsum", jnp.cumsum(x, 1))
    give("cumsum_back", lax.cumsum(x, 2, reverse=True))
    # Reductions and truth.
    give("any", jnp.any(x > 1, axis=(0, 2)))
    give("all", jnp.all(x > -1, axis=1))
    give("counts", jnp.sum(x > 0, axis=2))
    give("max", jnp.max(x, (0, 1)))
    give("mean", jnp.mean(x, (0, 2)))
    give("deviation", jnp.std(x, 1))
    # Element by element.
    give("clipped", jnp.clip(x, -0.5, 0.75))
    give("sign", jnp.sign(x) + jnp.floor(x) - jnp.ceil(y) + jnp.round(x))
    give("powers", jnp.abs(x) ** 1.5 + x**3 + lax.rsqrt(jnp.abs(x) + 1))
    give("logs", jnp.log1p(jnp.abs(x)) + jnp.expm1(x) + jax.nn.softplus(x))
    give("waves", jnp.sin(x) * jnp.cos(y) + jnp.tan(y / 4) + lax.erf(x) + jnp.cosh(x / 2))
    give("gates", jax.nn.silu(x) + jax.nn.gelu(x) + jax.nn.gelu(x, approximate=False)
         + jax.nn.sigmoid(x) + jax.nn.relu(x) + jax.nn.leaky_relu(x) + jax.nn.elu(x))
    give("softmaxes", jax.nn.softmax(x, 1) + jax.nn.log_softmax(x, 0))
    give("where", jnp.where((picks[:, :, :1] > 2) & (x < 0) | ~(y > 0), x, y))
    # Integers.
    give("numbers", (ids * 3 - 1) // 2 % 5 + jnp.minimum(ids, 2) + jnp.abs(-ids))
    # Shapes.
    give("joined", jnp.concatenate([x, x[:, :1] * 2, jnp.ones((3, 2, 6))], 1))
    give("padded", jnp.pad(x, ((0, 0), (1, 2), (0, 1)), constant_values=2.0))
    give("cut", lax.pad(x, 1.0, ((0, 0, 0), (-1, 1, 0), (2, -3, 0))))
    give("spread", lax.pad(x, 2.0, ((0, 0, 0), (1, 0, 1), (-1, 2, 2))))
    give("turned", jnp.flip(jnp.swapaxes(x, 0, 2), 1).reshape(4, 18))
    give("tiled", jnp.tile(y, (2, 3)) + jnp.repeat(jnp.arange(8), 18).reshape(8, 18))
    # Products with dimensions in any order.
    give("einsum", jnp.einsum("abc,bc->a", x, y))
    give("batched", jnp.einsum("abc,dbc->bda", x, x[:2]))
    give("outer", jnp.einsum("abc,de->eabdc", x[:, :1, :2], y[:2, :3]))
    give("narrow", jnp.dot(x.astype(jnp.bfloat16), jnp.full((6, 2), 0.5, jnp.bfloat16),
                           preferred_element_type=jnp.float32) * 0)
    # Control flow that is known.
    give("loop", lax.fori_loop(0, 3, lambda i, h: jnp.tanh(h) + x[i], y))
    give("scan", lax.scan(lambda h, row: (h + row.sum(), h * row), 0.0, x)[1])
    give("branch", lax.cond(np.bool_(True), jnp.sin, jnp.cos, y)
         + lax.switch(np.int32(1), [jnp.sin, jnp.cos, jnp.tanh], y))
    give("barrier", lax.optimization_barrier(jnp.exp(y)))
    return outputs


@jax.jit
def turn(z, angles):
    """A function with complex arguments and results, and a real one between them."""
    return z * angles, jnp.sum(z.real), z - angles


def numbers(params, x, y, ids):
    """params.w and x: [3, 4, 6], y: [4, 6], ids: [2, 5] below 4"""
    outputs = {}

    def give(name, value):
        outputs[f"{name}_re"] = jnp.real(value)
        outputs[f"{name}_im"] = jnp.imag(value)

    z = lax.complex(x, params["w"])
    u = jnp.exp(1j * y)
    give("sums", z + u - 2j * x + (1 - 3j))
    give("products", z * u * (0.5 + 0.25j))
    give("negative", -z * jnp.conj(u))
    give("quotients", z / (x * x + 1) / 3)
    give("exponentials", jnp.exp(z) + jnp.exp((1 + 0j) * y))
    give("einsum", jnp.einsum("abc,dbc->da", z, z * 1j))
    give("matrix", z[0] @ u.T + z[0] @ y.T)
    give("total", jnp.sum(z, (0, 2)))
    give("rows", jnp.take(u, ids, axis=0))
    give("shapes", jnp.flip(jnp.swapaxes(z, 0, 2), 1).reshape(4, 18)[1:, ::2])
    give("joined", jnp.concatenate([z, u[None] + 0 * z[:1], jnp.pad(z[:1, 1:], ((0, 0), (0, 1), (0, 0)))]))
    give("chosen", jnp.where(x > 0, z, u))
    give("constants", z * np.exp(1j * np.arange(24.0).reshape(4, 6)).astype(np.complex64))
    turned, total, difference = turn(z, jnp.broadcast_to(u, z.shape))
    give("called", turned + total * difference)
    give("loop", lax.fori_loop(0, 3, lambda i, h: h * u + z[i], u))
    give("scan", lax.scan(lambda h, row: (h + row.sum(), h * row), 0j, z)[1])
    give("branch", lax.cond(np.bool_(True), lambda z: z * z, lambda z: -z, u))
    give("barrier", lax.optimization_barrier((u, y))[0])
    return outputs


generator = np.random.default_rng(11)
inputs = {
    "x": np.float32(generator.normal(size=(3, 4, 6))),
    "y": np.float32(generator.normal(size=(4, 6))),
    "ids": np.int32(generator.integers(0, 4, (2, 5))),
    "picks": np.int32(generator.integers(0, 6, (3, 4, 2))),
}
w = np.float32(generator.normal(size=(3, 4, 6)))


def make(name, f, names):
    chosen = {key: inputs[key] for key in names}
    jax.config.update("jax_enable_x64", False)
    path = os.path.join(HERE, name)
    export_stablehlo(f, chosen, f"{path}.mlir", params={"w": w}, debug_info=False)
    os.replace(f"{path}.safetensors", os.path.join(HERE, "ops.weights.safetensors"))
    jax.config.update("jax_enable_x64", True)
    wide = [jnp.asarray(v, np.float64 if v.dtype == np.float32 else v.dtype)
            for v in chosen.values()]
    results = f({"w": w.astype(np.float64)}, *wide)
    save_safetensors({**{f"input.{k}": v for k, v in chosen.items()},
                      **{k: np.float32(v) for k, v in results.items()}}, f"{path}.safetensors")


make("ops", f, list(inputs))
make("complex", numbers, ["x", "y", "ids"])
