# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import sys
import tempfile
import unittest

try:
    import jax
    import jax.numpy as jnp
    import numpy
except ImportError as error:
    raise unittest.SkipTest(f"{error.name} is not installed: pip install jax") from error

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from temlir_export import ExportError, export_stablehlo, restore_parameters
from temlir_export.stablehlo import save_safetensors

X = jnp.linspace(-1, 1, 15).reshape(5, 3)


class RestoreTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "model.safetensors")

    def save(self, model, params=None, inputs=(X,)):
        """Saves values as exporting and te-run export do, under the same names."""
        export_stablehlo(model, inputs, self.path[: -len("safetensors")] + "mlir", params=params)

    def test_tree(self):
        tree = {"layers": [{"kernel": jnp.arange(12.0).reshape(3, 4)}], "steps": jnp.int32(3)}
        self.save(lambda tree, x: x @ tree["layers"][0]["kernel"], tree)
        other = {"layers": [{"kernel": jnp.zeros((3, 4))}], "steps": jnp.int32(5)}
        got = restore_parameters(other, self.path)
        numpy.testing.assert_array_equal(got["layers"][0]["kernel"], tree["layers"][0]["kernel"])
        # Values that are not trained are kept, and so is the argument.
        self.assertEqual(got["steps"], 5)
        self.assertEqual(float(jnp.sum(other["layers"][0]["kernel"])), 0)

    def test_narrow_files(self):
        kernel = jnp.asarray([[1.0, 2.5], [-0.125, 3.0]])
        save_safetensors({"kernel": kernel.astype(jnp.bfloat16)}, self.path)
        got = restore_parameters({"kernel": jnp.zeros((2, 2))}, self.path)["kernel"]
        self.assertEqual(got.dtype, jnp.float32)
        numpy.testing.assert_array_equal(got, kernel)

    def test_linen(self):
        try:
            from flax import linen
        except ImportError:
            self.skipTest("flax is missing")
        model = linen.Sequential([linen.Dense(4), linen.LayerNorm(), linen.Dense(2)])
        first, second = (model.init(jax.random.key(i), X) for i in (0, 1))
        self.save(model, first)
        self.assertGreater(numpy.abs(model.apply(first, X) - model.apply(second, X)).max(), 0.1)
        got = restore_parameters(second, self.path)
        numpy.testing.assert_array_equal(model.apply(got, X), model.apply(first, X))

    def test_nnx(self):
        try:
            from flax import nnx
        except ImportError:
            self.skipTest("flax is missing")
        make = lambda seed: nnx.Sequential(  # noqa: E731
            nnx.Linear(3, 4, rngs=nnx.Rngs(seed)), nnx.BatchNorm(4, rngs=nnx.Rngs(seed)),
            nnx.Linear(4, 2, rngs=nnx.Rngs(seed)))
        first, second = make(0), make(1)
        first.eval()
        second.eval()
        self.save(first)
        before = numpy.asarray(second(X))
        got = restore_parameters(second, self.path)
        numpy.testing.assert_array_equal(got(X), first(X))
        numpy.testing.assert_array_equal(second(X), before)

    def test_equinox(self):
        try:
            import equinox
        except ImportError:
            self.skipTest("equinox is missing")
        first, second = (equinox.nn.MLP(3, 2, 4, 1, key=jax.random.key(i)) for i in (0, 1))
        self.save(first, inputs=(X[0],))
        got = restore_parameters(second, self.path)
        numpy.testing.assert_array_equal(got(X[0]), first(X[0]))

    def test_mistakes(self):
        save_safetensors({"a": jnp.ones((2, 3)), "b": jnp.ones(1)}, self.path)
        with self.assertRaises(ExportError) as raised:
            restore_parameters({"a": jnp.ones((3, 2)), "c": jnp.ones(1)}, self.path)
        for text in ("a is [2, 3] in the file and [3, 2] in the model", "c is missing",
                     "b is not one of the model", "te-run export"):
            self.assertIn(text, str(raised.exception))
        with self.assertRaisesRegex(ExportError, "cannot be read"):
            restore_parameters({"a": jnp.ones(1)}, self.path + ".absent")
        for content in (b"", b"\xff" * 16, b"\x02\0\0\0\0\0\0\0[]", b"\x02\0\0\0\0\0\0\0{"):
            with open(self.path, "wb") as file:
                file.write(content)
            with self.assertRaises(ExportError):
                restore_parameters({"a": jnp.ones(1)}, self.path)


if __name__ == "__main__":
    unittest.main()
