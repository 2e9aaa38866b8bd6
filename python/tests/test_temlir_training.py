# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled modules in the loops that people have."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from temlir_models import Block, batch, block, require_compiler, torch

import temlir

require_compiler()
F = torch.nn.functional


def _rank(rank, folder):
    """One of two ranks of DistributedDataParallel, each with half of a batch."""
    torch.set_num_threads(1)
    torch.distributed.init_process_group(
        "gloo", init_method=f"file://{folder}/store", rank=rank, world_size=2
    )
    model = block()
    compiled = temlir.compile(model, precision="f32")
    parallel = torch.nn.parallel.DistributedDataParallel(compiled)
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for step in range(2):
        x = batch(4, seed=step)[2 * rank : 2 * rank + 2]
        (parallel(x) - x.roll(1, 1)).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()
    torch.save(parallel.module.state_dict(), f"{folder}/{rank}.pt")
    torch.distributed.destroy_process_group()


def _blocks():
    torch.manual_seed(0)
    return torch.nn.Sequential(Block(), torch.nn.Linear(64, 64), Block())


def _shard_rank(rank, folder, precision):
    """One of two ranks that hold a half of every parameter (FSDP2)."""
    from torch.distributed.fsdp import fully_shard

    torch.set_num_threads(1)
    torch.distributed.init_process_group(
        "gloo", init_method=f"file://{folder}/store", rank=rank, world_size=2
    )
    mesh = torch.distributed.device_mesh.init_device_mesh("cpu", (2,))
    model = temlir.convert(_blocks(), precision=precision)
    for part in (model[0], model[2], model):
        fully_shard(part, mesh=mesh)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(3):
        x = batch(4, seed=step)[2 * rank : 2 * rank + 2]
        (model(x) - x.roll(1, 1)).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()
    halves = [p.to_local().numel() for p in model.parameters()]
    whole = {name: p.full_tensor() for name, p in model.state_dict().items()}
    torch.save((halves, whole), f"{folder}/{rank}.pt")
    torch.distributed.destroy_process_group()


class DataParallel(unittest.TestCase):
    def test_shards(self):
        """FSDP2 around converted blocks, with the gradients of the whole batch."""
        model = _blocks()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for step in range(3):
            x = batch(4, seed=step)
            (model(x) - x.roll(1, 1)).square().mean().backward()
            optimizer.step()
            optimizer.zero_grad()
        sizes = [p.numel() for p in model.parameters()]
        for precision, bar in (("f32", 1e-5), ("fp8", 0.1)):
            with tempfile.TemporaryDirectory() as folder:
                torch.multiprocessing.spawn(_shard_rank, (folder, precision), nprocs=2)
                found = [torch.load(f"{folder}/{rank}.pt") for rank in range(2)]
            self.assertEqual([a + b for a, b in zip(*(f[0] for f in found))], sizes)
            self.assertLess(max(found[0][0]), max(sizes))
            for name, expected in model.state_dict().items():
                self.assertTrue(torch.equal(found[0][1][name], found[1][1][name]))
                error = (found[0][1][name] - expected).norm() / expected.norm()
                self.assertLess(error.item(), bar, (precision, name))

    def test_two_ranks(self):
        with tempfile.TemporaryDirectory() as folder:
            torch.multiprocessing.spawn(_rank, (folder,), nprocs=2)
            found = [torch.load(f"{folder}/{rank}.pt") for rank in range(2)]
        model = block()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for step in range(2):
            x = batch(4, seed=step)
            (model(x) - x.roll(1, 1)).square().mean().backward()
            optimizer.step()
            optimizer.zero_grad()
        for name, expected in model.state_dict().items():
            self.assertTrue(torch.equal(found[0][name], found[1][name]), name)
            torch.testing.assert_close(found[0][name], expected, rtol=1e-4, atol=1e-6)


