# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What configurations of small models of families have in common."""

from make_families import CAUSAL, MASKED  # noqa: F401

VOCABULARY, HIDDEN = 48, 16
TRANSFORMER = dict(
    vocab_size=VOCABULARY, hidden_size=HIDDEN, intermediate_size=24,
    num_hidden_layers=2, num_attention_heads=2, max_position_embeddings=32,
    pad_token_id=0, bos_token_id=1, eos_token_id=2, tie_word_embeddings=False)
TOKENS = dict(vocab_size=VOCABULARY, pad_token_id=0, bos_token_id=1, eos_token_id=2)
ONE_KEY_HEAD = dict(num_key_value_heads=1)
EXPERTS = dict(num_local_experts=4, num_experts=4, num_experts_per_tok=2,
               moe_intermediate_size=16, **ONE_KEY_HEAD)
TRANSLATION = dict(
    TOKENS, d_model=HIDDEN, encoder_layers=1, decoder_layers=1,
    encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=24,
    decoder_ffn_dim=24, max_position_embeddings=32, decoder_start_token_id=2,
    forced_eos_token_id=None, is_encoder_decoder=True)
BUCKETS = dict(relative_attention_num_buckets=8, relative_attention_max_distance=16)
IMAGES = dict(hidden_size=HIDDEN, num_hidden_layers=2, num_attention_heads=2,
              intermediate_size=24, image_size=16, patch_size=4, num_labels=5)
LATENT = dict(q_lora_rank=8, kv_lora_rank=8, qk_rope_head_dim=4, qk_nope_head_dim=8,
              v_head_dim=8, head_dim=4)
MAMBA = dict(state_size=4, conv_kernel=4, expand=2)
CLASSES, TO_TEXT = "AutoModelForImageClassification", "AutoModelForSeq2SeqLM"
PLAIN, EAGER, MASK = {"plain": True}, {"attention": "eager"}, {"mask": True}
IMAGE = {"plain": True, "image": 16}
TEXTS = {"plain": True, "decoder": 7}
LONG = {"sizes": {"sequence": 72}}
