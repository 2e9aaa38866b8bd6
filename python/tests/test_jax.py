# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math
import os
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from temlir_jax_models import (
    block,
    errors,
    fp8_linear,
    gradients,
    jax,
    jnp,
    normal,
    parameters,
    require_compiler,
)

import temlir.jax

require_compiler()
ALL = {"fp8-layers": "all"}


def emulated(p, x):
    return block(p, x, fp8_linear)


def batch(seed=1, size=2):
    return normal(seed, size, 32, 64)


class Gradients(unittest.TestCase):
    """Against jax.grad of the function itself."""

    def compare(self, compiled, bar):
        args = parameters(), batch()
        expected = gradients(block, *args)
        for run in (compiled, jax.jit(compiled)):
            for name, error in errors(gradients(run, *args), expected).items():
                self.assertLess(error, bar, name)

    def test_f32(self):
        self.compare(temlir.jax.compile(block, precision="f32"), 1e-5)

    def test_bf16(self):
        self.compare(temlir.jax.compile(block, precision="bf16"), 3e-2)

    def test_fp8(self):
        """The errors are those of rounding the operands of products to FP8, by an
        emulation in JAX, and all else to bf16: on average over batches, as the
        errors of one are random."""
        p = parameters()
        compiled = temlir.jax.compile(block, options=ALL)
        ratios = {}
        for seed in range(10, 16):
            args = p, batch(seed)
            exact = gradients(block, *args)
            rounded = errors(gradients(emulated, *args), exact)
            narrow = jax.tree.map(lambda a: a.astype(jnp.bfloat16), args)
            halves = errors(gradients(block, *narrow), exact)
            for name, error in errors(gradients(compiled, *args), exact).items():
                bar = math.hypot(rounded[name], halves[name])
                ratios.setdefault(name, []).append(error / bar)
        for name, values in ratios.items():
            mean = sum(values) / len(values)
            self.assertLess(mean, 1.2, name)
            if "kernel" in name:
                self.assertGreater(mean, 0.5, name)  # it is FP8

    def test_bfloat16(self):
        p, x = jax.tree.map(lambda a: a.astype(jnp.bfloat16), (parameters(), batch()))
        found = gradients(temlir.jax.compile(block, precision="bf16"), p, x)
        for name, error in errors(found, gradients(block, parameters(), batch())).items():
            self.assertLess(error, 3e-2, name)
        for value in jax.tree.leaves(found):
            self.assertEqual(value.dtype, jnp.bfloat16)


class Transformations(unittest.TestCase):
    """What JAX does with the function, in f32 against itself."""

    @classmethod
    def setUpClass(cls):
        cls.compiled = temlir.jax.compile(
            block, (parameters(), batch()), precision="f32"
        )

    def assertClose(self, found, expected, bar=1e-5):
        for name, error in errors(found, expected).items():
            self.assertLess(error, bar, name)

    def test_scan(self):
        """Layers with stacked parameters."""
        layers = [parameters(seed) for seed in range(3)]
        stacked = jax.tree.map(lambda *a: jnp.stack(a), *layers)

        def model(layer, stacked, x):
            return jax.lax.scan(lambda x, p: (layer(p, x), None), x, stacked)[0]

        args = stacked, batch()
        expected = gradients(lambda *a: model(block, *a), *args)
        for layer in (self.compiled, jax.checkpoint(self.compiled)):
            run = jax.jit(lambda *a, layer=layer: model(layer, *a))
            self.assertClose(gradients(run, *args), expected)

    def test_checkpoint(self):
        args = parameters(), batch()

        def twice(layer):
            return lambda p, x: jnp.tanh(layer(p, layer(p, x)))

        expected = gradients(twice(block), *args)
        found = gradients(jax.jit(twice(jax.checkpoint(self.compiled))), *args)
        self.assertClose(found, expected)

    def test_vmap(self):
        p, x = parameters(), jnp.stack([batch(seed) for seed in range(3)])
        expected = gradients(lambda p, x: jax.vmap(block, (None, 0))(p, x), p, x)
        found = gradients(lambda p, x: jax.vmap(self.compiled, (None, 0))(p, x), p, x)
        self.assertClose(found, expected)

    def test_first_call_is_traced(self):
        compiled = temlir.jax.compile(block, precision="f32")
        args = parameters(), batch()
        self.assertClose(jax.jit(compiled)(*args), block(*args))

    def test_devices(self):
        """Data parallel by shard_map: a part of the batch on each device."""
        if jax.device_count() < 2:
            self.skipTest("needs two devices")
        mesh = jax.sharding.Mesh(jax.devices()[:2], ("dp",))
        spec = jax.sharding.PartitionSpec
        p, x = parameters(), batch(size=4)

        def step(p, x):
            y, vjp = jax.vjp(self.compiled, p, x)
            return y, jax.lax.pmean(vjp(jnp.ones_like(y))[0], "dp")

        sharded = jax.shard_map(
            step,
            mesh=mesh,
            in_specs=(spec(), spec("dp")),
            out_specs=(spec("dp"), spec()),
            check_vma=False,
        )
        y, vjp = jax.vjp(block, p, x)
        halves = jax.tree.map(lambda g: g / 2, vjp(jnp.ones_like(y))[0])
        self.assertClose(jax.jit(sharded)(p, x), (y, halves))

    def test_training(self):
        """Steps of SGD in a scan, in FP8."""
        x = batch()

        def train(layer):
            def loss(p):
                return jnp.mean((layer(p, x) - jnp.roll(x, 1, 1)) ** 2)

            def step(p, _):
                value, grads = jax.value_and_grad(loss)(p)
                return jax.tree.map(lambda a, g: a - 0.1 * g, p, grads), value

            return jax.jit(lambda p: jax.lax.scan(step, p, length=10)[1])(parameters())

        expected, found = train(block), train(temlir.jax.compile(block, options=ALL))
        self.assertLess(float(found[-1]), 0.9 * float(found[0]))
        self.assertTrue(jnp.allclose(found, expected, rtol=0.02), (found, expected))


