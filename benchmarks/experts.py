#!/usr/bin/env python3
# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The mixtures of experts of docs/benchmarks.md: forward and backward pass of one
layer's router and experts over 8192 tokens, bf16 parameters.

    python3 benchmarks/experts.py export NAME FOLDER
        writes FOLDER/model.onnx, the block of transformers without weights; then
        te-compile FOLDER/model.onnx --target sm_90 --entry vjp --boundary bf16 \\
            --init normal:0.02 --policy 'mlp.experts*=fp8' -o layer.so
        te-run bench layer.so
    python3 benchmarks/experts.py export-model FOLDER
        writes FOLDER/model.onnx, Mixtral with one layer and its head of 32000, of 2 x
        4096 tokens, for
        te-compile FOLDER/model.onnx --target sm_90 --init normal:0.02 --mesh ep=2 \\
            --expert-capacity 1.25 -o model.so
        te-run bench model.so --devices 2
    python3 benchmarks/experts.py time NAME IMPLEMENTATION ...
        times the same layer written for PyTorch: torch (grouped products in bf16),
        or Transformer Engine's GroupedLinear: te.bf16, te.delayed, te.current,
        te.block

NAME is mixtral (4096 wide, 8 experts of 14336, 2 a token) or fine (2048 wide, 64
experts of 1024, 8 a token)."""

import dataclasses
import os
import sys

import torch

TOKENS = 8192
RECIPES = {
    "te.delayed": "DelayedScaling",
    "te.current": "Float8CurrentScaling",
    "te.block": "Float8BlockScaling",
}


@dataclasses.dataclass
class Shape:
    hidden: int
    ffn: int
    experts: int
    chosen: int

    @property
    def rows(self):
        return TOKENS * self.chosen

    @property
    def flops(self):
        # Three matrices, each in three products.
        return 3 * 3 * 2 * self.rows * self.hidden * self.ffn


SHAPES = {"mixtral": Shape(4096, 14336, 8, 2), "fine": Shape(2048, 1024, 64, 8)}


def make_block(name):
    import transformers
    from transformers.models.mixtral.modeling_mixtral import MixtralSparseMoeBlock
    from transformers.models.qwen3_moe.modeling_qwen3_moe import (
        Qwen3MoeSparseMoeBlock,
    )

    s = SHAPES[name]
    settings = dict(
        hidden_size=s.hidden, intermediate_size=s.ffn, num_experts_per_tok=s.chosen)
    if name == "mixtral":
        config = transformers.MixtralConfig(num_local_experts=s.experts, **settings)
        block = MixtralSparseMoeBlock
    else:
        config = transformers.Qwen3MoeConfig(
            num_experts=s.experts, moe_intermediate_size=s.ffn, norm_topk_prob=True,
            **settings)
        block = Qwen3MoeSparseMoeBlock
    config._experts_implementation = "batched_mm"
    return block(config).eval()


class Layer(torch.nn.Module):
    def __init__(self, name):
        super().__init__()
        self.mlp = make_block(name)

    def forward(self, x):
        y = self.mlp(x)
        return y[0] if isinstance(y, tuple) else y


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        import transformers

        s = SHAPES["mixtral"]
        config = transformers.MixtralConfig(
            hidden_size=s.hidden, intermediate_size=s.ffn, num_local_experts=s.experts,
            num_experts_per_tok=s.chosen, num_hidden_layers=1, vocab_size=32000,
            max_position_embeddings=TOKENS // 2, sliding_window=None)
        config._experts_implementation = "batched_mm"
        # Nobody reads the weights.
        with torch.device("meta"):
            model = transformers.MixtralForCausalLM(config)
        self.model = model.to_empty(device="cpu").float().eval()
        rotary = self.model.model.rotary_emb
        self.model.model.rotary_emb = type(rotary)(config)

    def forward(self, input_ids):
        return self.model(input_ids=input_ids, use_cache=False).logits


def export_model(folder):
    ids = torch.randint(0, 32000, (2, TOKENS // 2))
    write(Model().eval(), {"input_ids": ids}, folder, "logits")


def export(name, folder):
    x = torch.randn(2, TOKENS // 2, SHAPES[name].hidden)
    write(Layer(name), {"x": x}, folder, "y")


def write(model, inputs, folder, output):
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    sys.path.insert(0, os.path.join(root, "python"))
    from temlir_export import export_onnx

    os.makedirs(folder, exist_ok=True)
    export_onnx(
        model, inputs, os.path.join(folder, "model.onnx"), output_names=[output],
        allow_unused=True, weights="absent")


def random(*sizes, scale=1.0):
    return (torch.randn(*sizes, device="cuda") * scale).bfloat16()


class Workload:
    """The layer for PyTorch; subclasses say how rows are grouped and multiplied."""

    def __init__(self, shape):
        self.shape = s = shape
        self.x = random(TOKENS, s.hidden).requires_grad_()
        self.router = random(s.experts, s.hidden, scale=0.02).requires_grad_()
        self.dy = random(TOKENS, s.hidden)

    def route(self):
        scores = torch.softmax((self.x @ self.router.t()).float(), -1)
        weights, experts = scores.topk(self.shape.chosen, -1)
        return weights / weights.sum(-1, keepdim=True), experts

    def step(self):
        y = self.forward()
        return torch.autograd.grad(y, [self.x, self.router, *self.parameters()], self.dy)


def gate(h):
    first, second = h.chunk(2, -1)
    return torch.nn.functional.silu(first) * second


class Torch(Workload):
    def __init__(self, shape):
        super().__init__(shape)
        s = shape
        self.up = random(s.experts, 2 * s.ffn, s.hidden, scale=0.02).requires_grad_()
        self.down = random(s.experts, s.hidden, s.ffn, scale=0.02).requires_grad_()

    def parameters(self):
        return [self.up, self.down]

    def forward(self):
        s = self.shape
        weights, experts = self.route()
        experts = experts.reshape(-1)
        order = torch.argsort(experts, stable=True)
        counts = torch.bincount(experts, minlength=s.experts)
        ends = torch.cumsum(counts, 0).to(torch.int32)
        rows = self.x[order // s.chosen]
        h = torch._grouped_mm(rows, self.up.transpose(-2, -1), offs=ends)
        y = torch._grouped_mm(gate(h), self.down.transpose(-2, -1), offs=ends)
        y = y[torch.argsort(order)].view(TOKENS, s.chosen, s.hidden)
        return (y * weights.bfloat16()[..., None]).sum(1)


class TransformerEngine(Workload):
    """Rows of each expert are padded to a multiple of 16, as FP8 products need."""

    def __init__(self, shape, recipe):
        import transformer_engine.pytorch as te
        from transformer_engine.common import recipe as recipes

        super().__init__(shape)
        self.te, s = te, shape
        make = lambda inputs, outputs: te.GroupedLinear(  # noqa: E731
            s.experts, inputs, outputs, bias=False, params_dtype=torch.bfloat16,
            device="cuda")
        self.up, self.down = make(s.hidden, 2 * s.ffn), make(s.ffn, s.hidden)
        self.recipe = getattr(recipes, recipe)() if recipe else None

    def parameters(self):
        return [*self.up.parameters(), *self.down.parameters()]

    def forward(self):
        s, te = self.shape, self.te
        weights, experts = self.route()
        rows, places = te.moe_permute(
            self.x, experts.to(torch.int32), s.rows, map_type="index")
        counts = torch.bincount(experts.reshape(-1), minlength=s.experts).tolist()
        if not self.recipe:
            y = self.down(gate(self.up(rows, counts)), counts)
        else:
            pieces, begin = [], 0
            for count in counts:
                pieces += [torch.arange(begin, begin + count, device="cuda"),
                           torch.full((-count % 16,), s.rows, device="cuda")]
                begin += count
            source = torch.cat(pieces)
            rows = torch.cat([rows, rows.new_zeros(1, s.hidden)])[source]
            counts = [count + -count % 16 for count in counts]
            with te.fp8_autocast(enabled=True, fp8_recipe=self.recipe):
                y = self.down(gate(self.up(rows, counts)), counts)
            y = y[source < s.rows]
        return te.moe_unpermute(y, places, weights, map_type="index")


def time(name, implementation, repetitions=20):
    shape = SHAPES[name]
    torch.manual_seed(0)
    work = (Torch(shape) if implementation == "torch"
            else TransformerEngine(shape, RECIPES.get(implementation)))
    for _ in range(5):
        work.step()
    torch.cuda.synchronize()
    times = []
    for _ in range(repetitions):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        work.step()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end))
    times.sort()
    median = times[len(times) // 2]
    print(f"{name:8} {implementation:10} median {median:7.3f} ms, fastest "
          f"{times[0]:7.3f}, {shape.flops / median / 1e9:5.0f} TFLOP/s, peak "
          f"{torch.cuda.max_memory_allocated() / 2**30:.2f} GiB", flush=True)


def main():
    command, name, *rest = sys.argv[1:] + [""] * (3 - len(sys.argv))
    if command == "export-model" and name and not rest:
        return export_model(name)
    if command == "export" and name in SHAPES and len(rest) == 1:
        return export(name, rest[0])
    known = {"torch", "te.bf16", *RECIPES}
    if command != "time" or name not in SHAPES or not rest or set(rest) - known:
        sys.exit(__doc__)
    for implementation in rest:
        time(name, implementation)
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()


if __name__ == "__main__":
    main()
