# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes families/NAME: tiny Hugging Face models with random weights, exported as
users export them, and PyTorch's logits, loss (mean cross-entropy, labels not
shifted, one of them ignored) and gradients in float32. Needs torch, transformers 5,
onnx, onnxscript and safetensors.

usage: make_families.py [NAME ...]"""

import inspect
import os
import sys
import tempfile
import types

import onnx
import torch
import transformers
from safetensors.torch import save_file

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../python"))
from temlir_export import export_onnx  # noqa: E402

VOCABULARY, HIDDEN, BATCH, SEQUENCE = 96, 32, 2, 12
TRANSFORMER = dict(
    vocab_size=VOCABULARY, hidden_size=HIDDEN, intermediate_size=64,
    num_hidden_layers=2, num_attention_heads=4, max_position_embeddings=32,
    pad_token_id=0, bos_token_id=1, eos_token_id=2, tie_word_embeddings=False)
GROUPED = dict(num_key_value_heads=2)
EXPERTS = dict(num_local_experts=4, num_experts_per_tok=2, **GROUPED)
CAUSAL, MASKED = "AutoModelForCausalLM", "AutoModelForMaskedLM"

# name: (kind of model, configuration, what else it is made with, its settings)
FAMILIES = {
    "llama_mask": (CAUSAL, "llama", {"mask": True}, GROUPED),
    "gemma2_eager": (CAUSAL, "gemma2", {"attention": "eager"}, dict(
        head_dim=8, sliding_window=5, query_pre_attn_scalar=8, **GROUPED)),
    "mixtral": (CAUSAL, "mixtral", {}, EXPERTS),
    "gpt_oss": (CAUSAL, "gpt_oss", {}, dict(head_dim=8, sliding_window=5, **EXPERTS)),
    "bloom": (CAUSAL, "bloom", {}, dict(n_layer=2, n_head=4)),
    "falcon_alibi": (CAUSAL, "falcon", {}, dict(
        alibi=True, multi_query=False, new_decoder_architecture=False,
        parallel_attn=False, bias=True)),
    "gptj": (CAUSAL, "gptj", {"plain": True}, dict(
        vocab_size=VOCABULARY, n_embd=HIDDEN, n_layer=2, n_head=4, n_positions=32,
        rotary_dim=4, bos_token_id=1, eos_token_id=2, tie_word_embeddings=False)),
    "phi3": (CAUSAL, "phi3", {}, GROUPED),
    "qwen3": (CAUSAL, "qwen3", {}, dict(head_dim=8, **GROUPED)),
    "mamba": (CAUSAL, "mamba", {}, dict(
        state_size=4, conv_kernel=4, expand=2, time_step_rank=4, use_mambapy=False)),
    "deberta_v2": (MASKED, "deberta-v2", {"mask": True}, dict(
        relative_attention=True, pos_att_type=["c2p", "p2c"], position_buckets=8,
        norm_rel_ebd="layer_norm", share_att_key=True, position_biased_input=False)),
    "convnext": ("AutoModelForImageClassification", "convnext",
                 {"plain": True, "image": 16}, dict(
        hidden_sizes=[8, 16], depths=[1, 1], num_stages=2, patch_size=2,
        num_labels=5)),
}


def build(kind, name, extra, settings, sizes=None):
    """A model in evaluation mode, as it is initialized, and inputs for it. `sizes`
    overrides settings that the model has, and "batch" and "sequence"."""
    settings = settings if extra.get("plain") else {**TRANSFORMER, **settings}
    sizes = {"batch": BATCH, "sequence": SEQUENCE, **(sizes or {})}
    settings = {key: sizes.get(key, value) for key, value in settings.items()}
    config = transformers.AutoConfig.for_model(name, **settings)
    chosen = {k: v for k, v in [("attn_implementation", extra.get("attention"))] if v}
    model = getattr(transformers, kind).from_config(config, **chosen).eval()
    if hasattr(model, "set_experts_implementation"):
        model.set_experts_implementation("batched_mm")
    batch, sequence = sizes["batch"], sizes["sequence"]
    if "image" in extra:
        return model, {"pixel_values": torch.randn(batch, 3, extra["image"], extra["image"])}
    vocabulary = settings.get("vocab_size", VOCABULARY)
    inputs = {"input_ids": torch.randint(3, vocabulary, (batch, sequence))}
    if extra.get("mask"):
        inputs["attention_mask"] = torch.ones(batch, sequence, dtype=torch.int64)
        inputs["attention_mask"][1, -4:] = 0
    return model, inputs


def shake(model):
    """Moves norms and biases away from ones and zeros."""
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in model.parameters():
            scale = 0.1 if parameter.dim() == 1 else 0.05
            parameter.add_(torch.randn(parameter.shape, generator=generator) * scale)


def returning_logits(model, inputs):
    """Makes the model's forward take `inputs` and return its logits alone."""
    forward = model.forward
    options = {}
    if "use_cache" in inspect.signature(forward).parameters:
        options["use_cache"] = False
        model.config.use_cache = False
    names = ", ".join(inputs)
    given = ", ".join(f"{name}={name}" for name in inputs)
    scope = {"run": lambda **kwargs: forward(**kwargs, **options).logits}
    exec(f"def only_logits(self, {names}):\n    return run({given})", scope)
    model.forward = types.MethodType(scope["only_logits"], model)


SIGNATURE = "pkg.torch.export.ExportedProgram.graph_signature"


def strip(path):
    """Without positions in Python sources, which are most of a small model. What says
    which tensors are parameters and which are buffers stays."""
    model = onnx.load(path)
    for node in model.graph.node:
        del node.metadata_props[:]
        node.doc_string = ""
    for value in list(model.graph.input) + list(model.graph.output):
        del value.metadata_props[:]
    del model.graph.value_info[:]
    kept = [entry for entry in model.graph.metadata_props if entry.key == SIGNATURE]
    del model.graph.metadata_props[:]
    model.graph.metadata_props.extend(kept)
    return model


def make(name, build=lambda name: build(*FAMILIES[name])):
    torch.manual_seed(0)
    model, inputs = build(name)
    shake(model)
    returning_logits(model, inputs)
    folder = os.path.join(HERE, "families", name)
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "model.onnx")
        export_onnx(model, inputs, path, output_names=["logits"], allow_unused=True)
        exported = strip(path)
    onnx.save(exported, os.path.join(folder, "model.onnx"))

    # In float64: some gradients are sums that cancel, which float32 gets wrong by
    # more than the test allows.
    model = model.double()
    logits = model(**{key: value.double() if value.is_floating_point() else value
                      for key, value in inputs.items()})
    labels = torch.randint(0, logits.shape[-1], logits.shape[:-1],
                           generator=torch.Generator().manual_seed(2))
    if labels.numel() > 4:
        labels.view(-1)[2] = -100
    loss = torch.nn.functional.cross_entropy(
        logits.reshape(-1, logits.shape[-1]), labels.view(-1))
    loss.backward()
    present = {tensor.name for tensor in exported.graph.initializer}
    reference = {"logits": logits.detach().float(), "loss": loss.detach().float(),
                 "labels": labels}
    reference.update({f"input.{key}": value for key, value in inputs.items()})
    for key, parameter in model.named_parameters():
        if key in present and parameter.grad is not None:
            reference[f"grad.{key}"] = parameter.grad.float()
    save_file({key: value.contiguous() for key, value in reference.items()},
              os.path.join(folder, "reference.safetensors"))


if __name__ == "__main__":
    for name in sys.argv[1:] or FAMILIES:
        make(name)
