# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes custom/model.onnx and custom/reference.safetensors: a small language
model full of what no operation of the compiler covers, exported by
temlir_export, and PyTorch's loss and gradients of it in float64. Run it in its
folder with ../../../python on PYTHONPATH; it needs torch, onnx and
safetensors."""
import torch
from safetensors.torch import save_file
from torch import nn
from torch.nn import functional as F

import temlir_export

VOCAB, SEQUENCE, WIDTH, HIDDEN, BATCH = 64, 16, 32, 64, 4


class RootMeanSquare(nn.Module):
    """A norm that is sums and arithmetic to an exporter."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(1 + 0.2 * torch.randn(WIDTH))

    def forward(self, x):
        mean = x.pow(2).mean(-1, keepdim=True)
        return x * torch.rsqrt(mean + 1e-5) * self.weight


class Layer(nn.Module):
    def __init__(self, activation):
        super().__init__()
        self.norm = RootMeanSquare()
        self.up = nn.Linear(WIDTH, HIDDEN)
        self.down = nn.Linear(HIDDEN, WIDTH)
        # Of each channel, of each position, and of the whole layer.
        self.gain = nn.Parameter(1 + 0.2 * torch.randn(HIDDEN))
        self.decay = nn.Parameter(torch.randn(SEQUENCE, 1))
        self.scale = nn.Parameter(torch.tensor(0.7))
        self.activation = activation

    def forward(self, x):
        h = self.activation(self.up(self.norm(x))) * self.gain
        return x + self.scale * torch.exp(-F.softplus(self.decay)) * self.down(h)


def clamped(x):
    return torch.clamp(x, -1.5, 1.5) + 0.1 * torch.where(x > 0, x.sin(), x)


class Custom(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCAB, WIDTH)
        self.layers = nn.ModuleList(
            [Layer(F.mish), Layer(clamped), Layer(lambda x: x.pow(3) / (1 + x.abs()))])
        self.head = nn.Linear(WIDTH, VOCAB, bias=False)

    def forward(self, input_ids):
        x = self.embedding(input_ids)
        for layer in self.layers:
            x = layer(x)
        # Logits between -5 and 5.
        return 5 * torch.tanh(self.head(x) / 5)


torch.manual_seed(5)
model = Custom().eval()
ids = torch.randint(VOCAB, (BATCH, SEQUENCE))
labels = torch.randint(VOCAB, (BATCH, SEQUENCE))
temlir_export.export_onnx(model, (ids,), "custom/model.onnx",
                          input_names=["input_ids"], output_names=["logits"])
model = model.double()
logits = model(ids)
loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten())
loss.backward()
tensors = {"input.input_ids": ids, "labels": labels,
           "logits": logits.detach().float(), "loss": loss.detach().float()}
for name, parameter in model.named_parameters():
    tensors["grad." + name] = parameter.grad.float()
save_file(tensors, "custom/reference.safetensors")
print(float(loss))
