# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models and helpers of the tests of temlir."""

import os
import shutil
import sys
import unittest
import warnings

try:
    import torch
except ImportError as error:
    raise unittest.SkipTest("torch is not installed: pip install torch") from error

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
warnings.filterwarnings("ignore", category=DeprecationWarning)
# Small models; other tests run beside these.
torch.set_num_threads(2)
F = torch.nn.functional


def require_compiler():
    """Skips a file of tests where models cannot be compiled."""
    try:
        import onnxscript  # noqa: F401: torch's exporter needs it
    except ImportError as error:
        raise unittest.SkipTest(
            f"{error.name} is not installed: pip install onnx onnxscript"
        ) from error
    if not shutil.which("te-compile"):
        raise unittest.SkipTest("te-compile is not on PATH")


class Block(torch.nn.Module):
    """A pre-norm transformer layer, as torch.nn.TransformerEncoderLayer with
    norm_first."""

    def __init__(self, width=64, heads=4, dropout=0.0):
        super().__init__()
        self.heads = heads
        self.norm_1 = torch.nn.LayerNorm(width)
        self.qkv = torch.nn.Linear(width, 3 * width)
        self.out = torch.nn.Linear(width, width)
        self.norm_2 = torch.nn.LayerNorm(width)
        self.fc_1 = torch.nn.Linear(width, 4 * width)
        self.fc_2 = torch.nn.Linear(4 * width, width)
        self.dropout = torch.nn.Dropout(dropout)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (
            part.view(batch, length, self.heads, -1).transpose(1, 2)
            for part in self.qkv(self.norm_1(x)).chunk(3, -1)
        )
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        a = a.transpose(1, 2).reshape(batch, length, width)
        x = x + self.dropout(self.out(a))
        return x + self.dropout(self.fc_2(F.gelu(self.fc_1(self.norm_2(x)))))


def block(**options):
    torch.manual_seed(0)
    return Block(**options)


def batch(size=2, length=32, width=64, seed=1):
    torch.manual_seed(seed)
    return torch.randn(size, length, width)


def gradients(model, x, scale=1.0):
    """{name: gradient} of the parameters and of x, for a cotangent without a
    pattern, and the output as "y"."""
    x = x.detach().clone().requires_grad_()
    for parameter in model.parameters():
        parameter.grad = None
    y = model(x)
    y.backward(scale * batch(*y.shape, seed=2).to(y.dtype))
    found = {name: p.grad.clone() for name, p in model.named_parameters()}
    return {"y": y.detach(), "x": x.grad, **found}


def error(a, b):
    """Relative, of norms, in float64."""
    a, b = a.double(), b.double()
    return float((a - b).norm() / b.norm())


class _Fp8Linear(torch.autograd.Function):
    """A linear layer whose operands are rounded to FP8 by the amax of each: what
    FP8 training costs, by torch's own FP8 types."""

    @staticmethod
    def round(x, dtype):
        scale = torch.finfo(dtype).max / x.abs().max()
        return (x * scale).to(dtype).to(x.dtype) / scale

    @staticmethod
    def forward(ctx, x, weight, bias):
        x = _Fp8Linear.round(x, torch.float8_e4m3fn)
        weight = _Fp8Linear.round(weight, torch.float8_e4m3fn)
        ctx.save_for_backward(x, weight)
        return F.linear(x, weight, bias)

    @staticmethod
    def backward(ctx, dy):
        x, weight = ctx.saved_tensors
        rounded = _Fp8Linear.round(dy, torch.float8_e5m2)
        rows = rounded.flatten(0, -2)
        return rounded @ weight, rows.T @ x.flatten(0, -2), dy.flatten(0, -2).sum(0)


def emulate_fp8(model):
    """`model` with FP8 linear layers, in place."""
    for module in model.modules():
        if isinstance(module, torch.nn.Linear):
            module.forward = lambda x, m=module: _Fp8Linear.apply(x, m.weight, m.bias)
    return model
