# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled modules in the loops that people have."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from temlir_models import batch, block, require_compiler, torch

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


class DataParallel(unittest.TestCase):
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
