# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled modules on a GPU: checks, and times beside eager bf16 and Transformer
Engine where that is installed.

usage: gpu_temlir.py prepare FOLDER    compiles for sm_90; needs no GPU, but ONNX
       gpu_temlir.py run FOLDER        needs a Hopper GPU, torch and the runtime

Both need te-compile on PATH, or the wheel."""

import os
import pickle
import statistics
import sys
from time import perf_counter_ns as time_ns

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from temlir_models import Block, error, torch

import temlir
from temlir import trace
from temlir.module import CompiledModule
from temlir.program import Program

# name: (batch, length, width, heads, dtype, precision)
CASES = {
    "small f32": (2, 128, 256, 4, torch.float32, "f32"),
    "small bf16": (2, 128, 256, 4, torch.bfloat16, "bf16"),
    "small fp8": (2, 128, 256, 4, torch.bfloat16, "fp8"),
    "quickstart fp8": (4, 2048, 4096, 32, torch.bfloat16, "fp8"),
    "overhead fp8": (1, 16, 128, 2, torch.bfloat16, "fp8"),
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


def prepare(folder):
    os.makedirs(folder, exist_ok=True)
    for case, (*_, precision) in CASES.items():
        name = os.path.join(folder, case.replace(" ", "_"))
        options = {
            "precision": precision,
            "target": "sm_90",
            "fp8-layers": "all",
        }
        if precision != "fp8":
            del options["fp8-layers"]
        model = model_of(case)
        result = trace.export(model, (input_of(case),), {}, name + ".onnx")
        trace.compile_model(model, name + ".onnx", options, name + ".so")
        with open(name + ".pickle", "wb") as file:
            pickle.dump(result, file)
        print(f"{case}: {name}.so")


def load(folder, case):
    """The module on the GPU, and itself compiled, with the prepared program."""
    name = os.path.join(folder, case.replace(" ", "_"))
    with open(name + ".pickle", "rb") as file:
        result = pickle.load(file)
    model, x = model_of(case, "cuda"), input_of(case, "cuda")
    compiled = CompiledModule(model, {})
    program = Program(os.path.abspath(name + ".so"), x.device)
    compiled.bind((x,), {}, trace.bind(model, program, result))
    return model, compiled, x


def gradients(model, x, dy):
    x = x.detach().requires_grad_()
    model.zero_grad()
    y = model(x)
    y.backward(dy)
    parameters = {name: p.grad.clone() for name, p in model.named_parameters()}
    return {"y": y.detach().clone(), "x": x.grad.clone(), **parameters}


def check(folder, case):
    """Gradients against eager float32; on another stream; several calls open; as a
    CUDA graph, all of them the same bits."""
    model, compiled, x = load(folder, case)
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
    check_capture(folder, case, found, side)
    print(f"{case}: worst {worst} {figure:.2g}; streams, open calls, CUDA graph agree")


def check_capture(folder, case, expected, stream):
    """A module of its own: nodes of autograd that are still alive from calls on
    another stream would take part in the capture."""
    model, compiled, x = load(folder, case)
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


def time_of(run, repeats=30):
    """Milliseconds on the GPU and on the host before it waits, medians."""
    for _ in range(5):
        run()
    torch.cuda.synchronize()
    gpu, host = [], []
    for _ in range(repeats):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda.synchronize()
        begin.record()
        start = time_ns()
        run()
        host.append((time_ns() - start) / 1e6)
        end.record()
        torch.cuda.synchronize()
        gpu.append(begin.elapsed_time(end))
    return statistics.median(gpu), statistics.median(host)


def report(name, run):
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    gpu, host = time_of(run)
    peak = (torch.cuda.max_memory_allocated() - before) / 2**30
    print(f"  {name:<34} {gpu:8.3f} ms  host {host:8.3f} ms  {peak:6.2f} GiB above")


def step_of(model, x, dy):
    def run():
        y = model(x)
        y.backward(dy)
        for parameter in model.parameters():
            parameter.grad = None

    return run


def transformer_engine(case):
    """The layer of its quickstart, and what it runs in; None if not installed."""
    try:
        import transformer_engine.pytorch as te
        from transformer_engine.common.recipe import DelayedScaling, Format
    except Exception as problem:
        print(f"  Transformer Engine: not here ({problem})")
        return None
    _, _, width, heads, dtype, _ = CASES[case]
    layer = te.TransformerLayer(
        width,
        4 * width,
        heads,
        layernorm_epsilon=1e-5,
        hidden_dropout=0,
        attention_dropout=0,
        self_attn_mask_type="causal",
        params_dtype=dtype,
        fuse_qkv_params=True,
        attn_input_format="bshd",
    ).cuda()
    recipe = DelayedScaling(fp8_format=Format.HYBRID, amax_history_len=16)

    def run(x):
        with te.fp8_autocast(enabled=True, fp8_recipe=recipe):
            return layer(x)

    run.parameters = layer.parameters
    return run


def compare(folder, case):
    print(f"{case}: forward and backward")
    model, compiled, x = load(folder, case)
    dy = input_of(case, "cuda", seed=2)
    x.requires_grad_()
    report("eager bf16", step_of(model, x, dy))
    report("temlir", step_of(compiled, x, dy))
    engine = transformer_engine(case)
    if engine:
        report("Transformer Engine, delayed", step_of(engine, x, dy))


def run(folder):
    print(torch.cuda.get_device_name(), "torch", torch.__version__)
    compare(folder, "quickstart fp8")
    compare(folder, "overhead fp8")
    _, compiled, x = load(folder, "overhead fp8")
    with torch.no_grad():
        report("temlir, forward without gradients", lambda: compiled(x))
    for case in ("small f32", "small bf16", "small fp8"):
        check(folder, case)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("prepare", "run"):
        sys.exit(__doc__)
    {"prepare": prepare, "run": run}[sys.argv[1]](sys.argv[2])
