# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole steps of training, temlir.jax.train_step."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from temlir_jax_models import (
    block,
    errors,
    jax,
    jnp,
    normal,
    parameters,
    require_compiler,
)

import temlir.jax

require_compiler()
SETTINGS = {"learning_rate": 1e-3, "weight_decay": 0.0, "max_grad_norm": 0.3}
RATES = [1e-3, 2e-3, 0.0, 1e-3]


def batches():
    for i in range(len(RATES)):
        x = normal(i, 2, 32, 64)
        yield x, jnp.roll(x, 1, 1)


@jax.jit
def adamw_step(p, m, v, t, x, y, rate):
    """AdamW as its paper has it, without decay, clipped to a norm of 0.3."""
    loss, g = jax.value_and_grad(lambda p: jnp.mean((block(p, x) - y) ** 2))(p)
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(g)))
    g = jax.tree.map(lambda g: g * jnp.minimum(1, 0.3 / norm), g)
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, g)
    p = jax.tree.map(
        lambda p, m, v: p
        - rate * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8),
        p,
        m,
        v,
    )
    return p, m, v, loss, norm


def adamw(p):
    """[[loss, norm]] of steps with the batches, and the parameters behind them."""
    m = v = jax.tree.map(jnp.zeros_like, p)
    found = []
    for t, ((x, y), rate) in enumerate(zip(batches(), RATES), 1):
        p, m, v, loss, norm = adamw_step(p, m, v, t, x, y, rate)
        found.append([float(loss), float(norm)])
    return jnp.array(found), p


def run(step, state):
    step = jax.jit(step, donate_argnums=0)
    found = []
    for (x, y), rate in zip(batches(), RATES):
        state, metrics = step(state, x, targets=y, learning_rate=rate)
        found.append([float(metrics["loss"]), float(metrics["grad_norm"])])
    return jnp.array(found), state["params"]


def make(**options):
    step = temlir.jax.train_step(block, loss="mse", settings=SETTINGS, **options)
    x, y = next(batches())
    return step, step.init(parameters(), x, targets=y)


class Training(unittest.TestCase):
    def test_losses_and_parameters(self):
        expected, params = adamw(parameters())
        for precision, bar, tolerance in (("f32", 1e-5, 1e-3), ("fp8", 2e-2, 3e-2)):
            found, trained = run(*make(precision=precision))
            self.assertTrue(jnp.allclose(found, expected, rtol=bar), (found, expected))
            for name, error in errors(trained, params).items():
                self.assertLess(error, tolerance, name)

    def test_initial_state(self):
        """Its scales are those of the batch, and nothing is learnt yet."""
        step, state = make()
        for a, b in zip(jax.tree.leaves(state["params"]), jax.tree.leaves(parameters())):
            self.assertTrue(jnp.array_equal(a, b))
        self.assertFalse(jnp.any(state["states"]["step"]))
        moments = [n for n in state["states"] if n.startswith("adamw.")]
        self.assertEqual(len(moments), 2 * len(jax.tree.leaves(parameters())))
        for name in moments:
            self.assertFalse(jnp.any(state["states"][name]), name)
        # Those of the first step are within a factor of 2, as calibration has it.
        x, y = next(batches())
        before = state["states"]["fp8.scales"]
        after = step(state, x, targets=y)[0]["states"]["fp8.scales"]
        self.assertTrue(jnp.all((before <= 2 * after) & (after <= 2 * before)))
        self.assertGreater(before.size, 0)
        self.assertTrue(jnp.all(before != 1))

    def test_labels(self):
        """Classes, and int32 labels that the program reads as 64 bits."""

        def classify(p, x):
            return x @ p["w"]

        p, x = {"w": normal(0, 16, 8)}, normal(1, 6, 16)
        labels = jnp.array([0, 7, 3, -100, 1, 2], jnp.int32)
        step = temlir.jax.train_step(classify, loss="classification", precision="f32")
        state = step.init(p, x, targets=labels)
        loss = step(state, x, targets=labels)[1]["loss"]
        logs = jax.nn.log_softmax(x @ p["w"])
        rows = jnp.array([0, 1, 2, 4, 5])
        expected = -jnp.mean(logs[rows, labels[rows]])
        self.assertAlmostEqual(float(loss), float(expected), places=5)

    def test_loss_of_the_function(self):
        def loss(p, x):
            return jnp.mean((x @ p["w"]) ** 2)

        p, x = {"w": normal(0, 16, 8)}, normal(1, 6, 16)
        step = temlir.jax.train_step(
            loss,
            loss="output",
            optimizer="sgd",
            precision="f32",
            settings={"learning_rate": 0.5, "max_grad_norm": 0.0},
        )
        state, metrics = step(step.init(p, x), x)
        self.assertAlmostEqual(float(metrics["loss"]), float(loss(p, x)), places=5)
        expected = p["w"] - 0.5 * jax.grad(loss)(p, x)["w"]
        self.assertTrue(jnp.allclose(state["params"]["w"], expected, atol=1e-5))

    def test_errors(self):
        x, y = next(batches())
        step, state = make(precision="f32")
        for call, pattern in (
            (lambda: step(state, x), "needs targets="),
            (lambda: step(state, x, targets=y[:1]), r"are \[1, 32, 64\], and .* \[2, 32"),
            (
                lambda: step({**state, "states": {}}, x, targets=y),
                "the state lacks adamw.exp_avg.*another step",
            ),
            (
                lambda: temlir.jax.train_step(
                    block, loss="mse", settings={"rate": 1}
                ).init(parameters(), x, targets=y),
                "no setting rate; it has learning_rate",
            ),
        ):
            with self.assertRaisesRegex(temlir.TemlirError, pattern):
                call()


if __name__ == "__main__":
    unittest.main()
