# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes experts/NAME.onnx: one layer of Hugging Face mixtures with more experts than
those of families, without weights (te-compile --init); and of masks.onnx, layers that
compute all experts times gates that are zero but for a few, PyTorch's results and
gradients in float64 (masks.safetensors). Needs torch, transformers 5, onnx, onnxscript
and safetensors.

usage: make_experts.py"""

import os
import sys

import onnx
import torch
import transformers
from safetensors.torch import save_file

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../python"))
from temlir_export import export_onnx  # noqa: E402

COMMON = dict(
    vocab_size=64, num_attention_heads=4, max_position_embeddings=16,
    pad_token_id=0, bos_token_id=1, eos_token_id=2, tie_word_embeddings=False,
    use_cache=False)
# Rows of 128 elements, and of fewer.
MODELS = {
    "mixtral8": ("mixtral", dict(
        hidden_size=128, intermediate_size=128, num_hidden_layers=1,
        num_key_value_heads=2, num_local_experts=8, num_experts_per_tok=2)),
    "deepseek16": ("deepseek_v3", dict(
        hidden_size=64, intermediate_size=64, num_hidden_layers=2,
        num_key_value_heads=4, first_k_dense_replace=1, n_routed_experts=16,
        num_experts_per_tok=4, n_group=4, topk_group=2, moe_intermediate_size=32,
        n_shared_experts=1, q_lora_rank=16, kv_lora_rank=16, qk_rope_head_dim=8,
        qk_nope_head_dim=8, v_head_dim=16)),
}

HIDDEN, FFN, EXPERTS, CHOSEN, VOCABULARY, SHAPE = 16, 16, 8, 2, 48, (2, 64)


class Mixture(torch.nn.Module):
    """Gates as a sum of one-hot rows, or elements that are scattered, which a mask may
    keep; experts as einsums, or as products in a batch."""

    def __init__(self, form):
        super().__init__()
        self.form = form
        self.router = torch.nn.Linear(HIDDEN, EXPERTS, bias=False)
        self.up = torch.nn.Parameter(torch.randn(EXPERTS, HIDDEN, FFN))
        self.bias = torch.nn.Parameter(torch.randn(EXPERTS, FFN))
        self.down = torch.nn.Parameter(torch.randn(EXPERTS, FFN, HIDDEN))

    def forward(self, x):
        chances = torch.softmax(self.router(x), -1)
        weights, experts = torch.topk(chances, CHOSEN, dim=-1)
        if self.form == "kept":
            gates = chances * torch.zeros_like(chances).scatter(1, experts, 1.0)
            gates = gates / gates.sum(-1, keepdim=True)
        elif self.form == "scattered":
            gates = torch.zeros_like(chances).scatter(1, experts, weights)
        else:
            hot = torch.nn.functional.one_hot(experts, EXPERTS).to(x.dtype)
            gates = (hot * weights[..., None]).sum(1)
        if self.form == "batch":
            h = torch.bmm(x.unsqueeze(0).expand(EXPERTS, -1, -1), self.up)
            h = torch.nn.functional.silu(h + self.bias[:, None])
            return (torch.bmm(h, self.down) * gates.t()[..., None]).sum(0)
        h = torch.nn.functional.gelu(torch.einsum("td,edf->tef", x, self.up) + self.bias)
        y = torch.einsum("tef,efd->ted", h, self.down)
        return torch.einsum("te,ted->td", gates, y)


class Masks(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = torch.nn.Embedding(VOCABULARY, HIDDEN)
        self.layers = torch.nn.ModuleDict(
            {form: Mixture(form) for form in ("one_hot", "scattered", "kept", "batch")})
        self.head = torch.nn.Linear(HIDDEN, VOCABULARY, bias=False)

    def forward(self, input_ids):
        x = self.tokens(input_ids).reshape(-1, HIDDEN)
        for layer in self.layers.values():
            x = x + layer(x)
        return self.head(x).reshape(*input_ids.shape, VOCABULARY)


def strip(path):
    """Stack traces of every operation."""
    exported = onnx.load(path, load_external_data=False)
    for node in exported.graph.node:
        del node.metadata_props[:]
    onnx.save(exported, path)


def make_masks():
    torch.manual_seed(1)
    model = Masks()
    with torch.no_grad():
        for value in model.parameters():
            value.normal_(0, 0.2)
    ids = torch.randint(VOCABULARY, SHAPE)
    path = os.path.join(HERE, "experts", "masks.onnx")
    export_onnx(model, {"input_ids": ids}, path, output_names=["logits"])
    strip(path)
    model.double()
    labels = torch.randint(VOCABULARY, SHAPE)
    logits = model(ids)
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())
    loss.backward()
    reference = {"input.input_ids": ids, "labels": labels, "logits": logits.detach().float(),
                 "loss": loss.detach().float()}
    for name, value in model.named_parameters():
        reference[f"grad.{name}"] = value.grad.float()
    save_file(reference, path.replace(".onnx", ".safetensors"))


os.makedirs(os.path.join(HERE, "experts"), exist_ok=True)
make_masks()
for name, (kind, settings) in MODELS.items():
    config = transformers.AutoConfig.for_model(kind, **COMMON, **settings)
    model = transformers.AutoModelForCausalLM.from_config(config)
    model.set_experts_implementation("batched_mm")
    path = os.path.join(HERE, "experts", f"{name}.onnx")
    export_onnx(model, {"input_ids": torch.zeros(1, 16, dtype=torch.int64)}, path,
                output_names=["logits"], weights="absent")
    strip(path)
