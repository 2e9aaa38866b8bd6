# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes generate: tiny models of Hugging Face with random weights, and the tokens by which
transformers' model.generate continues prompts, greedily in float32, into NAME.txt: the ids
of one sequence on each line, prompt and continuation. Also an encoder, whose logits depend
on later tokens. Needs torch, transformers 5, onnx, onnxscript.

usage: make_generate.py"""

import os
import sys

import onnx
import torch
from transformers import (
    BertConfig,
    BertForMaskedLM,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    MptConfig,
    MptForCausalLM,
)

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "generate")
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "../../../python"))
from make_families import strip  # noqa: E402
from temlir_export import export_onnx  # noqa: E402

VOCABULARY, SEQUENCE = 96, 24
PROMPTS = [[1, 2, 3], [7, 50, 12, 9, 90, 4, 31]]
# Of the best logit over the second best: far above the rounding of a float32 product.
SMALLEST_MARGIN = 1e-3

# Rows of the program, and the model. Weights are large enough for varied tokens.
MODELS = {
    "llama": (1, lambda: LlamaForCausalLM(LlamaConfig(
        vocab_size=VOCABULARY, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=SEQUENCE,
        initializer_range=0.3))),
    "gpt2": (2, lambda: GPT2LMHeadModel(GPT2Config(
        vocab_size=VOCABULARY, n_embd=32, n_layer=2, n_head=4, n_positions=SEQUENCE,
        initializer_range=0.3, tie_word_embeddings=False))),
    "mistral": (2, lambda: MistralForCausalLM(MistralConfig(
        vocab_size=VOCABULARY, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=SEQUENCE,
        sliding_window=6, initializer_range=0.3))),
    "mpt": (1, lambda: MptForCausalLM(MptConfig(
        vocab_size=VOCABULARY, d_model=32, n_heads=4, n_layers=2, max_seq_len=SEQUENCE,
        initializer_range=0.3))),
}


def generate(model, prompt):
    """The sequence, and the smallest margin by which a token was chosen."""
    ids = torch.tensor([prompt])
    made = model.generate(
        ids, attention_mask=torch.ones_like(ids), max_new_tokens=SEQUENCE - len(prompt),
        do_sample=False, pad_token_id=0, eos_token_id=None, output_logits=True,
        return_dict_in_generate=True)
    best = torch.cat(made.logits).topk(2).values
    return made.sequences[0].tolist(), float((best[:, 0] - best[:, 1]).min())


def export(name, rows, model):
    path = os.path.join(FOLDER, name + ".onnx")
    export_onnx(model, {"input_ids": torch.zeros(rows, SEQUENCE, dtype=torch.int64)}, path,
                output_names=["logits"])
    onnx.save(strip(path), path)


os.makedirs(FOLDER, exist_ok=True)
for name, (rows, make) in MODELS.items():
    for seed in range(20):
        torch.manual_seed(seed)
        model = make().float().eval()
        made = [generate(model, prompt) for prompt in PROMPTS]
        if min(margin for _, margin in made) > SMALLEST_MARGIN:
            break
    else:
        raise SystemExit(f"{name}: every seed has a narrow margin")
    export(name, rows, model)
    with open(os.path.join(FOLDER, name + ".txt"), "w") as file:
        for sequence, _ in made:
            file.write(",".join(str(id) for id in sequence) + "\n")
torch.manual_seed(0)
export("bert", 1, BertForMaskedLM(BertConfig(
    vocab_size=VOCABULARY, hidden_size=32, intermediate_size=64, num_hidden_layers=1,
    num_attention_heads=4, max_position_embeddings=SEQUENCE)).eval())
