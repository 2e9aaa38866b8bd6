# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes same_plan/llama.onnx: Hugging Face's Llama in the sizes of jax/llama_scan
(make_jax.py). Needs torch, onnx, onnxscript, transformers and
python/temlir_export."""

import os
import sys
import tempfile

import onnx
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from temlir_export import export_onnx

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from make_families import strip  # noqa: E402

model = LlamaForCausalLM(LlamaConfig(
    vocab_size=48, hidden_size=16, intermediate_size=32, num_hidden_layers=3,
    num_attention_heads=2, num_key_value_heads=1))
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "model.onnx")
    export_onnx(model, {"input_ids": torch.zeros(2, 8, dtype=torch.int64)}, path,
                output_names=["logits"])
    onnx.save(strip(path), os.path.join(HERE, "same_plan", "llama.onnx"))
