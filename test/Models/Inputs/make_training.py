# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes gpt2_vocab509/training.safetensors: the first steps of a training of
gpt2_vocab509/model.onnx by PyTorch's AdamW in float64. Run it in its folder; it
needs torch, transformers, onnx and safetensors."""
import math

import numpy as np
import onnx
import torch
from safetensors.torch import load_file, save_file
from torch.nn.functional import cross_entropy
from transformers import GPT2Config, GPT2LMHeadModel

# Epsilon is far above the rounding of a float32 gradient: below it, Adam's step
# would be that rounding's sign.
STEPS, RATE, MINIMUM, WARMUP = 6, 1e-3, 1e-4, 2
DECAY, CLIP, BETAS, EPS = 0.1, 1.5, (0.9, 0.98), 1e-6
TIED = {"transformer.wte.weight": "lm_head.weight"}


def make_model():
    model = GPT2LMHeadModel(GPT2Config(
        vocab_size=509, n_positions=64, n_embd=64, n_layer=2, n_head=4,
        resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, use_cache=False))
    graph = onnx.load("gpt2_vocab509/model.onnx").graph
    weights = {i.name: onnx.numpy_helper.to_array(i) for i in graph.initializer}
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            values = torch.from_numpy(weights[TIED.get(name, name)].copy())
            assert values.shape == parameter.shape, name
            parameter.copy_(values)
    reference = load_file("gpt2_vocab509/reference.safetensors")
    with torch.no_grad():
        logits = model(reference["input.input_ids"]).logits
    assert torch.allclose(logits, reference["logits"], atol=1e-4)
    return model.double().train()


def cosine_rate(step):
    if step < WARMUP:
        return RATE * (step + 1) / WARMUP
    progress = (step - WARMUP) / (STEPS - WARMUP - 1)
    return MINIMUM + (RATE - MINIMUM) * (1 + math.cos(math.pi * progress)) / 2


def checksums(name, parameter):
    """The norm, and products with cosines of 1, 2 and 3 radians a place."""
    values = parameter.detach().flatten().numpy()
    if name.endswith("attn.c_attn.bias"):
        # Softmax does not change when every key moves by one vector: the
        # gradient of the keys' bias is zero, and Adam makes whole steps of
        # whatever rounding leaves of it.
        query, _, value = np.split(values, 3)
        values = np.concatenate([query, value])
    places = np.arange(len(values))
    return torch.tensor([np.linalg.norm(values)] +
                        [values @ np.cos(k * places) for k in (1, 2, 3)])


def train(ids, rate):
    model = make_model()
    parameters = dict(model.named_parameters())
    decayed = {n for n, p in parameters.items()
               if p.dim() > 1 and ".wte." not in n and ".wpe." not in n}
    optimizer = torch.optim.AdamW(
        [{"params": [parameters[n] for n in sorted(decayed)],
          "weight_decay": DECAY},
         {"params": [p for n, p in parameters.items() if n not in decayed],
          "weight_decay": 0.0}], lr=RATE, betas=BETAS, eps=EPS)
    losses, norms = [], []
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        logits = model(ids[step]).logits
        loss = cross_entropy(logits[:, :-1].reshape(-1, 509),
                             ids[step][:, 1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        norms.append(torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP))
        optimizer.step()
        losses.append(loss.detach())
    result = {"loss": torch.stack(losses), "grad_norm": torch.stack(norms)}
    for name, parameter in parameters.items():
        result["checksums." + TIED.get(name, name)] = checksums(name, parameter)
    return result


generator = torch.Generator().manual_seed(11)
# Squares make some tokens frequent, so that there is something to learn.
ids = (torch.rand(STEPS, 2, 64, generator=generator) ** 2 * 509).long()
tensors = {"input_ids": ids.to(torch.int32)}
for schedule, rate in {"constant": lambda step: RATE,
                       "cosine": cosine_rate}.items():
    for name, values in train(ids, rate).items():
        tensors[f"{schedule}.{name}"] = values.double().contiguous()
save_file(tensors, "gpt2_vocab509/training.safetensors")
for name in ("loss", "grad_norm"):
    print(name, *(f"{x:.4f}" for x in tensors["constant." + name]))
