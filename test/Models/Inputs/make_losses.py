# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes losses: a tiny encoder with two heads, one of tokens and one of sequences, and
for every loss PyTorch's value and gradients in float64, rounded to float32; a Llama and
a BERT of Hugging Face that compute their own loss; and a function of JAX with a head of
sequences, exported as StableHLO. Needs torch, transformers 5, onnx, onnxscript,
safetensors, jax.

usage: make_losses.py"""

import os
import sys
import tempfile
import warnings

import onnx
import torch
import torch.nn.functional as F
import transformers
from safetensors.torch import save_file

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "losses")
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "../../../python"))
from make_families import strip  # noqa: E402
from temlir_export import export_onnx  # noqa: E402

VOCABULARY, HIDDEN, BATCH, SEQUENCE, CLASSES = 24, 16, 3, 6, 4


class Encoder(torch.nn.Module):
    """Positions mix by a matrix; logits of tokens, and numbers for sequences."""

    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(VOCABULARY, HIDDEN)
        self.mix = torch.nn.Linear(SEQUENCE, SEQUENCE)
        self.norm = torch.nn.LayerNorm(HIDDEN)
        self.fc = torch.nn.Linear(HIDDEN, HIDDEN)
        self.tokens = torch.nn.Linear(HIDDEN, VOCABULARY)
        self.sequences = torch.nn.Linear(HIDDEN, CLASSES)

    def forward(self, input_ids):
        x = self.embed(input_ids)
        x = x + self.mix(x.transpose(1, 2)).transpose(1, 2)
        x = F.gelu(self.fc(self.norm(x)))
        return self.tokens(x), self.sequences(x.mean(1))


def save_onnx(model, inputs, outputs, name):
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "model.onnx")
        export_onnx(model, inputs, path, output_names=outputs, allow_unused=True)
        onnx.save(strip(path), os.path.join(FOLDER, name + ".onnx"))


def save_reference(model, inputs, loss, name):
    """The loss is of the model in float64; its gradients, zero where there is none."""
    model.zero_grad()
    loss.backward()
    reference = {"loss": loss.detach().float()}
    reference.update(inputs)
    for key, parameter in model.named_parameters():
        if parameter.grad is not None:
            reference[f"grad.{key}"] = parameter.grad.float()
    save_file({key: value.contiguous() for key, value in reference.items()},
              os.path.join(FOLDER, name + ".safetensors"))


def integers(high, shape, seed):
    return torch.randint(0, high, shape, generator=torch.Generator().manual_seed(seed))


def make_encoder():
    torch.manual_seed(0)
    model = Encoder()
    ids = integers(VOCABULARY, (BATCH, SEQUENCE), 1)
    save_onnx(model, {"input_ids": ids}, ["tokens", "sequences"], "encoder")
    model = model.double()
    labels = integers(VOCABULARY, (BATCH, SEQUENCE), 2)
    masked = torch.where(integers(3, labels.shape, 3) == 0, labels, -100)
    classes = integers(CLASSES, (BATCH,), 4)
    targets = torch.randn((BATCH, CLASSES), generator=torch.Generator().manual_seed(5))

    def rows(labels, **options):
        return F.cross_entropy(model(ids)[0].flatten(0, 1), labels.flatten(), **options)

    # What is squared is the log of the partition function of the rows that count.
    counted = (masked != -100).flatten()
    lse = model(ids)[0].flatten(0, 1).logsumexp(-1)[counted]
    losses = {
        "masked_lm": (masked, rows(masked)),
        "smoothed": (masked, rows(masked, label_smoothing=0.1)),
        "z_loss": (masked, rows(masked) + 0.01 * lse.square().mean()),
        "sum": (labels, rows(labels, reduction="sum", ignore_index=int(labels[0, 0]),
                             label_smoothing=0.25)),
        "sequence_classes": (classes, F.cross_entropy(model(ids)[1], classes,
                                                      label_smoothing=0.2)),
        "mse": (targets, F.mse_loss(model(ids)[1], targets.double())),
        "mse_sum": (targets, F.mse_loss(model(ids)[1], targets.double(),
                                        reduction="sum")),
    }
    for name, (values, loss) in losses.items():
        save_reference(model, {"input.input_ids": ids, "labels": values}, loss, name)
    print("ignored label of sum:", int(labels[0, 0]))


def make_own_losses():
    """As users export a model with its labels. Llama shifts them, with one ignored."""
    ids = integers(VOCABULARY, (BATCH, SEQUENCE), 6)
    common = dict(vocab_size=VOCABULARY, hidden_size=HIDDEN, intermediate_size=24,
                  num_hidden_layers=1, num_attention_heads=2, max_position_embeddings=16)
    labels = ids.clone()
    labels[1, 2] = -100
    llama = transformers.LlamaForCausalLM(transformers.LlamaConfig(
        num_key_value_heads=1, **common))
    bert = transformers.BertForSequenceClassification(transformers.BertConfig(
        num_labels=1, problem_type="regression", hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0, **common))
    for name, model, labels in (
            ("own_llama", llama, labels),
            ("own_bert", bert, torch.randn(BATCH, generator=torch.Generator().manual_seed(7)))):
        torch.manual_seed(8)
        model = model.eval()
        for parameter in model.parameters():
            torch.nn.init.normal_(parameter, 1.0 if parameter.dim() == 1 else 0.0, 0.2)
        inputs = {"input_ids": ids, "labels": labels}
        save_onnx(model, inputs, ["loss", "logits"], name)
        model = model.double()
        values = {key: value.double() if value.is_floating_point() else value
                  for key, value in inputs.items()}
        save_reference(model, inputs, model(**values).loss, name)


def make_jax():
    import jax
    import jax.numpy as jnp
    import numpy as np
    from temlir_export import export_stablehlo
    from temlir_export.stablehlo import save_safetensors

    def normal(seed, *shape):
        return np.random.default_rng(seed).normal(0, 0.3, shape).astype(np.float32)

    params = {"embed": normal(0, VOCABULARY, HIDDEN), "fc": normal(1, HIDDEN, HIDDEN),
              "head": normal(2, HIDDEN, CLASSES)}

    def apply(params, input_ids):
        x = jax.nn.gelu(params["embed"][input_ids] @ params["fc"])
        return jnp.mean(x, axis=1) @ params["head"]

    ids = integers(VOCABULARY, (BATCH, SEQUENCE), 9).numpy().astype(np.int32)
    labels = integers(CLASSES, (BATCH,), 4).numpy()
    names = export_stablehlo(apply, {"input_ids": ids}, os.path.join(FOLDER, "jax.mlir"),
                             params=params, debug_info=False)

    def loss(params):
        logs = jax.nn.log_softmax(apply(params, ids))
        lse = jax.nn.logsumexp(apply(params, ids), axis=-1)
        chosen = jnp.take_along_axis(logs, labels[:, None], -1)[:, 0]
        return jnp.mean(-0.9 * chosen - 0.1 * jnp.mean(logs, -1) + 0.01 * lse**2)

    jax.config.update("jax_enable_x64", True)
    tree = jax.tree_util.tree_map(lambda x: x.astype(jnp.float64), params)
    value, gradients = jax.value_and_grad(loss)(tree)
    reference = {"loss": np.float32(value), "labels": labels, "input.input_ids": ids}
    for key, gradient in zip(names, jax.tree_util.tree_leaves(gradients)):
        reference[f"grad.{key}"] = np.float32(gradient)
    save_safetensors(reference, os.path.join(FOLDER, "jax_classes.safetensors"))


if __name__ == "__main__":
    os.makedirs(FOLDER, exist_ok=True)
    warnings.simplefilter("ignore")
    make_encoder()
    make_own_losses()
    make_jax()
