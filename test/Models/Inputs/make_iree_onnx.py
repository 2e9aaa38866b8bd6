# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes iree_onnx/: a tiny GPT of PyTorch, exported to ONNX with its parameters as inputs of
the graph, in linalg on tensors as IREE writes it in MLIR's generic form (iree-base-compiler
and onnx on PyPI); its parameters, and PyTorch's logits, loss (mean cross-entropy, labels not
shifted) and gradients in float64. IREE gives arguments no names, but keeps those of
parameters whose values it leaves in a file of their own, as it does here with the graph's
inputs behind the first.

usage: make_iree_onnx.py"""

import os
import subprocess
import tempfile

import numpy as np
import onnx
import torch
from safetensors.numpy import save_file

HERE = os.path.dirname(os.path.abspath(__file__))
VOCABULARY, HIDDEN, HEADS, BATCH, SEQUENCE = 48, 16, 2, 2, 8


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = torch.nn.Embedding(VOCABULARY, HIDDEN)
        self.positions = torch.nn.Parameter(torch.randn(SEQUENCE, HIDDEN) * 0.1)
        self.norm_1 = torch.nn.LayerNorm(HIDDEN)
        self.qkv = torch.nn.Linear(HIDDEN, 3 * HIDDEN)
        self.out = torch.nn.Linear(HIDDEN, HIDDEN)
        self.norm_2 = torch.nn.LayerNorm(HIDDEN)
        self.fc1 = torch.nn.Linear(HIDDEN, 4 * HIDDEN)
        self.gate = torch.nn.Linear(HIDDEN, 4 * HIDDEN, bias=False)
        self.fc2 = torch.nn.Linear(4 * HIDDEN, HIDDEN)
        self.head = torch.nn.Linear(HIDDEN, VOCABULARY, bias=False)
        mask = torch.full((SEQUENCE, SEQUENCE), float("-inf")).triu(1)
        self.register_buffer("mask", mask)

    def forward(self, ids):
        x = self.tokens(ids) + self.positions
        h = self.qkv(self.norm_1(x)).reshape(BATCH, SEQUENCE, 3, HEADS, HIDDEN // HEADS)
        q, k, v = h.permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2) * (HIDDEN // HEADS) ** -0.5 + self.mask
        y = torch.softmax(scores, -1) @ v
        x = x + self.out(y.transpose(1, 2).reshape(BATCH, SEQUENCE, HIDDEN))
        h = self.norm_2(x)
        h = torch.nn.functional.gelu(self.fc1(h)) * torch.sigmoid(self.gate(h))
        return self.head(x + self.fc2(h))


def to_linalg(model, ids):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.onnx")
        torch.onnx.export(model, (ids,), path, dynamo=True, opset_version=18,
                          optimize=False, external_data=False)
        proto = onnx.load(path)
        names = [name for name, _ in model.named_parameters()]
        constants = []
        arguments = {}
        for tensor in proto.graph.initializer:
            if tensor.name in names:
                arguments[tensor.name] = onnx.helper.make_tensor_value_info(
                    tensor.name, tensor.data_type, tensor.dims)
            else:
                constants.append(tensor)
        assert len(arguments) == len(names)
        del proto.graph.initializer[:]
        proto.graph.initializer.extend(constants)
        proto.graph.input.extend(arguments[name] for name in names)
        onnx.save(proto, path)
        imported = os.path.join(folder, "model.mlir")
        subprocess.run(["iree-import-onnx", path, "-o", imported, "--opset-version", "18",
                        "--externalize-params", "--externalize-inputs-threshold", "1",
                        "--num-elements-threshold", str(10**9), "--no-save-params"],
                       check=True)
        text = subprocess.run(["iree-compile", "--compile-to=input", "--iree-input-type=onnx",
                               "--mlir-print-op-generic", imported],
                              check=True, capture_output=True, text=True).stdout
        return text


def main():
    torch.manual_seed(0)
    model = Model()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    generator = np.random.default_rng(7)
    ids = torch.tensor(generator.integers(0, VOCABULARY, (BATCH, SEQUENCE)))
    labels = torch.tensor(generator.integers(0, VOCABULARY, (BATCH, SEQUENCE)))
    text = to_linalg(model, ids)
    folder = os.path.join(HERE, "iree_onnx")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "model.mlir"), "w", encoding="utf-8") as file:
        file.write(text)
    save_file({name: p.detach().numpy().copy() for name, p in model.named_parameters()},
              os.path.join(folder, "model.safetensors"))
    model = model.double()
    logits = model(ids)
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())
    loss.backward()
    reference = {"input.arg0": ids.numpy(), "labels": labels.numpy(),
                 "logits": logits.detach().float().numpy(),
                 "loss": loss.detach().float().numpy()}
    for name, parameter in model.named_parameters():
        reference[f"grad.{name}"] = parameter.grad.float().numpy()
    save_file(reference, os.path.join(folder, "reference.safetensors"))


if __name__ == "__main__":
    main()
