# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import copy
import io
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from temlir_models import (
    Block,
    batch,
    block,
    emulate_fp8,
    error,
    gradients,
    require_compiler,
    torch,
)

import temlir
from torch.utils.checkpoint import checkpoint

require_compiler()
F = torch.nn.functional


class Gradients(unittest.TestCase):
    def compare(self, model, compiled, bars):
        expected = gradients(model, batch())
        found = gradients(compiled, batch())
        self.assertEqual(set(found), set(expected))
        for name in expected:
            bar = bars(name)
            self.assertLess(error(found[name], expected[name]), bar, name)

    def test_f32(self):
        model = block()
        self.compare(
            model, temlir.compile(model, batch(), precision="f32"), lambda _: 1e-5
        )

    def test_bf16(self):
        model = block()
        compiled = temlir.compile(model, batch(), precision="bf16")
        self.compare(model, compiled, lambda name: 5e-3 if name in "xy" else 3e-2)

    def test_fp8(self):
        """The errors are those of rounding the operands of products to FP8, by an
        emulation in torch, and all else to bf16, by torch's autocast: on average
        over batches, as the errors of one are random."""
        model = block()
        emulated = emulate_fp8(copy.deepcopy(model))
        for recipe in ("delayed_scaling", "current_scaling"):
            compiled = temlir.compile(model, batch(), recipe=recipe)
            ratios = {}
            for seed in range(10, 16):
                x = batch(seed=seed)
                exact = gradients(model, x)
                rounded = gradients(emulated, x)
                with torch.autocast("cpu", torch.bfloat16):
                    narrow = gradients(model, x)
                for name, value in gradients(compiled, x).items():
                    bar = math.hypot(
                        error(rounded[name], exact[name]),
                        error(narrow[name], exact[name]),
                    )
                    ratio = error(value, exact[name]) / bar
                    ratios.setdefault(name, []).append(ratio)
            for name, values in ratios.items():
                self.assertLess(sum(values) / len(values), 1.2, (recipe, name))

    def test_small_gradients_are_calibrated(self):
        """Below what E5M2 holds with a scale of 1: they would all be zero."""
        model = block()
        expected = gradients(model, batch(), scale=1e-9)
        found = gradients(temlir.compile(model, batch()), batch(), scale=1e-9)
        for name in expected:
            self.assertLess(error(found[name], expected[name]), 0.2, name)

    def test_bfloat16_module(self):
        model = block().bfloat16()
        found = gradients(temlir.compile(model, precision="bf16"), batch().bfloat16())
        expected = gradients(block(), batch())
        for name, value in found.items():
            self.assertEqual(value.dtype, torch.bfloat16, name)
            self.assertLess(error(value, expected[name]), 3e-2, name)