class NotDifferentiated(unittest.TestCase):
    """nondiff_argnums and nondiff_argnames: no gradients are computed, and they are
    zero; the others are as they were."""

    @staticmethod
    def model(p, x, scale, *, shifts):
        y = jnp.tanh(x @ p["w"]) * scale
        return (y + shifts["first"] + shifts["second"])[shifts["rows"]]

    def setUp(self):
        self.p, self.x = {"w": normal(0, 16, 16)}, normal(1, 4, 16)
        self.scale = normal(2, 4, 16)
        self.shifts = {"first": normal(3, 16), "second": normal(4, 16)}
        self.shifts["rows"] = jnp.arange(4, dtype=jnp.int32)

    def check(self, names, **options):
        """`names`: of the gradients that the program has."""
        compiled = temlir.jax.compile(self.model, precision="f32", **options)
        p, x, scale, shifts = self.p, self.x, self.scale, self.shifts
        for by_name in (False, True):

            def gradients_of(function, by_name=by_name):
                def loss(p, x, scale, shifts):
                    given = {"scale": scale} if by_name else {}
                    args = (p, x) if by_name else (p, x, scale)
                    return jnp.sum(function(*args, shifts=shifts, **given) ** 3)

                run = jax.jit(jax.grad(loss, argnums=(0, 1, 2, 3), allow_int=True))
                dp, dx, dscale, dshifts = run(p, x, scale, shifts)
                del dshifts["rows"]
                return {"w": dp["w"], "x": dx, "scale": dscale, **dshifts}

            found, expected = gradients_of(compiled), gradients_of(self.model)
            for name, value in expected.items():
                if name not in names:
                    value = jnp.zeros_like(value)
                self.assertTrue(
                    jnp.allclose(found[name], value, rtol=1e-4, atol=1e-4), name
                )
            entries = {e["name"]: e for e in compiled.report()[-1]["entries"]}
            outputs = [
                argument["name"].removeprefix("grad.").rpartition(".")[2]
                for argument in entries["backward"]["arguments"]
                if argument["role"] == "output"
            ]
            self.assertEqual(len(outputs), len(names), outputs)

    def test_positions_and_names(self):
        self.check({"w", "x", "scale", "first", "second"})
        self.check({"w", "scale", "first", "second"}, nondiff_argnums=1)
        self.check({"w", "x", "first", "second"}, nondiff_argnums=(2,))
        self.check({"w", "x", "first", "second"}, nondiff_argnames="scale")
        self.check({"w", "x", "scale"}, nondiff_argnames=("shifts",))
        self.check({"w"}, nondiff_argnums=(1, 2), nondiff_argnames=["shifts"])

    def test_with_an_option_of_the_compiler(self):
        self.check(
            {"w", "scale", "second"},
            nondiff_argnums=1,
            options={"constant-input": "*.first"},
        )

    def test_signatures(self):
        """A function that takes anything, and one whose signature is unknown."""

        class Unknown:
            __signature__ = "unknown"

            def __call__(self, p, x):
                return x @ p["w"]

        for function in (lambda p, *args, **kwargs: args[0] @ p["w"], Unknown()):
            compiled = temlir.jax.compile(
                function,
                (self.p, self.x),
                precision="f32",
                nondiff_argnums=1,
                nondiff_argnames="other",
            )
            dx = jax.grad(lambda x, f=compiled: jnp.sum(f(self.p, x)))(self.x)
            self.assertFalse(dx.any())

    def test_mistakes(self):
        for options, pattern in (
            ({"nondiff_argnums": 3}, "no positional argument 3"),
            ({"nondiff_argnums": -1}, "no positional argument -1"),
            ({"nondiff_argnames": "scales"}, "no argument scales"),
            ({"nondiff_argnums": (0, 1)}, "argument 0 has the parameters"),
            ({"nondiff_argnames": "p"}, "argument 0 has the parameters"),
        ):
            with self.assertRaisesRegex(temlir.TemlirError, pattern):
                temlir.jax.compile(self.model, **options)


