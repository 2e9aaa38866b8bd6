# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes truths.onnx, a model with masks of truth values as inputs: for attention, for a
choice, and in arithmetic; and truths.safetensors, PyTorch's result, loss and gradients in
float64, with the inputs used. Needs torch, onnx, onnxscript, safetensors.

usage: make_truths.py"""

import os
import sys

import onnx
import torch
from safetensors.torch import save_file

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../../python"))
sys.path.insert(0, os.path.join(HERE, "../../../Models/Inputs"))
from make_families import strip  # noqa: E402
from temlir_export import export_onnx  # noqa: E402


class Masked(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 8)

    def forward(self, x, keys, rows):
        q = self.fc(x)
        y = torch.nn.functional.scaled_dot_product_attention(
            q[:, None], x[:, None], x[:, None], keys)[:, 0]
        y = torch.where(rows[..., None], y, q * 0.5)
        return y * (~rows).to(y.dtype).sum()


torch.manual_seed(3)
model = Masked()
x = torch.randn(2, 6, 8)
rows = torch.rand(2, 6) > 0.4
keys = torch.rand(2, 1, 6, 6) > 0.5
keys[..., 0] = True
inputs = {"x": x, "keys": keys, "rows": rows}
path = os.path.join(HERE, "truths.onnx")
export_onnx(model, inputs, path, output_names=["y"])
onnx.save(strip(path), path)
model = model.double()
labels = torch.randn(2, 6, 8)
y = model(x.double(), keys, rows)
loss = torch.nn.functional.mse_loss(y, labels.double())
loss.backward()
save_file({**inputs, "labels": labels, "y": y.detach().float(), "loss": loss.detach().float(),
           **{f"grad.{n}": p.grad.float() for n, p in model.named_parameters()}},
          os.path.join(HERE, "truths.safetensors"))
print(loss.item())
