# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes more of families/NAME, as make_families.py does: smaller models of families
that differ in what they are made of. NAME may also be one of checked_families.py,
which docs/models.md lists and no test runs. Needs what make_families.py needs.

usage: make_more_families.py [NAME ...]"""

import sys

import make_families
import torch
import transformers
from checked_families import CHECKED
from family_settings import (BUCKETS, CAUSAL, CLASSES, EAGER, EXPERTS, HIDDEN, IMAGE, IMAGES,
                             LATENT, LONG, MAMBA, MASK, MASKED, ONE_KEY_HEAD, PLAIN, TEXTS,
                             TOKENS, TO_TEXT, TRANSFORMER, TRANSLATION, VOCABULARY)
from make_families import make

# As in make_families.py.
FAMILIES = {
    "fnet": (MASKED, "fnet", {}, {}),
    "funnel": (MASKED, "funnel", PLAIN, dict(
        TOKENS, d_model=HIDDEN, n_head=2, d_head=8, d_inner=24, block_sizes=[1, 1],
        num_decoder_layers=1)),
    "xlnet": (CAUSAL, "xlnet", PLAIN, dict(
        TOKENS, d_model=HIDDEN, n_layer=2, n_head=2, d_inner=24)),
    "modernbert": (MASKED, "modernbert", MASK, dict(
        global_attn_every_n_layers=2, local_attention=6, cls_token_id=1,
        sep_token_id=2)),
    "albert": (MASKED, "albert", MASK, dict(embedding_size=8)),
    "gemma3": (CAUSAL, "gemma3_text", {}, dict(
        head_dim=8, sliding_window=5, query_pre_attn_scalar=8,
        layer_types=["sliding_attention", "full_attention"], **ONE_KEY_HEAD)),
    "deepseek_v3": (CAUSAL, "deepseek_v3", {}, dict(
        n_routed_experts=4, num_experts_per_tok=2, n_group=2, topk_group=1,
        moe_intermediate_size=16, first_k_dense_replace=1, **LATENT)),
    "qwen2_moe": (CAUSAL, "qwen2_moe", {}, dict(
        shared_expert_intermediate_size=24, **EXPERTS)),
    "mamba2": (CAUSAL, "mamba2", {}, dict(
        num_heads=4, head_dim=8, n_groups=1, chunk_size=4, **MAMBA)),
    "recurrent_gemma": (CAUSAL, "recurrent_gemma", {}, dict(
        lru_width=HIDDEN, head_dim=8, attention_window_size=8,
        block_types=["recurrent", "attention"], **ONE_KEY_HEAD)),
    "rwkv": (CAUSAL, "rwkv", PLAIN, dict(
        TOKENS, hidden_size=HIDDEN, attention_hidden_size=HIDDEN,
        intermediate_size=24, num_hidden_layers=2, context_length=16)),
    "bart": (TO_TEXT, "bart", TEXTS, TRANSLATION),
    "t5": (TO_TEXT, "t5", {**TEXTS, **EAGER}, dict(
        TOKENS, d_model=HIDDEN, d_kv=8, d_ff=24, num_layers=1, num_heads=2,
        feed_forward_proj="gated-gelu", decoder_start_token_id=0, **BUCKETS)),
    # More than 4,096 pairs of positions, each with the number of its bucket.
    "t5_long": (TO_TEXT, "t5", {**TEXTS, **LONG}, dict(
        TOKENS, d_model=HIDDEN, d_kv=8, d_ff=24, num_layers=1, num_heads=2,
        decoder_start_token_id=0, **BUCKETS)),
    "umt5": (TO_TEXT, "umt5", {**TEXTS, **LONG}, dict(
        TOKENS, d_model=HIDDEN, d_kv=8, d_ff=24, num_layers=1, num_heads=2,
        decoder_start_token_id=0, **BUCKETS)),
    "mpnet": (MASKED, "mpnet", {**MASK, **LONG}, dict(max_position_embeddings=96)),
    # Its head joins the token table with a matrix of no rows.
    "mobilebert": (MASKED, "mobilebert", MASK, dict(
        embedding_size=HIDDEN, intra_bottleneck_size=8, true_hidden_size=8,
        num_feedforward_networks=2)),
    "whisper": (None, "whisper", {"plain": True, "audio": (8, 16), "decoder": 7}, dict(
        TRANSLATION, num_mel_bins=8, max_source_positions=8,
        max_target_positions=16)),
    "swin": (CLASSES, "swin", IMAGE, dict(
        image_size=16, patch_size=2, embed_dim=8, depths=[2, 1], num_heads=[1, 2],
        window_size=4, num_labels=5)),
    "beit": (CLASSES, "beit", IMAGE, dict(IMAGES, use_relative_position_bias=True)),
    # At smaller weights the gradients of lambda are sums that cancel.
    "diffllama": (CAUSAL, "diffllama", {}, dict(
        num_attention_heads=4, num_key_value_heads=2, initializer_range=0.2)),
    "prophetnet": (TO_TEXT, "prophetnet", TEXTS, dict(TOKENS, hidden_size=HIDDEN,
        num_encoder_layers=1, num_decoder_layers=1, num_encoder_attention_heads=2,
        num_decoder_attention_heads=2, encoder_ffn_dim=24, decoder_ffn_dim=24,
        max_position_embeddings=32, decoder_start_token_id=2, ngram=2, num_buckets=8,
        relative_max_distance=16)),
}



def build(name):
    kind, config, extra, settings = {**FAMILIES, **CHECKED}[name]
    make_families.TRANSFORMER, make_families.VOCABULARY = TRANSFORMER, VOCABULARY
    if "audio" in extra:
        config = transformers.AutoConfig.for_model(config, **settings)
        model = transformers.WhisperForConditionalGeneration(config).eval()
        inputs = {"input_features": torch.randn(2, *extra["audio"])}
    else:
        model, inputs = make_families.build(kind, config, extra, settings,
                                            extra.get("sizes"))
    if "decoder" in extra:
        inputs["decoder_input_ids"] = torch.randint(
            3, VOCABULARY, (make_families.BATCH, extra["decoder"]))
    return model, inputs


if __name__ == "__main__":
    for name in sys.argv[1:] or FAMILIES:
        make(name, build)
