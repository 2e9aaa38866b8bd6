# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
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
from temlir_export import ExportError, export_stablehlo

PARAMS = {"layers": [{"kernel": jnp.arange(12.0).reshape(3, 4)}, {"kernel": jnp.ones((4, 2))}],
          "steps": jnp.int32(3)}
INPUTS = {"x": jnp.zeros((5, 3)), "ids": jnp.zeros((5,), jnp.int32)}


def model(params, x, ids):
    for layer in params["layers"]:
        x = jnp.tanh(x @ layer["kernel"])
    return {"logits": x * params["steps"], "next": ids + 1}


def values(path):
    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(size))
        data = file.read()
    return {
        name: numpy.frombuffer(data[slice(*entry["data_offsets"])], "f4").reshape(entry["shape"])
        for name, entry in header.items()
    }


class ExportTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "model.mlir")

    def text(self):
        with open(self.path, encoding="utf-8") as file:
            return file.read()

    def export(self, function=model, inputs=INPUTS, params=PARAMS, **options):
        return export_stablehlo(function, inputs, self.path, params=params, **options)

    def test_trainable(self):
        self.export(trainable=lambda name: name.startswith("layers.1"))
        self.assertIn('{te.frozen, te.param = "layers.0.kernel"}', self.text())
        self.assertIn('{te.param = "layers.1.kernel"}', self.text())
        self.export()
        self.assertNotIn("te.frozen", self.text())
        with self.assertRaisesRegex(ExportError, "true of no parameter; .*layers.0.kernel"):
            self.export(trainable=lambda name: "lora" in name)

    def test_names_and_values(self):
        names = self.export()
        self.assertEqual(names, ["layers.0.kernel", "layers.1.kernel"])
        text = self.text()
        for mark in ('te.param = "layers.0.kernel"', 'te.input = "x"', 'te.input = "ids"',
                     'te.output = "logits"', 'te.output = "next"', '"stablehlo.dot_general"'):
            self.assertIn(mark, text)
        # Integers in the tree are part of the program.
        self.assertNotIn("steps", text)
        found = values(self.path[:-5] + ".safetensors")
        numpy.testing.assert_array_equal(found["layers.0.kernel"],
                                         PARAMS["layers"][0]["kernel"])
        self.assertEqual(set(found), set(names))

    def test_positions_are_short(self):
        self.export()
        self.assertIn("test_stablehlo.py", self.text())
        self.assertNotIn(os.path.dirname(__file__) + os.sep, self.text())

    def test_absent_weights(self):
        shapes = jax.tree_util.tree_map(
            lambda x: jax.ShapeDtypeStruct(x.shape, x.dtype), PARAMS["layers"])
        self.export(lambda p, x: x @ p[0]["kernel"] @ p[1]["kernel"], (INPUTS["x"],), shapes,
                    weights="absent")
        self.assertFalse(os.path.exists(self.path[:-5] + ".safetensors"))
        self.assertIn('te.output = "logits"', self.text())

    def test_unused_parameters(self):
        function = lambda p, x: x @ p["layers"][0]["kernel"]  # noqa: E731
        with self.assertRaisesRegex(ExportError, "layers.1.kernel"):
            self.export(function, (INPUTS["x"],))
        self.assertFalse(os.path.exists(self.path))
        self.export(function, (INPUTS["x"],), allow_unused=True)

    def test_mistakes(self):
        with self.assertRaisesRegex(ExportError, "needs its parameters"):
            self.export(params=None)
        with self.assertRaisesRegex(ExportError, "no parameter y"):
            self.export(inputs={"y": INPUTS["x"]})
        with self.assertRaisesRegex(ExportError, "has no parameters"):
            self.export(params={"layers": []})
        with self.assertRaisesRegex(ExportError, "float16"):
            self.export(params={"kernel": jnp.ones((2, 2), jnp.float16)})
        with self.assertRaisesRegex(ExportError, "JAX cannot lower"):
            self.export(lambda p, x: x @ x, (INPUTS["x"],))
        with self.assertRaisesRegex(ExportError, "end in .mlir"):
            export_stablehlo(model, INPUTS, "model.onnx", params=PARAMS)

    def test_linen(self):
        try:
            from flax import linen
        except ImportError:
            self.skipTest("flax is missing")
        layer = linen.Dense(2)
        variables = layer.init(jax.random.key(0), INPUTS["x"])
        self.assertEqual(self.export(layer, (INPUTS["x"],), variables),
                         ["params.bias", "params.kernel"])

    def test_nnx(self):
        try:
            from flax import nnx
        except ImportError:
            self.skipTest("flax is missing")
        layers = nnx.Sequential(nnx.Linear(3, 3, rngs=nnx.Rngs(0)),
                                nnx.Dropout(0.5, rngs=nnx.Rngs(1)))
        names = self.export(layers, (INPUTS["x"],), None)
        self.assertEqual(names, ["layers.0.bias", "layers.0.kernel"])
        self.assertNotIn("rng", self.text().replace("rngs", ""))

    def test_equinox(self):
        try:
            import equinox
        except ImportError:
            self.skipTest("equinox is missing")
        layer = equinox.nn.Linear(3, 2, key=jax.random.key(0))
        self.assertEqual(self.export(layer, (jnp.zeros(3),), None), ["weight", "bias"])


if __name__ == "__main__":
    unittest.main()