class DelayedScaling(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.args = parameters(), batch()
        cls.compiled = temlir.jax.compile(
            block, cls.args, recipe="delayed_scaling", options=ALL
        )
        cls.step = staticmethod(jax.jit(cls.gradients))

    @classmethod
    def gradients(cls, p, state, x, scale=1.0):
        """The output, and gradients of parameters, states and input."""
        y, vjp = jax.vjp(
            lambda p, s, x: cls.compiled(p, x, fp8_state=s), p, state, x
        )
        return [y, *vjp(scale * normal(99, *y.shape))]

    def calibrated(self, scale=1.0):
        p, x = self.args
        return temlir.jax.calibrate(
            lambda s: self.step(p, s, x, scale)[2], self.compiled.fp8_state(p, x)
        )

    def test_gradients(self):
        p, x = self.args
        exact = gradients(block, p, x)
        rounded = gradients(emulated, p, x)
        bars = errors(rounded, exact)
        y, dp, _, dx = self.step(p, self.calibrated(), x)
        for name, error in errors([y, dp, dx], exact).items():
            self.assertLess(error, 1.5 * bars[name] + 0.01, name)

    def test_small_gradients(self):
        """Below what E5M2 holds with a scale of 1: they would all be zero."""
        p, x = self.args
        exact = gradients(block, p, x)
        y, dp, _, dx = self.step(p, self.calibrated(1e-9), x, 1e-9)
        found = [y, *jax.tree.map(lambda g: 1e9 * g, (dp, dx))]
        for name, error in errors(found, exact).items():
            self.assertLess(error, 0.2, name)

    def test_states(self):
        """They are values: one call changes nothing, equal ones give equal bits,
        and the amaxes are those of the data."""
        p, x = self.args
        state = self.calibrated()
        first, second = self.step(p, state, x), self.step(p, state, x)
        for a, b in zip(jax.tree.leaves(first), jax.tree.leaves(second)):
            self.assertTrue(jnp.array_equal(a, b))
        loud = self.step(p, state, x, 4.0)[2]
        description = self.compiled.report()[0]
        formats = [slot["format"] for slot in description["slots"]]
        amaxes = [s["fp8.amax_history"].max(0) for s in (first[2], loud)]
        for form, a, b in zip(formats, *amaxes):
            self.assertEqual(bool(b > 1.5 * a), form == "e5m2")

    def test_scan(self):
        """Each layer has states of its own."""
        layers = [parameters(seed) for seed in range(3)]
        layers[1] = jax.tree.map(lambda a: 2 * a, layers[1])
        stacked = jax.tree.map(lambda *a: jnp.stack(a), *layers)
        x = batch()
        state = self.compiled.fp8_state(layers[0], x)
        states = jax.tree.map(lambda s: jnp.stack([s] * 3), state)

        def loss(stacked, states, x):
            def layer(x, pair):
                return self.compiled(pair[0], x, fp8_state=pair[1]), None

            return jnp.sum(jax.lax.scan(layer, x, (stacked, states))[0] ** 2)

        grad = jax.jit(jax.grad(loss, argnums=1))
        states = temlir.jax.calibrate(lambda s: grad(stacked, s, x), states)
        scales = states["fp8.scales"]
        self.assertFalse(jnp.array_equal(scales[0], scales[1]))
        # The same one by one.
        singles = [jax.tree.map(lambda s, i=i: s[i], states) for i in range(3)]

        def chain(singles):
            y = x
            for p, s in zip(layers, singles):
                y = self.compiled(p, y, fp8_state=s)
            return jnp.sum(y**2)

        found = grad(stacked, states, x)
        for i, expected in enumerate(jax.grad(chain)(singles)):
            for name, value in expected.items():
                self.assertTrue(jnp.array_equal(found[name][i], value), name)

    def test_wrong_states(self):
        p, x = self.args
        with self.assertRaisesRegex(temlir.TemlirError, "pass fp8_state=, which"):
            self.compiled(p, x)
        with self.assertRaisesRegex(temlir.TemlirError, "the state of another one"):
            self.compiled(p, x, fp8_state={"fp8.scales": jnp.ones(1)})


class Signatures(unittest.TestCase):
    def test_trees(self):
        def model(p, ids, mask, extra=(), *, twice=False, act=jnp.tanh):
            x = p["table"][ids] + p["count"]
            x = jnp.where(mask[..., None], x, 0)
            for e in extra:
                x = x * e["scale"]
            x = 2 * x if twice else x
            return {"y": act(x @ p["head"]), "x": (x, ids)}

        p = {
            "table": normal(0, 16, 32),
            "head": normal(1, 32, 32),
            "count": jnp.array(3, jnp.int32),
        }
        ids = jnp.arange(12, dtype=jnp.int32).reshape(3, 4)
        mask = ids % 3 > 0
        compiled = temlir.jax.compile(model, precision="f32")
        for args, kwargs in (
            ((p, ids, mask), {}),
            ((p, ids, mask), {"twice": True}),
            ((p, ids, mask, [{"scale": normal(2, 32)}]), {"act": jnp.sin}),
        ):

            def loss(p, function, args=args, kwargs=kwargs):
                return jnp.sum(function(p, *args[1:], **kwargs)["y"] ** 2)

            expected, found = model(*args, **kwargs), compiled(*args, **kwargs)
            self.assertEqual(jax.tree.structure(found), jax.tree.structure(expected))
            for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(expected)):
                self.assertEqual((a.shape, a.dtype), (b.shape, b.dtype))
                self.assertTrue(jnp.allclose(a, b, atol=1e-4))
            grads = (
                jax.grad(loss, allow_int=True)(p, function)
                for function in (compiled, model)
            )
            for a, b in zip(*(jax.tree.leaves(grad) for grad in grads)):
                if a.dtype != jax.dtypes.float0:
                    self.assertTrue(jnp.allclose(a, b, rtol=1e-3, atol=1e-3))
        self.assertEqual(len(compiled.report()), 3)

    def test_linen(self):
        try:
            import flax.linen as nn
        except ImportError:
            self.skipTest("flax is not installed")

        class Model(nn.Module):
            @nn.compact
            def __call__(self, ids):
                x = nn.Embed(32, 64)(ids)
                return nn.Dense(32)(nn.LayerNorm()(x + nn.Dense(64)(nn.gelu(x))))

        model, ids = Model(), jnp.arange(64, dtype=jnp.int32).reshape(2, 32) % 32
        variables = model.init(jax.random.key(0), ids)
        apply = temlir.jax.compile(model.apply, precision="f32")

        def loss(apply):
            return jax.grad(lambda v: jnp.mean(apply(v, ids) ** 2))(variables)

        for name, error in errors(loss(apply), loss(model.apply)).items():
            self.assertLess(error, 1e-4, name)