class Training(unittest.TestCase):
    def train(self, model, trained, steps=6):
        """Losses of steps of AdamW that `trained` computes and `model` keeps."""
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        losses = []
        for step in range(steps):
            x = batch(seed=step)
            loss = (trained(x) - x.roll(1, 1)).square().mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.item())
        return torch.tensor(losses)

    def test_parameters_are_shared(self):
        model, plain = block(), block()
        compiled = temlir.compile(model, batch(), precision="f32")
        self.assertEqual(list(compiled.state_dict()), list(plain.state_dict()))
        for a, b in zip(compiled.parameters(), model.parameters()):
            self.assertIs(a, b)
        losses = self.train(model, compiled)
        torch.testing.assert_close(losses, self.train(plain, plain))
        for a, b in zip(model.parameters(), plain.parameters()):
            # AdamW makes steps of up to 1e-3 of gradients that are rounding errors.
            torch.testing.assert_close(a, b, rtol=1e-3, atol=2e-4)
        self.assertLess(losses[-1], losses[0])

    def test_fp8_losses(self):
        model, plain = block(), block()
        losses = self.train(model, temlir.compile(model, batch()))
        torch.testing.assert_close(losses, self.train(plain, plain), rtol=0.01, atol=0)

    def test_loaded_parameters(self):
        compiled = temlir.compile(block(), batch(), precision="f32")
        torch.manual_seed(7)
        other = Block()
        for assign in (False, True):
            compiled.load_state_dict(other.state_dict(), assign=assign)
            torch.testing.assert_close(compiled(batch()), other(batch()))

    def test_fp8_state_continues_bit_for_bit(self):
        compiled = temlir.compile(block(), batch())
        for seed in range(3):
            gradients(compiled, batch(seed=seed))
        saved = io.BytesIO()
        torch.save(compiled.fp8_state(), saved)
        expected = gradients(compiled, batch())
        saved.seek(0)
        resumed = temlir.compile(block())
        resumed.load_fp8_state(torch.load(saved))
        found = gradients(resumed, batch())
        for name in expected:
            self.assertTrue(torch.equal(found[name], expected[name]), name)

    def test_frozen_parameters(self):
        model = block()
        for parameter in (model.fc_1.weight, model.norm_1.bias):
            parameter.requires_grad_(False)
        compiled = temlir.compile(model, batch(), precision="f32")
        compiled(batch()).sum().backward()
        for name, parameter in model.named_parameters():
            frozen = name in ("fc_1.weight", "norm_1.bias")
            self.assertEqual(parameter.grad is None, frozen, name)

    def test_unfrozen_parameters(self):
        model = block()
        model.fc_1.requires_grad_(False)
        plain = copy.deepcopy(model).requires_grad_()
        compiled = temlir.compile(model, batch(), precision="f32")
        compiled(batch()).sum().backward()
        model.requires_grad_()
        found = gradients(compiled, batch())
        expected = gradients(plain, batch())
        for name in expected:
            torch.testing.assert_close(found[name], expected[name])
        self.assertEqual(len(compiled.report()), 1)

    def test_dropout(self):
        model = block(dropout=0.5)
        compiled = temlir.compile(model, precision="f32")
        x = batch()
        torch.manual_seed(3)
        first, second = compiled(x), compiled(x)
        self.assertFalse(torch.equal(first, second))
        torch.manual_seed(3)
        self.assertTrue(torch.equal(compiled(x), first))
        compiled.eval()
        self.assertFalse(model.training)
        torch.testing.assert_close(compiled(x), model(x))


