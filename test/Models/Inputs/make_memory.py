# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes memory/model.onnx: a tiny Llama with a tied head and random weights, for
batches so large that its activations are most of what a step has in memory. Needs
torch, transformers 5, onnx and onnxscript.

usage: make_memory.py"""

import os
import sys

import onnx
import torch
import transformers

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../python"))
from make_families import strip  # noqa: E402
from temlir_export import export_onnx  # noqa: E402

torch.manual_seed(0)
model = transformers.LlamaForCausalLM(transformers.LlamaConfig(
    vocab_size=256, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
    num_attention_heads=2, num_key_value_heads=1, max_position_embeddings=64,
    tie_word_embeddings=True, pad_token_id=0, bos_token_id=1, eos_token_id=2))
path = os.path.join(HERE, "memory/model.onnx")
os.makedirs(os.path.dirname(path), exist_ok=True)
export_onnx(model, {"input_ids": torch.randint(0, 256, (16, 64))}, path,
            output_names=["logits"])
onnx.save(strip(path), path)
