# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The byte-level GPT of this example, as Hugging Face's GPT-2 class builds it."""

import torch
from transformers import GPT2Config, GPT2LMHeadModel


def make_model():
    config = GPT2Config(
        vocab_size=256,  # one token per byte
        n_positions=256,
        n_embd=256,
        n_layer=4,
        n_head=4,
        resid_pdrop=0.0,
        embd_pdrop=0.0,
        attn_pdrop=0.0,
        bos_token_id=0,
        eos_token_id=0,
        use_cache=False,
    )
    batch, sequence = 8, 256
    inputs = {"input_ids": torch.zeros(batch, sequence, dtype=torch.int64)}
    return GPT2LMHeadModel(config), inputs
