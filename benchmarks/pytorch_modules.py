# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training in a plain PyTorch loop on one GPU: eager bf16, temlir, and Transformer
Engine's modules where they are installed.

usage: pytorch_modules.py CASE...

layer      a transformer layer of Transformer Engine's quickstart, 4096 wide, forward
           and backward pass of 4 x 2048 tokens
llama1b    a Llama of transformers with 1.2 billion parameters in bf16 and fused
           AdamW, 4 x 2048 tokens a step
overhead   a layer so small that the host takes all of the time
call       what a call costs on the CPU: that of a linear layer of 8 x 8

Needs torch on a Hopper GPU, except for call, transformers for llama1b, and temlir."""

import os
import statistics
import sys
from time import perf_counter

import torch

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../python/tests"))
from temlir_models import Block

import temlir

try:
    import transformer_engine.pytorch as te
    from transformer_engine.common.recipe import DelayedScaling, Format
except ImportError as problem:
    print(f"without Transformer Engine: {problem}")
    te = None


def measure(name, step, repeats=20, warmup=6):
    """Prints medians: of a step, of the host's time to enqueue one, and the peak of
    memory."""
    for _ in range(warmup):
        step()
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    gpu, host = [], []
    for _ in range(repeats):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda.synchronize()
        begin.record()
        start = perf_counter()
        result = step()
        host.append((perf_counter() - start) * 1e3)
        end.record()
        torch.cuda.synchronize()
        gpu.append(begin.elapsed_time(end))
    memory = torch.cuda.max_memory_allocated() / 2**30
    print(
        f"  {name:<40} {statistics.median(gpu):9.3f} ms  host "
        f"{statistics.median(host):9.3f} ms  peak {memory:6.2f} GiB"
        + (f"  loss {result.item():.4f}" if result is not None else ""),
        flush=True,
    )


def quickstart(width, heads, **options):
    """A layer of Transformer Engine like Block."""
    layer = te.TransformerLayer(
        width,
        options.pop("ffn", 4 * width),
        heads,
        hidden_dropout=0,
        attention_dropout=0,
        self_attn_mask_type="causal",
        params_dtype=torch.bfloat16,
        fuse_qkv_params=True,
        attn_input_format="bshd",
        **options,
    )
    return layer.cuda()


def in_fp8(model):
    """`model` as Transformer Engine's users call it."""
    recipe = DelayedScaling(fp8_format=Format.HYBRID, amax_history_len=16)

    def call(*args, **kwargs):
        with te.fp8_autocast(enabled=True, fp8_recipe=recipe):
            return model(*args, **kwargs)

    return call


def layer(batch=4, length=2048, width=4096, heads=32):
    torch.manual_seed(0)
    block = Block(width=width, heads=heads).to("cuda", torch.bfloat16)
    x = torch.randn(batch, length, width, device="cuda", dtype=torch.bfloat16)
    dy = torch.randn_like(x)
    x.requires_grad_()

    def step_of(call, parameters):
        parameters = list(parameters)

        def step():
            call(x).backward(dy)
            x.grad = None
            for parameter in parameters:
                parameter.grad = None

        return step

    measure("eager, bf16", step_of(block, block.parameters()))
    for precision in ("bf16", "fp8"):
        fast = temlir.compile(block, x, precision=precision)
        measure(f"temlir, {precision}", step_of(fast, block.parameters()))
    with torch.no_grad():
        measure("temlir, fp8, forward alone", lambda: fast(x).sum())
    del fast, block
    if te:
        block = quickstart(width, heads, layernorm_epsilon=1e-5)
        measure(
            "Transformer Engine, delayed scaling",
            step_of(in_fp8(block), block.parameters()),
        )


def overhead():
    layer(batch=1, length=16, width=128, heads=2)


def call(repeats=2000, rounds=15):
    torch.set_num_threads(1)
    torch.manual_seed(0)
    linear, x = torch.nn.Linear(8, 8), torch.randn(4, 8)
    fast = temlir.compile(linear, x, precision="f32")

    def time(module):
        """The best of the rounds, in us."""
        times = []
        for _ in range(rounds):
            start = perf_counter()
            for _ in range(repeats):
                module(x)
            times.append((perf_counter() - start) / repeats * 1e6)
        return min(times)

    for name, module in (("eager", linear), ("temlir", fast)):
        with_gradients = time(module)
        with torch.no_grad():
            print(f"  {name:<40} {with_gradients:.1f} us, no_grad {time(module):.1f} us")


def llama(config):
    from transformers import LlamaForCausalLM

    torch.manual_seed(0)
    with torch.device("cuda"):
        return LlamaForCausalLM(config).to(torch.bfloat16)


def use_transformer_engine(model):
    """Puts Transformer Engine's layers in a Llama, as its tutorial does."""
    from transformer_engine.pytorch.attention import RotaryPositionEmbedding

    config = model.config
    head = config.hidden_size // config.num_attention_heads
    frequencies = RotaryPositionEmbedding(head)(2048).cuda()

    class Layer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = quickstart(
                config.hidden_size,
                config.num_attention_heads,
                ffn=config.intermediate_size,
                num_gqa_groups=config.num_key_value_heads,
                normalization="RMSNorm",
                activation="swiglu",
                bias=False,
            )

        def forward(self, hidden_states, *_, **__):
            return self.inner(hidden_states, rotary_pos_emb=frequencies)

    layers = model.model.layers
    for i in range(len(layers)):
        layers[i] = Layer()


def llama1b(batch=4, length=2048):
    from transformers import LlamaConfig

    config = LlamaConfig(
        vocab_size=128256,
        hidden_size=2048,
        intermediate_size=8192,
        num_hidden_layers=16,
        num_attention_heads=32,
        num_key_value_heads=8,
        max_position_embeddings=length,
        tie_word_embeddings=True,
        use_cache=False,
    )
    ids = torch.randint(config.vocab_size, (batch, length), device="cuda")

    def train(name, prepare):
        model = llama(config)
        start = perf_counter()
        call = prepare(model)
        parameters = list(model.parameters())
        optimizer = torch.optim.AdamW(parameters, lr=1e-4, fused=True)

        def step():
            loss = call(input_ids=ids, labels=ids).loss
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            return loss

        step()
        torch.cuda.synchronize()
        print(f"  {name}: {perf_counter() - start:.1f} s to the end of the first step")
        measure(name, step)
        del model, call, parameters, optimizer, step
        torch.cuda.empty_cache()

    train("eager, bf16", lambda model: model)
    train("temlir.compile, bf16", lambda m: temlir.compile(m, precision="bf16"))
    train("temlir.compile, fp8", temlir.compile)
    options = {"constant-output": "logits"}
    train("… logits constant", lambda m: temlir.compile(m, options=options))
    train("temlir.convert, fp8", temlir.convert)
    if te:

        def prepare(model):
            use_transformer_engine(model)
            return in_fp8(model)

        train("Transformer Engine, delayed scaling", prepare)


if __name__ == "__main__":
    cases = {"layer": layer, "llama1b": llama1b, "overhead": overhead, "call": call}
    if len(sys.argv) < 2 or not set(sys.argv[1:]) <= set(cases):
        sys.exit(__doc__)
    has_gpu = torch.cuda.is_available()
    device = torch.cuda.get_device_name() if has_gpu else "CPU"
    print(device, "torch", torch.__version__)
    for name in sys.argv[1:]:
        print(name)
        cases[name]()
        torch.cuda.empty_cache()
