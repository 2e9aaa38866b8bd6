# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole steps of training, temlir.train_step."""

import copy
import io
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from temlir_models import batch, block, require_compiler, torch

import temlir

require_compiler()
F = torch.nn.functional
SETTINGS = {"learning_rate": 1e-3, "weight_decay": 0.0}


def reference(model, steps, optimizer, rates=None):
    """[(loss, gradient norm)] of a loop in torch, clipped to a norm of 0.3."""
    device = next(model.parameters()).device
    found = []
    for i in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = rates[i] if rates else group["lr"]
        x = batch(seed=i).to(device)
        loss = (model(x) - x.roll(1, 1)).square().mean()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 0.3)
        optimizer.step()
        optimizer.zero_grad()
        found.append((loss.item(), norm.item()))
    return torch.tensor(found)


def run(step, steps, rates=None, start=0, device="cpu"):
    found = []
    for i in range(start, start + steps):
        x = batch(seed=i).to(device)
        rate = {"learning_rate": rates[i]} if rates else {}
        loss = step(x, targets=x.roll(1, 1), **rate)
        found.append((loss.item(), step.grad_norm.item()))
    return torch.tensor(found)


def make(model, **options):
    settings = {**SETTINGS, "max_grad_norm": 0.3, **options.pop("settings", {})}
    return temlir.train_step(model, loss="mse", settings=settings, **options)


