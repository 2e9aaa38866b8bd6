# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports a model of the shapes of Llama 3.1 8B with LoRA adapters of PEFT, without
its weights, for te-compile --plan:

  python3 benchmarks/llama_lora.py -o llama_lora.onnx
  te-compile llama_lora.onnx --prepared-weights frozen --plan
"""

import argparse

import torch
from peft import LoraConfig, get_peft_model
from temlir_export import export_onnx
from transformers import LlamaConfig, LlamaForCausalLM
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", required=True, metavar="FILE")
    parser.add_argument("--layers", type=int, default=32)
    parser.add_argument("--hidden", type=int, default=4096)
    parser.add_argument("--intermediate", type=int, default=14336)
    parser.add_argument("--vocabulary", type=int, default=128256)
    parser.add_argument("--heads", type=int, default=32)
    parser.add_argument("--key-heads", type=int, default=8)
    parser.add_argument("--batch", type=int, default=1, help="sequences a step")
    parser.add_argument("--sequence", type=int, default=1024, help="tokens of one")
    parser.add_argument("--rank", type=int, default=16, help="of the adapters")
    options = parser.parse_args()
    config = LlamaConfig(
        vocab_size=options.vocabulary,
        hidden_size=options.hidden,
        intermediate_size=options.intermediate,
        num_hidden_layers=options.layers,
        num_attention_heads=options.heads,
        num_key_value_heads=options.key_heads,
        max_position_embeddings=8192,
        rope_theta=500000.0,
        use_cache=False,
    )
    adapters = LoraConfig(
        r=options.rank,
        lora_alpha=2 * options.rank,
        target_modules=["q_proj", "k_proj", "v_proj", "o_proj"],
        task_type="CAUSAL_LM",
    )
    with torch.device("meta"):
        base = LlamaForCausalLM(config)
    # Its buffers have values, which become constants.
    base.model.rotary_emb = LlamaRotaryEmbedding(config)
    with torch.device("meta"):
        model = get_peft_model(base, adapters)
    ids = torch.zeros(options.batch, options.sequence, dtype=torch.int64)
    export_onnx(model, {"input_ids": ids}, options.output, weights="absent")


if __name__ == "__main__":
    main()
