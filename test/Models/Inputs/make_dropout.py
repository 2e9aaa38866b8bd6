# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes dropout: a tiny GPT with dropout of embeddings, attention probabilities and
residuals, exported for training, and PyTorch's logits, loss and gradients of it in
float64, rounded to float32: once with the masks that the runtime's contract gives for a
seed, computed here, and once without dropout. Needs torch, numpy, onnx, onnxscript,
safetensors.

usage: make_dropout.py"""

import os
import sys
import tempfile

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from safetensors.torch import save_file

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "dropout")
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "../../../python"))
from make_families import strip  # noqa: E402
from temlir_export import export_onnx  # noqa: E402

VOCABULARY, HIDDEN, HEADS, FFN, BATCH, SEQUENCE = 256, 32, 2, 64, 3, 14
# More than float32 or a double holds.
SEED = 0x1234567890ABCDEF


def philox(key, low, high):
    """Philox-4x32-10 of a key and counters, arrays of 64 bits: four arrays of words."""
    mask = np.uint64(0xFFFFFFFF)
    half = np.uint64(32)
    low = np.asarray(low, np.uint64)
    high = np.full_like(low, high)
    c = [low & mask, low >> half, high & mask, high >> half]
    k = [np.uint64(key) & mask, np.uint64(key) >> half]
    for _ in range(10):
        p = np.uint64(0xD2511F53) * c[0]
        q = np.uint64(0xCD9E8D57) * c[2]
        c = [(q >> half) ^ c[1] ^ k[0], q & mask, (p >> half) ^ c[3] ^ k[1], p & mask]
        k = [
            (k[0] + np.uint64(0x9E3779B9)) & mask,
            (k[1] + np.uint64(0xBB67AE85)) & mask,
        ]
    return c


def kept(shape, ratio, seed, stream):
    """1 for elements that dropout leaves."""
    count = int(np.prod(shape))
    words = np.stack(philox(seed, np.arange((count + 3) // 4), stream), 1).reshape(-1)
    threshold = int(float(np.float32(ratio)) * 2.0**32)
    return torch.from_numpy((words[:count] >= threshold).reshape(shape))


class Masks:
    """Takes the place of F.dropout: the calls of a forward pass are its streams."""

    def __init__(self, seed):
        self.seed, self.stream = seed, 0

    def __call__(self, x, p=0.5, training=True, inplace=False):
        mask = kept(tuple(x.shape), p, self.seed, self.stream)
        self.stream += 1
        return x * mask / (1 - float(np.float32(p)))


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm_1 = torch.nn.LayerNorm(HIDDEN)
        self.qkv = torch.nn.Linear(HIDDEN, 3 * HIDDEN)
        self.out = torch.nn.Linear(HIDDEN, HIDDEN)
        self.norm_2 = torch.nn.LayerNorm(HIDDEN)
        self.fc_1 = torch.nn.Linear(HIDDEN, FFN)
        self.fc_2 = torch.nn.Linear(FFN, HIDDEN)

    def forward(self, x):
        b, s, _ = x.shape
        q, k, v = (
            y.view(b, s, HEADS, -1).transpose(1, 2)
            for y in self.qkv(self.norm_1(x)).chunk(3, -1)
        )
        scores = q @ k.transpose(2, 3) * (HIDDEN // HEADS) ** -0.5
        hidden = torch.triu(torch.ones(s, s, dtype=torch.bool), 1)
        weights = torch.softmax(scores.masked_fill(hidden, float("-inf")), -1)
        weights = F.dropout(weights, 0.1, self.training)
        y = (weights @ v).transpose(1, 2).reshape(b, s, HIDDEN)
        x = x + F.dropout(self.out(y), 0.2, self.training)
        y = self.fc_2(F.gelu(self.fc_1(self.norm_2(x)), approximate="tanh"))
        return x + F.dropout(y, 0.2, self.training)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = torch.nn.Embedding(VOCABULARY, HIDDEN)
        self.positions = torch.nn.Parameter(torch.randn(SEQUENCE, HIDDEN) * 0.1)
        self.layers = torch.nn.ModuleList(Block() for _ in range(2))
        self.norm = torch.nn.LayerNorm(HIDDEN)
        self.head = torch.nn.Linear(HIDDEN, VOCABULARY, bias=False)

    def forward(self, input_ids):
        x = F.dropout(self.tokens(input_ids) + self.positions, 0.1, self.training)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))


def save(tensors, name):
    path = os.path.join(FOLDER, name + ".safetensors")
    save_file(tensors, path)
    os.chmod(path, 0o644)


def save_reference(model, ids, labels):
    logits = model(ids)
    loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten())
    loss.backward()
    tensors = {"input_ids": ids, "labels": labels, "dropout_seed": torch.tensor(SEED)}
    tensors["logits"] = logits.detach().float()
    tensors["loss"] = loss.detach().float()
    for parameter, value in model.named_parameters():
        tensors["grad." + parameter] = value.grad.float()
    save(tensors, "reference")


def main():
    os.makedirs(FOLDER, exist_ok=True)
    torch.manual_seed(0)
    model = Model()
    ids = torch.randint(0, VOCABULARY, (BATCH, SEQUENCE))
    labels = torch.randint(0, VOCABULARY, (BATCH, SEQUENCE))
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "model.onnx")
        export_onnx(model, (ids,), path, output_names=["logits"], dropout=True)
        onnx.save(strip(path), os.path.join(FOLDER, "model.onnx"))

    model.double()
    logits = model.eval()(ids).detach().float()
    save({"input_ids": ids, "logits": logits}, "evaluated")
    dropout, F.dropout = F.dropout, Masks(SEED)
    save_reference(model.train(), ids, labels)
    assert F.dropout.stream == 7
    F.dropout = dropout
    # What kept.mlir should sum up to.
    expected = torch.tensor([65536.0])
    save(
        {"dropout_seed": torch.tensor(SEED), "tenth": expected, "half": expected.clone()},
        "kept",
    )


if __name__ == "__main__":
    main()
