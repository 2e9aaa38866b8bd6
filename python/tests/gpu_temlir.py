# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks of compiled modules on a GPU. benchmarks/pytorch_modules.py has times.

Needs a Hopper GPU, torch, ONNX, and te-compile on PATH or the wheel."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
try:
    from temlir_models import Block, block, error, torch
    from test_temlir_step import make, reference, run
except unittest.SkipTest as reason:
    sys.exit(f"gpu_temlir: {reason}")

import temlir

# name: (batch, length, width, heads, dtype, precision)
CASES = {
    "small f32": (2, 128, 256, 4, torch.float32, "f32"),
    "small bf16": (2, 128, 256, 4, torch.bfloat16, "bf16"),
    "small fp8": (2, 128, 256, 4, torch.bfloat16, "fp8"),
}
BARS = {"f32": 2e-3, "bf16": 0.04, "fp8": 0.3}  # f32 products may use TF32


def model_of(case, device="cpu"):
    _, _, width, heads, dtype, _ = CASES[case]
    torch.manual_seed(0)
    return Block(width=width, heads=heads).to(device, dtype)


def input_of(case, device="cpu", seed=1):
    batch, length, width, _, dtype, _ = CASES[case]
    torch.manual_seed(seed)
    return torch.randn(batch, length, width).to(device, dtype)


def load(case):
    """The module on the GPU, itself compiled, and its input."""
    model, x = model_of(case, "cuda"), input_of(case, "cuda")
    options = {"fp8-layers": "all"} if CASES[case][-1] == "fp8" else {}
    compiled = temlir.compile(model, x, precision=CASES[case][-1], options=options)
    return model, compiled, x


def gradients(model, x, dy):
    x = x.detach().requires_grad_()
    model.zero_grad()
    y = model(x)
    y.backward(dy)
    parameters = {name: p.grad.clone() for name, p in model.named_parameters()}
    return {"y": y.detach().clone(), "x": x.grad.clone(), **parameters}


def check(case):
    """Gradients against eager float32; on another stream; several calls open; as a
    CUDA graph, all of them the same bits."""
    model, compiled, x = load(case)
    bar = BARS[CASES[case][-1]]
    dy = input_of(case, "cuda", seed=2)
    exact = model_of(case, "cuda").float()
    expected = gradients(exact, x.float(), dy.float())
    for _ in range(6):  # until the scales of this batch are what they stay
        gradients(compiled, x, dy)
    found = gradients(compiled, x, dy)
    worst = max(expected, key=lambda name: error(found[name], expected[name]))
    figure = error(found[worst], expected[worst])
    assert figure < bar, f"{case}: {worst} {figure}"

    def assert_same(other, what):
        for name, value in found.items():
            assert torch.equal(other[name], value), f"{case}: {name}, {what}"

    assert_same(gradients(compiled, x, dy), "again")
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        other = gradients(compiled, x, dy)
    torch.cuda.current_stream().wait_stream(side)
    assert_same(other, "on another stream")

    ys = [compiled(x), compiled(x)]
    model.zero_grad()
    ys[0].backward(dy)
    first = {name: p.grad.clone() for name, p in model.named_parameters()}
    model.zero_grad()
    ys[1].backward(dy)
    for name, p in model.named_parameters():
        assert torch.equal(p.grad, first[name]), f"{case}: {name}, two calls open"

    compiled.synchronize()
    check_capture(case, found, side)
    print(f"{case}: worst {worst} {figure:.2g}; streams, open calls, CUDA graph agree")


def check_capture(case, expected, stream):
    """A module of its own: nodes of autograd that are still alive from calls on
    another stream would take part in the capture."""
    model, compiled, x = load(case)
    dy = input_of(case, "cuda", seed=2)
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(7):  # as often as before the expected values
            gradients(compiled, x, dy)
    torch.cuda.synchronize()
    model.zero_grad(set_to_none=True)
    static_x, static_dy = x.clone().requires_grad_(), dy.clone()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        static_y = compiled(static_x)
        static_y.backward(static_dy)
    graph.replay()
    torch.cuda.synchronize()
    replayed = {name: p.grad for name, p in model.named_parameters()}
    for name, value in {"y": static_y, "x": static_x.grad, **replayed}.items():
        assert torch.equal(value, expected[name]), f"{case}: {name}, as a CUDA graph"
    compiled.synchronize()


def check_training():
    """Losses and gradient norms of whole steps beside torch's AdamW, and parameters
    that stay where they are."""
    plain = block().to("cuda")
    optimizer = torch.optim.AdamW(plain.parameters(), lr=1e-3, weight_decay=0.0)
    expected = reference(plain, 5, optimizer)
    for precision, bar, options in (
        ("f32", 1e-3, {}),
        ("fp8", 3e-2, {"fp8-layers": "all"}),
    ):
        model = block().to("cuda")
        addresses = [p.data_ptr() for p in model.parameters()]
        step = make(model, precision=precision, options=options)
        found = run(step, 5, device="cuda")
        torch.testing.assert_close(found, expected, rtol=bar, atol=0)
        assert addresses == [p.data_ptr() for p in model.parameters()]
        if precision == "f32":
            for p, q in zip(model.parameters(), plain.parameters()):
                torch.testing.assert_close(p, q, rtol=1e-3, atol=1e-3)
    print("train_step: losses and norms of f32 and FP8 agree with torch's AdamW")


if __name__ == "__main__":
    print(torch.cuda.get_device_name(), "torch", torch.__version__)
    torch.use_deterministic_algorithms(True)
    for name in CASES:
        check(name)
    check_training()