class Calls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.model = block()
        cls.compiled = temlir.compile(cls.model, batch())
        gradients(cls.compiled, batch())

    def state(self):
        (states,) = self.compiled.fp8_state().values()
        return {name: value.clone() for name, value in states.items()}

    def changed(self, before):
        after = self.state()
        return [name for name in before if not torch.equal(before[name], after[name])]

    def test_several_calls_are_open(self):
        compiled = temlir.compile(self.model, precision="f32")
        xs = [batch(seed=seed).requires_grad_() for seed in range(3)]
        ys = [compiled(x) for x in xs]
        for y in reversed(ys):
            y.square().sum().backward()
        for x in xs:
            (expected,) = torch.autograd.grad(self.model(x).square().sum(), x)
            torch.testing.assert_close(x.grad, expected, rtol=1e-4, atol=1e-4)

    def test_scales_change_once_in_backward(self):
        before = self.state()
        with torch.no_grad():
            self.compiled(3 * batch())
        y = self.compiled(3 * batch())
        self.assertEqual(self.changed(before), [])
        y.sum().backward()
        self.assertIn("fp8.amax_history", self.changed(before))

    def test_gradients_that_are_needed(self):
        """Inputs get gradients where they ask for them; a program that gives more
        serves those that ask for less."""
        class Scaled(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = torch.nn.Linear(64, 64)

            def forward(self, x, scale):
                return self.inner(x) * scale

        model = Scaled()
        compiled = temlir.compile(model, precision="f32")

        def gradients_of():
            report = compiled.report()[-1]
            (backward,) = [e for e in report["entries"] if e["name"] == "backward"]
            names = [argument["name"] for argument in backward["arguments"]]
            return [name for name in names if name.startswith("grad.")]

        x, scale = batch(), batch(seed=2)
        compiled(x, scale).sum().backward()
        self.assertEqual(gradients_of(), ["grad.inner.weight", "grad.inner.bias"])
        x.requires_grad_()
        compiled(x, scale).sum().backward()
        self.assertEqual(gradients_of()[2:], ["grad.input_0"])
        (expected,) = torch.autograd.grad(model(x, scale).sum(), x)
        torch.testing.assert_close(x.grad, expected, rtol=1e-4, atol=1e-5)
        compiled(batch(), scale).sum().backward()
        with torch.no_grad():
            compiled(x, scale)
        self.assertEqual(len(compiled.report()), 2)

    def test_outputs_are_not_saved_twice(self):
        """An output that the backward pass reads is one tensor, which must not
        change."""
        model = Wrapped(
            torch.nn.Linear(64, 64), lambda m, x: (m(x), m(x).unsqueeze(0).square())
        )
        compiled = temlir.compile(model, precision="f32")
        loss = [sum(y.sum() for y in run(batch())) for run in (model, compiled)]
        weight = model.inner.weight
        expected, found = (torch.autograd.grad(value, weight) for value in loss)
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4)
        y, square = compiled(batch())
        (call,) = compiled._programs_of_calls()
        count = len(call.program.values)
        self.assertEqual([i for i in call.program.kept if i >= count], [count])
        self.assertEqual(call.program.saved_bytes, 0)
        y.mul_(2)
        with self.assertRaisesRegex(RuntimeError, "modified by an inplace"):
            square.sum().backward()

    def test_backward_overwrites_what_was_saved(self):
        """Its memory serves temporaries, with the same gradients, also if the graph
        is kept for a second pass."""
        found, arenas = [], []
        for saved in ("kept", "overwritten"):
            compiled = temlir.compile(self.model, options={"saved": saved})
            gradients(compiled, batch())
            before = {
                key: {name: value.clone() for name, value in states.items()}
                for key, states in compiled.fp8_state().items()
            }
            for repeats in (1, 3):
                compiled.load_fp8_state(before)
                x = batch().requires_grad_()
                loss = compiled(x).square().sum()
                for i in range(repeats):
                    compiled.zero_grad()
                    x.grad = None
                    loss.backward(retain_graph=i + 1 < repeats)
                    compiled.load_fp8_state(before)
                found.append([x.grad] + [p.grad.clone() for p in compiled.parameters()])
            (backward,) = [
                entry
                for entry in compiled.report()[0]["entries"]
                if entry["name"] == "backward"
            ]
            arenas.append(backward["arena_bytes"])
        for other in found[1:]:
            for a, b in zip(found[0], other):
                self.assertTrue(torch.equal(a, b))
        size = sum(x.nbytes for x in found[0])
        self.assertLess(arenas[1] - size, 0.8 * (arenas[0] - size))

    def test_hooks_move_what_is_saved(self):
        """As saved_tensors_hooks do that offload, to addresses of any alignment."""
        compiled = temlir.compile(self.model, precision="f32")

        def move(tensor, start):
            size = tensor.numel() * tensor.element_size()
            place = torch.empty(start + size, dtype=torch.uint8)[start:]
            return place.view(tensor.dtype).view(tensor.shape).copy_(tensor)

        expected = gradients(compiled, batch())
        for start in (4, 16, 48, 64):
            with torch.autograd.graph.saved_tensors_hooks(
                lambda tensor, start=start: move(tensor, start), lambda tensor: tensor
            ):
                found = gradients(compiled, batch())
            for name, value in expected.items():
                self.assertTrue(torch.equal(found[name], value), name)

    def test_gradients_alone_are_in_the_arena(self):
        for entry in self.compiled.report()[0]["entries"]:
            for argument in entry["arguments"]:
                self.assertEqual(
                    "arena_offset" in argument, argument["name"].startswith("grad.")
                )
        gradients(self.compiled, batch())
        storages = {
            p.grad.untyped_storage().data_ptr() for p in self.compiled.parameters()
        }
        self.assertEqual(len(storages), 1)

    def test_no_grad_and_grad_agree(self):
        with torch.no_grad():
            quiet = self.compiled(batch())
        self.assertFalse(quiet.requires_grad)
        self.assertTrue(torch.equal(quiet, self.compiled(batch())))

    def test_checkpointing(self):
        before, expected = self.state(), None
        for reentrant in (None, False, True):
            self.compiled.load_fp8_state(
                {self.compiled.report()[0]["fingerprint"]: before}
            )
            if reentrant is None:
                found = gradients(self.compiled, batch())
            else:
                wrapped = Wrapped(
                    self.compiled,
                    lambda m, x: checkpoint(m, x, use_reentrant=reentrant),
                )
                found = gradients(wrapped, batch())
            found = {name.removeprefix("inner."): g for name, g in found.items()}
            expected = expected or (found, self.state())
            for name in found:
                self.assertTrue(torch.equal(found[name], expected[0][name]), name)
            for name, value in self.state().items():
                self.assertTrue(torch.equal(value, expected[1][name]), name)

    def test_autocast(self):
        expected = self.compiled(batch().bfloat16().float())
        with torch.autocast("cpu", torch.bfloat16):
            self.assertTrue(torch.equal(self.compiled(batch().bfloat16()), expected))

    def test_torch_compile(self):
        model = Wrapped(self.compiled, lambda m, x: torch.tanh(m(2 * x)).sum(-1))
        before = self.state()
        key = self.compiled.report()[0]["fingerprint"]
        found = []
        whole = torch.compile(model, backend="aot_eager", fullgraph=True)
        for run in (model, whole):
            self.compiled.load_fp8_state({key: before})
            x = batch().requires_grad_()
            run(x).sum().backward()
            found.append(x.grad)
        self.assertTrue(torch.equal(*found))
        with torch.no_grad():
            self.assertTrue(torch.equal(whole(batch()), model(batch())))

    def test_operators(self):
        """torch's own checks: schema, fake tensors, autograd."""
        compiled = temlir.compile(torch.nn.Linear(16, 16), precision="f32")
        x = torch.randn(4, 16, requires_grad=True)
        compiled(x)
        (call,) = compiled._calls.values()
        torch.library.opcheck(
            torch.ops.temlir.forward_saving,
            ([x], list(compiled.parameters()), call.bound.number),
            test_utils=("test_schema", "test_autograd_registration", "test_faketensor"),
        )

    def test_not_contiguous(self):
        x = batch().transpose(0, 1).contiguous().transpose(0, 1)
        self.assertTrue(torch.equal(self.compiled(x), self.compiled(batch())))
        memory = torch.empty(x.numel() + 1)
        odd = memory[1:].view(x.shape).copy_(x)
        self.assertTrue(torch.equal(self.compiled(odd), self.compiled(batch())))


