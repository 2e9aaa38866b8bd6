# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes more of families/NAME, as make_families.py does: smaller models of families
that differ in what they are made of. NAME may also be one of CHECKED, which
docs/models.md lists and no test runs. Needs what make_families.py needs.

usage: make_more_families.py [NAME ...]"""

import sys

import make_families
import torch
import transformers
from make_families import CAUSAL, MASKED, make

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
}

CHECKED = {
    "granite": (CAUSAL, "granite", {}, dict(
        attention_multiplier=0.3, embedding_multiplier=2.0, residual_multiplier=0.5,
        logits_scaling=3.0, **ONE_KEY_HEAD)),
    "granitemoe": (CAUSAL, "granitemoe", {}, EXPERTS),
    "cohere": (CAUSAL, "cohere", {}, dict(use_qk_norm=True, **ONE_KEY_HEAD)),
    "olmo2": (CAUSAL, "olmo2", {}, ONE_KEY_HEAD),
    "olmoe": (CAUSAL, "olmoe", {}, EXPERTS),
    "starcoder2": (CAUSAL, "starcoder2", {}, dict(sliding_window=5, **ONE_KEY_HEAD)),
    "stablelm": (CAUSAL, "stablelm", {}, dict(
        use_qkv_bias=True, partial_rotary_factor=0.5, **ONE_KEY_HEAD)),
    "opt": (CAUSAL, "opt", {}, dict(ffn_dim=24, word_embed_proj_dim=8)),
    "gpt_neox": (CAUSAL, "gpt_neox", {}, dict(rotary_pct=0.5)),
    "codegen": (CAUSAL, "codegen", PLAIN, dict(
        vocab_size=VOCABULARY, n_embd=32, n_layer=1, n_head=4, n_positions=32,
        rotary_dim=4, bos_token_id=1, eos_token_id=2)),
    "mpt": (CAUSAL, "mpt", PLAIN, dict(
        TOKENS, d_model=HIDDEN, n_heads=2, n_layers=2, expansion_ratio=2,
        max_seq_len=32)),
    # At smaller weights the gradient of a bias of the key norms is a sum that cancels.
    "persimmon": (CAUSAL, "persimmon", {}, dict(
        qk_layernorm=True, initializer_range=0.2)),
    "nemotron": (CAUSAL, "nemotron", {}, ONE_KEY_HEAD),
    "smollm3": (CAUSAL, "smollm3", {}, dict(no_rope_layers=[1, 0], **ONE_KEY_HEAD)),
    "glm": (CAUSAL, "glm", {}, dict(
        head_dim=8, partial_rotary_factor=0.5, **ONE_KEY_HEAD)),
    "glm4": (CAUSAL, "glm4", {}, dict(
        head_dim=8, partial_rotary_factor=0.5, **ONE_KEY_HEAD)),
    "exaone4": (CAUSAL, "exaone4", {}, dict(
        sliding_window=5, sliding_window_pattern=2, **ONE_KEY_HEAD)),
    "lfm2": (CAUSAL, "lfm2", {}, dict(
        layer_types=["conv", "full_attention"], block_ff_dim=24, **ONE_KEY_HEAD)),
    "phi": (CAUSAL, "phi", {}, dict(partial_rotary_factor=0.5, qk_layernorm=True)),
    "phimoe": (CAUSAL, "phimoe", {}, EXPERTS),
    "qwen3_moe": (CAUSAL, "qwen3_moe", {}, dict(head_dim=8, **EXPERTS)),
    "helium": (CAUSAL, "helium", {}, dict(head_dim=8, **ONE_KEY_HEAD)),
    "apertus": (CAUSAL, "apertus", {}, ONE_KEY_HEAD),
    "arcee": (CAUSAL, "arcee", {}, ONE_KEY_HEAD),
    "seed_oss": (CAUSAL, "seed_oss", {}, dict(head_dim=8, **ONE_KEY_HEAD)),
    "ernie4_5": (CAUSAL, "ernie4_5", {}, dict(head_dim=8, **ONE_KEY_HEAD)),
    "hunyuan": (CAUSAL, "hunyuan_v1_dense", {}, dict(head_dim=8, **ONE_KEY_HEAD)),
    "glm4_moe": (CAUSAL, "glm4_moe", {}, dict(
        n_routed_experts=4, n_shared_experts=1, n_group=1, topk_group=1,
        first_k_dense_replace=1, head_dim=8, **EXPERTS)),
    "gpt_bigcode": (CAUSAL, "gpt_bigcode", PLAIN, dict(
        TOKENS, n_embd=HIDDEN, n_layer=2, n_head=2, n_positions=32, multi_query=True)),
    "gpt_neo": (CAUSAL, "gpt_neo", {}, dict(
        num_layers=2, attention_types=[[["global", "local"], 1]], num_heads=2,
        window_size=5)),
    "falcon_mamba": (CAUSAL, "falcon_mamba", {}, dict(
        time_step_rank=4, use_mambapy=False, **MAMBA)),
    "jamba": (CAUSAL, "jamba", {}, dict(
        num_experts=2, num_experts_per_tok=1, attn_layer_period=2,
        attn_layer_offset=1, expert_layer_period=2, expert_layer_offset=1,
        mamba_d_state=4, mamba_d_conv=4, mamba_expand=2, mamba_dt_rank=4,
        use_mamba_kernels=False, **ONE_KEY_HEAD)),
    "electra": (MASKED, "electra", MASK, dict(embedding_size=8)),
    "roformer": (MASKED, "roformer", MASK, {}),
    "distilbert": (MASKED, "distilbert", {"plain": True, "mask": True}, dict(
        vocab_size=VOCABULARY, dim=HIDDEN, n_heads=2, n_layers=2, hidden_dim=24,
        max_position_embeddings=32, pad_token_id=0)),
    "big_bird": (MASKED, "big_bird", {}, dict(attention_type="original_full")),
    "convbert": (MASKED, "convbert", {}, dict(
        embedding_size=HIDDEN, head_ratio=1, conv_kernel_size=3)),
    "mobilebert": (MASKED, "mobilebert", MASK, dict(
        embedding_size=8, intra_bottleneck_size=8, true_hidden_size=8,
        num_feedforward_networks=2)),
    "squeezebert": (MASKED, "squeezebert", MASK, dict(
        embedding_size=HIDDEN, q_groups=2, k_groups=2, v_groups=2,
        post_attention_groups=1, intermediate_groups=2, output_groups=2)),
    "layoutlm": (MASKED, "layoutlm", MASK, {}),
    "esm": (MASKED, "esm", MASK, dict(
        position_embedding_type="rotary", mask_token_id=3)),
    "marian": (TO_TEXT, "marian", TEXTS, TRANSLATION),
    "pegasus": (TO_TEXT, "pegasus", TEXTS, TRANSLATION),
    "segformer": (CLASSES, "segformer", IMAGE, dict(
        num_encoder_blocks=2, depths=[1, 1], sr_ratios=[2, 1], hidden_sizes=[8, 16],
        patch_sizes=[3, 3], strides=[2, 2], num_attention_heads=[1, 2],
        mlp_ratios=[2, 2], decoder_hidden_size=HIDDEN, num_labels=5)),
    "poolformer": (CLASSES, "poolformer", IMAGE, dict(
        hidden_sizes=[8, 8, 16, 16], depths=[1, 1, 1, 1], num_labels=5,
        patch_sizes=[3, 3, 3, 3], strides=[2, 2, 2, 2], padding=[1, 1, 1, 1])),
    "convnextv2": (CLASSES, "convnextv2", IMAGE, dict(
        hidden_sizes=[8, 16], depths=[1, 1], num_stages=2, patch_size=2, num_labels=5)),
    "vit": (CLASSES, "vit", IMAGE, IMAGES),
    "dinov2": (CLASSES, "dinov2", IMAGE, IMAGES),
    "siglip": (CLASSES, "siglip", IMAGE, dict(vision_config=IMAGES, num_labels=5)),
}


def build(name):
    kind, config, extra, settings = {**FAMILIES, **CHECKED}[name]
    make_families.TRANSFORMER, make_families.VOCABULARY = TRANSFORMER, VOCABULARY
    if "audio" in extra:
        config = transformers.AutoConfig.for_model(config, **settings)
        model = transformers.WhisperForConditionalGeneration(config).eval()
        inputs = {"input_features": torch.randn(2, *extra["audio"])}
    else:
        model, inputs = make_families.build(kind, config, extra, settings)
    if "decoder" in extra:
        inputs["decoder_input_ids"] = torch.randint(
            3, VOCABULARY, (make_families.BATCH, extra["decoder"]))
    return model, inputs


if __name__ == "__main__":
    for name in sys.argv[1:] or FAMILIES:
        make(name, build)