class Blocks(unittest.TestCase):
    """temlir.convert."""

    class Model(torch.nn.Module):
        def __init__(self, blocks):
            super().__init__()
            self.table = torch.nn.Embedding(32, 64)
            self.blocks = torch.nn.ModuleList(blocks)
            self.head = torch.nn.Linear(64, 32)

        def forward(self, ids):
            x = self.table(ids)
            for one in self.blocks:
                x = one(x)
            return self.head(x)

    def programs_of(self, blocks):
        """The number of programs of a converted model whose results are checked."""
        model = self.Model(blocks)
        ids = torch.arange(32).view(2, 16)
        parameters = list(model.parameters())
        names = list(model.state_dict())
        expected = torch.autograd.grad(model(ids).square().sum(), parameters)
        converted = temlir.convert(model, precision="f32")
        self.assertIs(converted, model)
        self.assertEqual(list(model.state_dict()), names)
        found = torch.autograd.grad(model(ids).square().sum(), parameters)
        for a, b in zip(found, expected):
            torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-3)
        compiled = [m for m in model.modules() if isinstance(m, temlir.CompiledModule)]
        self.assertEqual(len(compiled), len(blocks))
        return len({id(c.program) for m in compiled for c in m._calls.values()})

    def test_equal_blocks_share_a_program(self):
        self.assertEqual(self.programs_of([Numbered(i, 1) for i in range(3)]), 1)

    def test_other_graphs_do_not(self):
        self.assertEqual(self.programs_of([Numbered(i, 1 + i // 2) for i in range(3)]), 2)

    def test_fp8_scales_are_of_each_block(self):
        model = temlir.convert(self.Model([Numbered(i, 1) for i in range(2)]))
        model(torch.arange(32).view(2, 16)).square().sum().backward()
        first, second = (next(iter(b.fp8_state().values())) for b in model.blocks)
        self.assertFalse(torch.equal(first["fp8.scales"], second["fp8.scales"]))

    def test_nothing_to_convert(self):
        with self.assertRaisesRegex(temlir.TemlirError, "Linear has no ModuleList"):
            temlir.convert(torch.nn.Linear(16, 16))


class Numbered(torch.nn.Module):
    """A block that knows its place, which its graph may depend on."""

    def __init__(self, place, divisor):
        super().__init__()
        self.place, self.divisor = place, divisor
        self.inner = Block()

    def forward(self, x):
        return self.inner(x) / self.divisor


class Llama(unittest.TestCase):
    """A model of Hugging Face in a plain loop: one line is added."""

    @classmethod
    def setUpClass(cls):
        try:
            import transformers
        except ImportError:
            raise unittest.SkipTest("transformers is not installed") from None
        cls.transformers = transformers

    def train(self, steps=12, **options):
        torch.manual_seed(0)
        config = self.transformers.LlamaConfig(
            vocab_size=64,
            hidden_size=64,
            intermediate_size=192,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
        )
        model = self.transformers.LlamaForCausalLM(config)
        if options:
            model = temlir.compile(model, **options)
        optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
        losses = []
        for step in range(steps):
            torch.manual_seed(step)
            ids = (torch.arange(32) * torch.randint(1, 5, (4, 1))) % 64
            logits = model(input_ids=ids).logits
            loss = F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.item())
        return torch.tensor(losses)

    def test_losses(self):
        eager = self.train()
        self.assertLess(eager[-1], 0.7 * eager[0])
        for precision, bar in (("f32", 1e-3), ("bf16", 0.02), ("fp8", 0.05)):
            losses = self.train(precision=precision)
            torch.testing.assert_close(losses, eager, rtol=bar, atol=0)

    def test_loss_of_the_model(self):
        config = self.transformers.LlamaConfig(
            vocab_size=64,
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=1,
            num_attention_heads=2,
        )
        model = self.transformers.LlamaForCausalLM(config)
        compiled = temlir.compile(model, precision="f32")
        ids = torch.arange(32).view(2, 16)
        expected, found = (m(input_ids=ids, labels=ids) for m in (model, compiled))
        self.assertIs(type(found), type(expected))
        torch.testing.assert_close(found.loss, expected.loss)
        for a, b in zip(
            *(
                torch.autograd.grad(out.loss, list(model.parameters()))
                for out in (found, expected)
            )
        ):
            torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-5)


if __name__ == "__main__":
    unittest.main()
