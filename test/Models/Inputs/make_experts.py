# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes experts/NAME.onnx: one layer of Hugging Face mixtures with more experts than
those of families, without weights (te-compile --init). Needs torch, transformers 5,
onnx and onnxscript.

usage: make_experts.py"""

import os
import sys

import onnx
import torch
import transformers

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

for name, (kind, settings) in MODELS.items():
    config = transformers.AutoConfig.for_model(kind, **COMMON, **settings)
    model = transformers.AutoModelForCausalLM.from_config(config)
    model.set_experts_implementation("batched_mm")
    os.makedirs(os.path.join(HERE, "experts"), exist_ok=True)
    path = os.path.join(HERE, "experts", f"{name}.onnx")
    export_onnx(model, {"input_ids": torch.zeros(1, 16, dtype=torch.int64)}, path,
                output_names=["logits"], weights="absent")
    # Stack traces of every operation.
    exported = onnx.load(path, load_external_data=False)
    for node in exported.graph.node:
        del node.metadata_props[:]
    onnx.save(exported, path)
