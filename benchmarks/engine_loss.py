# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loss of Transformer Engine's recipes on GPT-2, from a checkpoint of te-run.

usage: engine_loss.py CHECKPOINT --recipe NAME --data train.bin --eval-data eval.bin

Continues a training of te-run (benchmarks/choice_study.py's protocol) with Transformer
Engine's layers: in bf16, or in FP8 with a recipe, on the same batches. The loss of the evaluation is computed in bf16 by the same layers. Parameters and
AdamW's moments come from the checkpoint, the learning rate from the same schedule:
cosine, to `--min-lr` at `--until`. Needs torch, safetensors and transformer_engine."""

import argparse
import json
import statistics
import time

import numpy
import torch
import torch.nn.functional as F
import transformer_engine.pytorch as te
from safetensors import safe_open
from safetensors.torch import load_file
from transformer_engine.common.recipe import (
    DelayedScaling,
    Float8CurrentScaling,
    Format,
)

LENGTH, WIDTH, HEADS, LAYERS = 1024, 768, 12, 12

RECIPES = {
    "bf16": None,
    "bf16 again": None,
    "delayed": lambda: DelayedScaling(fp8_format=Format.HYBRID, amax_history_len=1024),
    "delayed, history 16": lambda: DelayedScaling(
        fp8_format=Format.HYBRID, amax_history_len=16
    ),
    "current": Float8CurrentScaling,
}


class Model(torch.nn.Module):
    def __init__(self, vocabulary):
        super().__init__()
        self.wte = torch.nn.Embedding(vocabulary, WIDTH)
        self.wpe = torch.nn.Embedding(LENGTH, WIDTH)
        self.layers = torch.nn.ModuleList(
            te.TransformerLayer(
                WIDTH,
                4 * WIDTH,
                HEADS,
                hidden_dropout=0.0,
                attention_dropout=0.0,
                self_attn_mask_type="causal",
                attn_input_format="bshd",
                fuse_qkv_params=True,
                qkv_weight_interleaved=False,
                activation="gelu",
                params_dtype=torch.float32,
                layer_number=i + 1,
            )
            for i in range(LAYERS)
        )
        self.norm = torch.nn.LayerNorm(WIDTH)

    def forward(self, ids, recipe=None):
        with torch.autocast("cuda", torch.bfloat16):
            x = (self.wte(ids[:, :-1]) + self.wpe.weight).bfloat16()
            with te.fp8_autocast(enabled=recipe is not None, fp8_recipe=recipe):
                for layer in self.layers:
                    x = layer(x)
            logits = F.linear(self.norm(x), self.wte.weight)
        return F.cross_entropy(logits.flatten(0, 1).float(), ids[:, 1:].flatten())


def names_of():
    """{name in Model: (name of the checkpoint's parameter, whether it is turned)}"""
    names = {
        "wte.weight": ("lm_head.weight", False),
        "wpe.weight": ("transformer.wpe.weight", False),
        "norm.weight": ("transformer.ln_f.weight", False),
        "norm.bias": ("transformer.ln_f.bias", False),
    }
    for i in range(LAYERS):
        there = f"transformer.h.{i}."
        for own, other in {
            "self_attention.layernorm_qkv.layer_norm_": "ln_1.",
            "self_attention.layernorm_qkv.": "attn.c_attn.",
            "self_attention.proj.": "attn.c_proj.",
            "layernorm_mlp.layer_norm_": "ln_2.",
            "layernorm_mlp.fc1_": "mlp.c_fc.",
            "layernorm_mlp.fc2_": "mlp.c_proj.",
        }.items():
            for kind in ("weight", "bias"):
                turned = kind == "weight" and "ln_" not in other
                names[f"layers.{i}.{own}{kind}"] = (f"{there}{other}{kind}", turned)
    return names


def load(model, optimizer, path):
    """Parameters and moments; returns the step."""
    tensors = load_file(path)
    with safe_open(path, "pt") as file:
        steps = int(file.metadata()["step"])
    own = dict(model.named_parameters())
    names = names_of()
    assert set(own) == set(names), set(own) ^ set(names)
    for name, (there, turned) in names.items():

        def take(key):
            value = tensors[key].float()
            return (value.t() if turned else value).contiguous().cuda()

        own[name].data.copy_(take(there))
        optimizer.state[own[name]] = {
            "step": torch.tensor(float(steps), device="cuda"),
            "exp_avg": take("adamw.exp_avg." + there),
            "exp_avg_sq": take("adamw.exp_avg_sq." + there),
        }
    return steps


def rate_at(step, options):
    share = (step - options.warmup) / (options.until - options.warmup)
    cosine = 0.5 * (1 + numpy.cos(numpy.pi * share))
    return options.min_lr + (options.lr - options.min_lr) * cosine


def batches(tokens, options):
    random = numpy.random.default_rng(options.seed)
    for _ in range(options.steps):
        starts = random.integers(len(tokens) - LENGTH, size=options.batch)
        rows = numpy.stack([tokens[s : s + LENGTH + 1] for s in starts])
        yield torch.from_numpy(rows.astype(numpy.int64)).cuda(non_blocking=True)


@torch.no_grad()
def evaluate(model, tokens):
    losses = []
    for start in range(0, len(tokens) - LENGTH - 1, LENGTH * 32):
        rows = [
            tokens[s : s + LENGTH + 1]
            for s in range(start, min(start + LENGTH * 32, len(tokens) - LENGTH), LENGTH)
        ]
        ids = torch.from_numpy(numpy.stack(rows).astype(numpy.int64)).cuda()
        losses.append((model(ids).item(), len(rows)))
    return sum(loss * n for loss, n in losses) / sum(n for _, n in losses)


def train(name, options):
    torch.manual_seed(0)
    model = Model(options.vocabulary).cuda()
    decayed = [p for p in model.parameters() if p.dim() >= 2]
    others = [p for p in model.parameters() if p.dim() < 2]
    optimizer = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": 0.1}, {"params": others, "weight_decay": 0}],
        betas=(0.9, 0.95),
        eps=1e-8,
        fused=True,
    )
    first = load(model, optimizer, options.checkpoint)
    tokens = numpy.memmap(options.data, numpy.uint16, "r")
    held = numpy.memmap(options.eval_data, numpy.uint16, "r")
    before = evaluate(model, held)
    make = RECIPES[name]
    recipe = make() if make else None
    losses, begin = [], time.perf_counter()
    for step, ids in enumerate(batches(tokens, options), first + 1):
        loss = model(ids, recipe)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for group in optimizer.param_groups:
            group["lr"] = rate_at(step, options)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.detach())
    losses = [loss.item() for loss in losses]
    seconds = (time.perf_counter() - begin) / len(losses)
    return {
        "name": name,
        "seed": options.seed,
        "before": before,
        "eval": evaluate(model, held),
        "train": statistics.mean(losses[-200:]),
        "first": losses[0],
        "seconds": seconds,
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkpoint")
    parser.add_argument("--data", required=True)
    parser.add_argument("--eval-data", required=True)
    parser.add_argument("--recipe", choices=list(RECIPES), required=True)
    parser.add_argument("--seed", type=int, default=0, help="of the batches' order")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--until", type=int, default=4000)
    parser.add_argument("--warmup", type=int, default=400)
    parser.add_argument("--lr", type=float, default=6e-4)
    parser.add_argument("--min-lr", type=float, default=6e-5)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--vocabulary", type=int, default=50257)
    options = parser.parse_args()
    print(json.dumps(train(options.recipe, options)), flush=True)