class Errors(unittest.TestCase):
    def assertSays(self, pattern, function, kind=temlir.TemlirError):
        with self.assertRaisesRegex(kind, pattern):
            function()

    def compile(self, function, *args, **options):
        return temlir.jax.compile(function, args, precision="f32", **options)

    def setUp(self):
        self.p, self.x = {"w": normal(0, 16, 16)}, normal(1, 4, 16)

    def test_all_unsupported_operations(self):
        self.assertSays(
            r"^.*model.mlir.*not supported.*docs/operators.md",
            lambda: self.compile(model, self.p, self.x),
            temlir.CompileError,
        )

    def test_effects(self):
        def loud(p, x):
            jax.debug.print("{}", x.sum())
            return x @ p["w"]

        self.assertSays(
            "has effects.*Debug", lambda: self.compile(loud, self.p, self.x)
        )

    def test_types(self):
        for dtype in ("float16", "int8", "uint32"):
            self.assertSays(
                rf"\bx is {dtype}; programs take float32, bfloat16, int32 and bool",
                lambda dtype=dtype: self.compile(
                    lambda p, b: b["x"] @ p["w"], self.p, {"x": self.x.astype(dtype)}
                ),
            )
        self.assertSays(
            r"key<fry>; .* without dropout",
            lambda: self.compile(lambda p, k: p["w"], self.p, jax.random.key(0)),
        )

    def test_limit_of_shapes(self):
        compiled = temlir.jax.compile(product, precision="f32", limit=2)
        for rows in (1, 2, 1):
            compiled(self.p, self.x[:rows])
        self.assertSays(
            r"product is called with float32 \[3, 16\], but has been compiled for 2 "
            r"other calls:\n  float32 \[1, 16\]\n  float32 \[2, 16\]\nPad the inputs",
            lambda: compiled(self.p, self.x[:3]),
        )

    def test_arguments(self):
        compiled = temlir.jax.compile(product, precision="f32")
        self.assertSays("has the parameters: pass it", lambda: compiled(p=self.p))
        self.assertSays(
            "neither an array nor hashable", lambda: compiled(self.p, self.x, {1, 2})
        )
        inputs = temlir.jax.compile(lambda p, x: x @ x.T, precision="f32")
        self.assertSays("has no parameters", lambda: inputs({}, self.x))

    def test_closed_over(self):
        """What the caller differentiates must come through arguments."""

        def loss(p):
            inner = temlir.jax.compile(lambda q, x: x @ p["w"] @ q["w"], precision="f32")
            return inner(self.p, self.x).sum()

        self.assertSays("closes over", lambda: jax.grad(loss)(self.p))

    def test_options(self):
        for options, pattern in (
            ({"precision": "fp4"}, "fp4"),
            ({"recipe": "none"}, "none"),
            ({"options": {"presision": "fp8"}}, "presision"),
            ({"platform": "tpu"}, 'not on "tpu"'),
        ):
            self.assertSays(
                pattern,
                lambda options=options: temlir.jax.compile(
                    product, (self.p, self.x), **options
                ),
            )

    def test_data(self):
        """An id outside of its table."""
        table = {"t": normal(0, 16, 32)}
        look = self.compile(
            lambda p, ids: p["t"][ids], table, jnp.zeros((4,), jnp.int32)
        )
        self.assertSays(
            "16.*outside|outside.*16",
            lambda: look(table, jnp.array([0, 1, 2, 16], jnp.int32)),
            Exception,
        )
        self.assertTrue(
            jnp.array_equal(look(table, jnp.arange(4, dtype=jnp.int32)), table["t"][:4])
        )

    def test_unknown_program(self):
        """As a serialized computation of another process has it."""
        call = jax.ffi.ffi_call("temlir_call", jax.ShapeDtypeStruct((), jnp.float32))
        self.compile(product, self.p, self.x)
        self.assertSays(
            "has not loaded the program of this call, forward:abc",
            lambda: call(entry="forward:abc").block_until_ready(),
            Exception,
        )

    def test_second_derivatives(self):
        compiled = self.compile(product, self.p, self.x)

        def slope(x):
            return jax.grad(lambda x: jnp.sum(compiled(self.p, x) ** 2))(x).sum()

        self.assertSays("JVP|differentiat", lambda: jax.grad(slope)(self.x), Exception)


class Interface(unittest.TestCase):
    def test_layouts(self):
        """XLA's structs are those that the library was compiled for."""
        compiler = shutil.which("c++") or shutil.which("clang++-22")
        if not compiler:
            self.skipTest("no C++ compiler")
        here = os.path.dirname(os.path.abspath(__file__))
        runtime = os.path.join(here, "..", "..", "runtime")
        includes = [f"-I{runtime}", f"-I{jax.ffi.include_dir()}"]
        done = subprocess.run(
            [compiler, "-std=c++17", "-Wno-invalid-offsetof", "-fsyntax-only", *includes]
            + [os.path.join(here, "xla_layouts.cpp")],
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr)


def product(p, x, other=None):
    return x @ p["w"]


def model(p, x):
    y = x @ p["w"]
    return jnp.linalg.cholesky(y.T @ y) + jnp.sort(y.T @ y)


if __name__ == "__main__":
    unittest.main()
