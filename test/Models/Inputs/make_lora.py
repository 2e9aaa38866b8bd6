# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes lora: a tiny Llama of Hugging Face with adapters of PEFT on the projections of
queries and values, exported with what PEFT freezes; PyTorch's gradients of the adapters
in float64; and the first steps of a training of them by PyTorch's AdamW in float64.
Needs torch, transformers 5, peft, onnx, onnxscript, safetensors.

usage: make_lora.py"""

import os
import sys
import tempfile

import onnx
import torch
from peft import LoraConfig, get_peft_model
from safetensors.torch import save_file
from torch.nn.functional import cross_entropy
from transformers import LlamaConfig, LlamaForCausalLM

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "lora")
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "../../../python"))
from make_families import strip  # noqa: E402
from temlir_export import export_onnx  # noqa: E402

VOCABULARY, BATCH, SEQUENCE = 48, 2, 16
# Epsilon is far above the rounding of a float32 gradient.
STEPS, RATE, DECAY, CLIP, BETAS, EPS = 4, 1e-2, 0.1, 0.5, (0.9, 0.999), 1e-6


def make_model():
    torch.manual_seed(5)
    model = LlamaForCausalLM(LlamaConfig(
        vocab_size=VOCABULARY, hidden_size=32, intermediate_size=48,
        num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=2,
        max_position_embeddings=SEQUENCE, tie_word_embeddings=False,
        initializer_range=0.1))
    # Adapters that are not zero, so that all of them have gradients.
    return get_peft_model(model, LoraConfig(
        r=4, lora_alpha=8, lora_dropout=0.0, init_lora_weights=False,
        target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM")).eval()


def save(tensors, name):
    save_file({key: value.contiguous() for key, value in tensors.items()},
              os.path.join(FOLDER, name + ".safetensors"))


def loss_of(model, ids):
    """Of the next tokens, as causal-lm has it."""
    logits = model(input_ids=ids, use_cache=False).logits
    return cross_entropy(logits[:, :-1].reshape(-1, VOCABULARY), ids[:, 1:].reshape(-1))


os.makedirs(FOLDER, exist_ok=True)
model = make_model()
generator = torch.Generator().manual_seed(7)
ids = (torch.rand(STEPS, BATCH, SEQUENCE, generator=generator) ** 2 * VOCABULARY).long()
with tempfile.TemporaryDirectory() as work:
    path = os.path.join(work, "model.onnx")
    export_onnx(model, {"input_ids": ids[0]}, path, output_names=["logits"])
    onnx.save(strip(path), os.path.join(FOLDER, "model.onnx"))

model = model.double()
trained = {n: p for n, p in model.named_parameters() if p.requires_grad}
save({n: p.detach().float() for n, p in model.named_parameters() if not p.requires_grad},
     "base")
loss = loss_of(model, ids[0])
loss.backward()
save({"input_ids": ids[0], "loss": loss.detach().float(),
      **{f"grad.{n}": p.grad.float() for n, p in trained.items()}}, "gradients")

save({"input_ids": ids.to(torch.int32)}, "batches")
optimizer = torch.optim.AdamW(trained.values(), lr=RATE, betas=BETAS, eps=EPS,
                              weight_decay=DECAY)
for step in range(STEPS):
    optimizer.zero_grad()
    loss_of(model, ids[step]).backward()
    norm = torch.nn.utils.clip_grad_norm_(trained.values(), CLIP)
    optimizer.step()
    print(f"step {step + 1}: norm {norm:.4f}")
save({n: p.detach().float() for n, p in trained.items()}, "trained")