class Training(unittest.TestCase):
    def compare(self, optimizer, spec, rates=None, settings=None):
        model, plain = block(), block()
        addresses = [p.data_ptr() for p in model.parameters()]
        step = make(model, precision="f32", optimizer=spec, settings=settings or {})
        expected = reference(plain, 5, optimizer(plain.parameters()), rates)
        torch.testing.assert_close(run(step, 5, rates), expected, rtol=1e-5, atol=1e-6)
        for a, b in zip(model.parameters(), plain.parameters()):
            # AdamW makes steps of up to 1e-3 of gradients that are rounding errors.
            torch.testing.assert_close(a, b, rtol=1e-3, atol=2e-4)
        self.assertEqual(addresses, [p.data_ptr() for p in model.parameters()])

    def test_adamw(self):
        self.compare(
            lambda p: torch.optim.AdamW(p, lr=1e-3, weight_decay=0.0), "adamw"
        )

    def test_learning_rates(self):
        self.compare(
            lambda p: torch.optim.AdamW(p, weight_decay=0.0),
            "adamw",
            rates=[1e-3, 3e-3, 0.0, 1e-4, 2e-3],
        )

    def test_sgd(self):
        self.compare(
            lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9),
            "sgd",
            settings={"learning_rate": 0.1, "momentum": 0.9},
        )

    def test_fp8_losses(self):
        expected = reference(
            model := block(), 6, torch.optim.AdamW(model.parameters(), weight_decay=0.0)
        )
        for recipe in ("delayed_scaling", "current_scaling"):
            step = make(block(), recipe=recipe)
            found = run(step, 6)
            torch.testing.assert_close(found, expected, rtol=0.02, atol=0)
            self.assertGreater(len(step.report()[0]["slots"]), 0)

    def test_small_gradients_are_calibrated(self):
        """Below what E5M2 holds with a scale of 1."""

        class Small(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = block()

            def forward(self, x, y):
                return 1e-9 * (self.inner(x) - y).square().sum()

        model, plain = Small(), Small()
        x = batch()
        y = x.roll(1, 1)
        plain(x, y).backward()
        step = temlir.train_step(model, loss="output", settings=SETTINGS)
        loss = step(x, y)
        torch.testing.assert_close(loss, plain(x, y).detach(), rtol=0.01, atol=0)
        norm = torch.stack([p.grad.norm() for p in plain.parameters()]).norm()
        torch.testing.assert_close(step.grad_norm, norm, rtol=0.03, atol=0)

    def test_frozen_parameters(self):
        model = block()
        model.fc_1.weight.requires_grad_(False)
        before = {name: p.detach().clone() for name, p in model.named_parameters()}
        run(make(model), 1)
        for name, p in model.named_parameters():
            self.assertEqual(torch.equal(p, before[name]), name == "fc_1.weight", name)

    def test_changed_parameters(self):
        changes = {
            "unfrozen": lambda model: model.fc_1.weight.requires_grad_(),
            "converted": lambda model: model.bfloat16(),
            "replaced": lambda model: model.load_state_dict(
                copy.deepcopy(model.state_dict()), assign=True
            ),
        }
        for name, change in changes.items():
            with self.subTest(name):
                model = block()
                model.fc_1.weight.requires_grad_(False)
                step = make(model, precision="f32")
                step(batch(), targets=batch())
                change(model)
                with self.assertRaisesRegex(temlir.TemlirError, name):
                    step(batch(), targets=batch())

    def test_dropout(self):
        model = block(dropout=0.5)
        step = make(model, precision="f32", settings={"learning_rate": 0.0})
        x = batch()
        torch.manual_seed(3)
        first, second = step(x, targets=x), step(x, targets=x)
        self.assertNotEqual(first.item(), second.item())
        torch.manual_seed(3)
        self.assertEqual(step(x, targets=x).item(), first.item())


class States(unittest.TestCase):
    def save(self, model, step):
        file = io.BytesIO()
        torch.save({"model": model.state_dict(), "step": step.state_dict()}, file)
        file.seek(0)
        return torch.load(file)

    def test_resume(self):
        """The same bits as without an interruption, in whichever order it is
        loaded."""
        model = block()
        step = make(model)
        run(step, 3)
        saved = self.save(model, step)
        expected = run(step, 3, start=3)
        for model_first in (True, False):
            model = block()
            step = make(model, settings={"learning_rate": 7.0})
            if model_first:
                model.load_state_dict(saved["model"])
            step.load_state_dict(saved["step"])
            if not model_first:
                model.load_state_dict(saved["model"])
            self.assertTrue(torch.equal(run(step, 3, start=3), expected))
            # Now into a step that is compiled.
            model.load_state_dict(saved["model"])
            step.load_state_dict(saved["step"])
            self.assertTrue(torch.equal(run(step, 3, start=3), expected))

    def test_changed_parameters(self):
        """FP8 copies follow what is written into the parameters from outside."""
        model = block()
        step = make(model, settings={"learning_rate": 0.0})
        run(step, 2)
        first = run(step, 1)
        with torch.no_grad():
            for layer in (model.fc_1, model.fc_2, model.qkv, model.out):
                layer.weight.zero_()
                layer.bias.zero_()
        x = batch(seed=0)
        found = run(step, 1)
        self.assertAlmostEqual(
            found[0, 0].item(), (x - x.roll(1, 1)).square().mean().item(), places=4
        )
        self.assertNotEqual(first[0, 0], found[0, 0])

    def test_shapes_share_states(self):
        model, plain = block(), block()
        step = make(model, precision="f32")
        optimizer = torch.optim.AdamW(plain.parameters(), lr=1e-3, weight_decay=0.0)
        for i, size in enumerate((2, 3, 2)):
            x = batch(size, seed=i)
            loss = step(x, targets=x.roll(1, 1))
            expected = (plain(x) - x.roll(1, 1)).square().mean()
            torch.testing.assert_close(loss, expected.detach(), rtol=1e-5, atol=0)
            expected.backward()
            torch.nn.utils.clip_grad_norm_(plain.parameters(), 0.3)
            optimizer.step()
            optimizer.zero_grad()
        self.assertEqual(len(step.report()), 2)

    def test_autograd_sees_the_change(self):
        model = block()
        step = make(model, precision="f32")
        loss = model(batch()).sum()
        run(step, 1)
        with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
            loss.backward()

    def test_other_states(self):
        model = block()
        step = make(model, precision="f32")
        run(step, 1)
        other = make(block(), precision="f32", optimizer="sgd")
        other.load_state_dict({**step.state_dict(), "settings": {}})
        with self.assertRaisesRegex(temlir.TemlirError, "another model, optimizer"):
            other(batch(), targets=batch())


class Llama(unittest.TestCase):
    def test_losses(self):
        try:
            import transformers
        except ImportError:
            self.skipTest("transformers is not installed")
        config = transformers.LlamaConfig(
            vocab_size=64,
            hidden_size=64,
            intermediate_size=192,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
        )

        def make():
            torch.manual_seed(0)
            return transformers.LlamaForCausalLM(config)

        batches = []
        for i in range(10):
            torch.manual_seed(i)
            batches.append((torch.arange(32) * torch.randint(1, 5, (4, 1))) % 64)
        plain = make()
        optimizer = torch.optim.AdamW(plain.parameters(), lr=3e-3, weight_decay=0.0)
        expected = []
        for ids in batches:
            logits = plain(input_ids=ids).logits
            loss = F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(plain.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            expected.append(loss.item())
        settings = {"learning_rate": 3e-3, "weight_decay": 0.0}
        for precision, bar in (("f32", 1e-3), ("fp8", 0.05)):
            step = temlir.train_step(
                make(), loss="causal-lm", settings=settings, precision=precision
            )
            found = [step(input_ids=ids).item() for ids in batches]
            torch.testing.assert_close(
                torch.tensor(found), torch.tensor(expected), rtol=bar, atol=0
            )


class Errors(unittest.TestCase):
    def assertSays(self, pattern, function):
        with self.assertRaisesRegex(temlir.TemlirError, pattern):
            function()

    def test_calls(self):
        x, model = torch.randn(4, 16), torch.nn.Linear(16, 16)
        step = temlir.train_step(model, loss="mse", precision="f32")
        self.assertSays("needs targets=", lambda: step(x))
        self.assertSays(
            r"labels is \[4, 8\], and the step takes \[4, 16\]",
            lambda: step(x, targets=x[:, :8]),
        )
        step = temlir.train_step(model, loss="mse", settings={"rate": 1.0})
        self.assertSays(
            "no setting rate; it has learning_rate, beta1",
            lambda: step(x, targets=x),
        )
        step = temlir.train_step(model, loss="mse", precision="f32", limit=1)
        step(x, targets=x)
        self.assertSays(
            "larger limit=", lambda: step(torch.randn(2, 16), targets=x[:2])
        )

    def test_modules(self):
        x, model = torch.randn(4, 16), torch.nn.Linear(16, 16)
        step = temlir.train_step(model.bfloat16(), loss="mse")
        self.assertSays("call module.float()", lambda: step(x, targets=x))
        step = temlir.train_step(model.float().requires_grad_(False), loss="mse")
        self.assertSays("requires a gradient", lambda: step(x, targets=x))
        step = temlir.train_step(model.requires_grad_(), loss="hinge")
        self.assertSays("hinge", lambda: step(x, targets=x))


if __name__ == "__main__":
    unittest.main()