class Wrapped(torch.nn.Module):
    def __init__(self, inner, run):
        super().__init__()
        self.inner = inner
        self.run = run

    def forward(self, x):
        return self.run(self.inner, x)


class Signatures(unittest.TestCase):
    def test_trees(self):
        class Model(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.table = torch.nn.Embedding(16, 32)
                self.fc = torch.nn.Linear(32, 32)

            def forward(self, ids, scales=(), *, extra=None, twice=False):
                x = self.table(ids)
                for scale in scales:
                    x = x * scale
                if extra is not None:
                    x = x + extra["bias"]
                if twice:
                    x = 2 * x
                return {"y": self.fc(x), "none": None, "x": (x, ids)}

        model = Model()
        compiled = temlir.compile(model, precision="f32")
        ids = torch.arange(12).view(3, 4)
        scales = (torch.rand(32), torch.rand(3, 4, 1))
        for args, kwargs in (
            ((ids,), {}),
            ((ids,), {"twice": True}),
            ((ids, scales), {"extra": {"bias": torch.rand(32)}}),
            ((), {"ids": ids, "scales": scales}),
        ):
            expected, found = model(*args, **kwargs), compiled(*args, **kwargs)
            self.assertIsNone(found["none"])
            torch.testing.assert_close(found, expected)
        self.assertEqual(len(compiled.report()), 4)

    def test_unused_output(self):
        class Two(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.a, self.b = torch.nn.Linear(16, 16), torch.nn.Linear(16, 16)

            def forward(self, x):
                return self.a(x), self.b(x)

        model = Two()
        compiled = temlir.compile(model, precision="f32")
        x = torch.randn(4, 16)
        compiled(x)[1].sum().backward()
        self.assertEqual(float(model.a.weight.grad.abs().sum()), 0)
        torch.testing.assert_close(model.b.bias.grad, torch.full((16,), 4.0))
        # What is said to be constant has no gradient, and takes no memory for one.
        compiled = temlir.compile(
            model, precision="f32", options={"constant-output": "output_0"}
        )
        model.zero_grad()
        a, b = compiled(x)
        self.assertFalse(a.requires_grad)
        (a.sum() + b.sum()).backward()
        self.assertEqual(float(model.a.weight.grad.abs().sum()), 0)
        torch.testing.assert_close(model.b.bias.grad, torch.full((16,), 4.0))
        (backward,) = [
            entry
            for entry in compiled.report()[0]["entries"]
            if entry["name"] == "backward"
        ]
        names = [argument["name"] for argument in backward["arguments"]]
        self.assertIn("cotangent.output_1", names)
        self.assertNotIn("cotangent.output_0", names)
        torch.compiler.reset()
        whole = torch.compile(lambda x: compiled(x), backend="aot_eager")
        torch.testing.assert_close(whole(x), (a, b))
        model.zero_grad()
        sum(value.sum() for value in whole(x)).backward()
        torch.testing.assert_close(model.b.bias.grad, torch.full((16,), 4.0))

    def test_tied_weights(self):
        class Tied(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.table = torch.nn.Embedding(16, 32)
                self.head = torch.nn.Linear(32, 16, bias=False)
                self.head.weight = self.table.weight

            def forward(self, ids):
                return self.head(self.table(ids))

        model = Tied()
        ids = torch.arange(8).view(2, 4)
        (expected,) = torch.autograd.grad(
            model(ids).square().sum(), [model.table.weight]
        )
        temlir.compile(model, ids, precision="f32")(ids).square().sum().backward()
        torch.testing.assert_close(model.table.weight.grad, expected)


class Errors(unittest.TestCase):
    def assertSays(self, pattern, function, kind=temlir.TemlirError):
        with self.assertRaisesRegex(kind, pattern):
            function()

    def test_all_unsupported_operations(self):
        class Model(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(16, 16)

            def forward(self, x):
                y = self.fc(x)
                return torch.det(y) + torch.atan(y) + torch.asinh(y)

        self.assertSays(
            r"^\"Model.onnx\".*not supported.*docs/operators.md.*"
            r"\(Atan x1, Det x1, Asinh x1\)|\(Det x1, Atan x1, Asinh x1\)",
            lambda: temlir.compile(Model(), torch.randn(16, 16)),
            temlir.CompileError,
        )

    def test_what_torch_cannot_export(self):
        class Branches(torch.nn.Module):
            def forward(self, x):
                return x if x.sum() > 0 else -x

        self.assertSays(
            "branches on values of tensors",
            lambda: temlir.compile(Branches(), torch.ones(4, 16)),
            temlir.CompileError,
        )

    def test_limit_of_shapes(self):
        compiled = temlir.compile(torch.nn.Linear(16, 16), precision="f32", limit=2)
        for rows in (1, 2, 1):
            compiled(torch.randn(rows, 16))
        self.assertSays(
            r"Linear is called with float \[3, 16\] on cpu, but has been compiled for "
            r"2 other calls:\n  float \[1, 16\] on cpu\n  float \[2, 16\] on cpu\n"
            "Pad the inputs to a few shapes, or compile with a larger limit=",
            lambda: compiled(torch.randn(3, 16)),
        )

    def test_types(self):
        self.assertSays(
            r"matrices are torch.float16; .* module.float\(\) or module.bfloat16\(\)",
            lambda: temlir.compile(torch.nn.Linear(16, 16).half(), torch.ones(4, 16)),
        )

    def test_devices(self):
        self.assertSays(
            "the module and its inputs are on cpu and meta; move them to one",
            lambda: temlir.compile(
                torch.nn.Linear(16, 16), torch.ones(4, 16, device="meta")
            ),
        )
        self.assertSays(
            "programs run on cpu and cuda, not on meta",
            lambda: temlir.compile(
                torch.nn.Linear(16, 16, device="meta"),
                torch.ones(4, 16, device="meta"),
            ),
        )

    def test_options(self):
        linear = torch.nn.Linear(16, 16)
        for options, pattern in (
            ({"precision": "fp4"}, "fp4"),
            ({"recipe": "none"}, "none"),
            ({"options": {"presision": "fp8"}}, "presision"),
        ):
            self.assertSays(
                pattern,
                lambda options=options: temlir.compile(
                    linear, torch.ones(4, 16), **options
                ),
                temlir.CompileError,
            )

    def test_backward_twice(self):
        compiled = temlir.compile(torch.nn.Linear(16, 16), precision="f32")
        loss = compiled(torch.randn(4, 16)).sum()
        loss.backward()
        self.assertSays(
            "backward through the graph a second time", loss.backward, RuntimeError
        )

    def test_second_derivatives(self):
        compiled = temlir.compile(torch.nn.Linear(16, 16), precision="f32")
        x = torch.randn(4, 16, requires_grad=True)
        (dx,) = torch.autograd.grad(compiled(x).square().sum(), x, create_graph=True)
        self.assertSays("once_differentiable", dx.sum().backward, RuntimeError)

    def test_changed_parameter(self):
        model = torch.nn.Linear(16, 16)
        compiled = temlir.compile(model, precision="f32")
        loss = compiled(torch.randn(4, 16, requires_grad=True)).sum()
        with torch.no_grad():
            model.weight.add_(1)
        self.assertSays("modified by an inplace operation", loss.backward, RuntimeError)
        model.weight = torch.nn.Parameter(torch.ones(8, 16))
        self.assertSays(
            r"weight is \[8, 16\] on cpu now, and was \[16, 16\] on cpu",
            lambda: compiled(torch.randn(4, 16)),
        )

    def test_running_statistics(self):
        model = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.BatchNorm1d(16))
        self.assertSays(
            r"1 \(BatchNorm1d\) keeps running statistics",
            lambda: temlir.compile(model, torch.ones(4, 16)),
            temlir.CompileError,
        )
        model.eval()
        x = torch.randn(4, 16)
        torch.testing.assert_close(temlir.compile(model, precision="f32")(x), model(x))

    def test_moved_parameters(self):
        compiled = temlir.compile(torch.nn.Linear(16, 16), torch.ones(4, 16))
        compiled.to("meta")
        self.assertSays(
            "is .* on meta now, and was .* on cpu", lambda: compiled(torch.ones(4, 16))
        )

    def test_other_outputs(self):
        class Model(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(16, 16)

            def forward(self, x):
                return self.fc(x), 3

        self.assertSays(
            "returns a int beside tensors",
            lambda: temlir.compile(Model(), torch.ones(4, 16)),
        )


if __name__ == "__main__":
    unittest.main()
