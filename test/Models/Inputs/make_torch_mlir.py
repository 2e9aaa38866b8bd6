# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes torch_mlir/NAME: tiny Hugging Face models in linalg on tensors, as torch-mlir
(on PyPI) writes them, with their weights, and PyTorch's logits, loss (mean
cross-entropy, labels not shifted, one of them ignored) and gradients in float64, stored
as float32. model.mlir is torch-mlir's text, with te.param and te.input added to the
arguments. Needs torch, torch-mlir, transformers 5 and safetensors.

usage: make_torch_mlir.py [NAME ...]"""

import os
import re
import sys

import torch
import transformers
from safetensors.torch import save_file
from torch.func import functional_call
from torch_mlir import fx

HERE = os.path.dirname(os.path.abspath(__file__))
VOCABULARY, HIDDEN, BATCH, SEQUENCE = 48, 16, 2, 12
TRANSFORMER = dict(
    vocab_size=VOCABULARY, hidden_size=HIDDEN, intermediate_size=24, num_hidden_layers=2,
    num_attention_heads=2, max_position_embeddings=32, pad_token_id=0, bos_token_id=1,
    eos_token_id=2, tie_word_embeddings=False)
IDS, MASK, IMAGE = "input_ids", "attention_mask", "pixel_values"

# name: (kind of model, configuration, its settings, inputs, constant inputs). Decoders
# without a mask look for packed sequences, by a scan of torch-mlir's own dialect.
MODELS = {
    # PyTorch fails to decompose its other attention.
    "gpt2": ("AutoModelForCausalLM", "gpt2", dict(
        vocab_size=VOCABULARY, n_embd=HIDDEN, n_layer=2, n_head=2, n_positions=32,
        bos_token_id=1, eos_token_id=2, attn_implementation="eager"), [IDS], [MASK]),
    "llama": ("AutoModelForCausalLM", "llama", dict(num_key_value_heads=1, **TRANSFORMER),
              [IDS], [MASK]),
    "bert": ("AutoModelForMaskedLM", "bert", TRANSFORMER, [IDS, MASK], []),
    "vit": ("AutoModelForImageClassification", "vit", dict(
        hidden_size=HIDDEN, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=24, image_size=16, patch_size=4, num_labels=5), [IMAGE], []),
}


def make_input(name):
    if name == IDS:
        return torch.randint(3, VOCABULARY, (BATCH, SEQUENCE))
    if name == IMAGE:
        return torch.randn(BATCH, 3, 16, 16)
    mask = torch.ones(BATCH, SEQUENCE, dtype=torch.int64)
    mask[1, -4:] = 0
    return mask


class WithParameters(torch.nn.Module):
    """A model that takes its parameters: torch-mlir makes constants of all others."""

    def __init__(self, model, inputs, fixed):
        super().__init__()
        self.model, self.inputs, self.fixed = model, inputs, fixed

    def forward(self, parameters, *values):
        options = {} if IMAGE in self.inputs else self.fixed
        given = dict(zip(self.inputs, values), **options)
        return functional_call(self.model, parameters, (), given).logits


def name_arguments(text, parameters, inputs):
    roles = [f'te.param = "{name}"' for name in parameters]
    roles += [f'te.input = "{name}"' for name in inputs]
    for number, role in enumerate(roles):
        text, count = re.subn(rf"(%arg{number}: tensor<[^>]*>)(?=[,)])", rf"\1 {{{role}}}",
                              text, count=1)
        assert count == 1
    return re.sub(r"\) -> (tensor<[^>]*>) {", r') -> (\1 {te.output = "logits"}) {', text,
                  count=1)


def make(name):
    kind, config, settings, inputs, fixed = MODELS[name]
    torch.manual_seed(0)
    config = transformers.AutoConfig.for_model(config, **settings)
    model = getattr(transformers, kind).from_config(config).eval()
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in model.parameters():
            scale = 0.1 if parameter.dim() == 1 else 0.05
            parameter.add_(torch.randn(parameter.shape, generator=generator) * scale)
    # torch-mlir takes buffers that are saved with the model.
    for module in model.modules():
        module._non_persistent_buffers_set.clear()
    fixed = {key: torch.ones_like(make_input(key)) for key in fixed}
    if "use_cache" in model.config:
        fixed["use_cache"] = False
    values = {key: make_input(key) for key in inputs}
    parameters = {key: value.detach().clone() for key, value in model.named_parameters()}
    wrapped = WithParameters(model, inputs, fixed)

    folder = os.path.join(HERE, "torch_mlir", name)
    os.makedirs(folder, exist_ok=True)
    text = str(fx.export_and_import(wrapped, parameters, *values.values(),
                                    output_type="linalg-on-tensors", func_name="main"))
    with open(os.path.join(folder, "model.mlir"), "w", encoding="utf-8") as file:
        file.write(name_arguments(text, parameters, inputs))
    save_file(parameters, os.path.join(folder, "model.safetensors"))

    model.double()
    trained = {key: value.double().requires_grad_() for key, value in parameters.items()}
    doubles = [v.double() if v.is_floating_point() else v for v in values.values()]
    logits = wrapped(trained, *doubles)
    labels = torch.randint(0, logits.shape[-1], logits.shape[:-1])
    if labels.dim() > 1:
        labels[0, 3] = -100
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, -2), labels.flatten())
    loss.backward()
    reference = {"labels": labels, "logits": logits, "loss": loss}
    reference.update({f"input.{key}": value for key, value in values.items()})
    reference.update({f"grad.{key}": value.grad for key, value in trained.items()
                      if value.grad is not None})
    save_file({key: (value.float() if value.is_floating_point() else value).detach()
               .contiguous() for key, value in reference.items()},
              os.path.join(folder, "reference.safetensors"))


if __name__ == "__main__":
    for name in sys.argv[1:] or MODELS:
        make(name)
