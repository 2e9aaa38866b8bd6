# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mamba 130M of docs/benchmarks.md: 24 layers 768 wide with 1536 channels, a state of
16 numbers each, and a tied head of 50304.

    python3 benchmarks/mamba.py export FOLDER [BATCH TOKENS [LAYERS]]
        writes FOLDER/model.mlir, the model in JAX with lax.scan over the tokens
        (default 8 x 1024 tokens), for
        te-compile FOLDER/model.mlir --target sm_90 --loss cross-entropy \\
            --init normal:0.02 -o mamba.so
        te-run bench mamba.so
    python3 benchmarks/mamba.py time [BATCH TOKENS [LAYERS]]
        times the same step of PyTorch, compiled, in bf16 and with AdamW, whose scans
        are kernels of Triton below; first their largest error beside float64
"""

import os
import sys

WIDTH, CHANNELS, STATE, RANK, KERNEL, VOCABULARY = 768, 1536, 16, 48, 4, 50304


def export(folder, batch=8, tokens=1024, layers=24):
    import jax
    import jax.numpy as jnp

    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    sys.path.insert(0, os.path.join(root, "python"))
    from temlir_export import export_stablehlo

    def norm(x, gamma):
        return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * gamma

    def convolve(p, x):
        padded = jnp.pad(x, ((0, 0), (KERNEL - 1, 0), (0, 0)))
        return p["bias"] + sum(
            padded[:, k : k + tokens] * p["weight"][k] for k in range(KERNEL))

    def selective_scan(steps, x, rates, keys, queries):
        def token(state, now):
            step, x, key, query = now
            decay = jnp.exp(step[:, :, None] * rates)
            state = decay * state + (step * x)[:, :, None] * key[:, None]
            return state, jnp.einsum("bdn,bn->bd", state, query)

        by_token = [a.swapaxes(0, 1) for a in (steps, x, keys, queries)]
        start = jnp.zeros((batch, CHANNELS, STATE))
        return jax.lax.scan(token, start, by_token)[1].swapaxes(0, 1)

    def layer(p, x):
        x, gate = jnp.split(norm(x, p["norm"]) @ p["in_proj"], 2, -1)
        x = jax.nn.silu(convolve(p["conv"], x))
        low, keys, queries = jnp.split(x @ p["x_proj"], [RANK, RANK + STATE], -1)
        steps = jax.nn.softplus(low @ p["dt_proj"]["weight"] + p["dt_proj"]["bias"])
        y = selective_scan(steps, x, -jnp.exp(p["A_log"]), keys, queries)
        return ((y + p["D"] * x) * jax.nn.silu(gate)) @ p["out_proj"]

    def model(p, input_ids):
        x = p["embedding"][input_ids]
        for index in range(layers):
            x = x + layer(p[f"layer_{index}"], x)
        return norm(x, p["norm"]) @ p["embedding"].T

    def matrix(*shape):
        return jax.ShapeDtypeStruct(shape, jnp.float32)

    def parameters():
        return {
            "norm": matrix(WIDTH),
            "in_proj": matrix(WIDTH, 2 * CHANNELS),
            "conv": {"weight": matrix(KERNEL, CHANNELS), "bias": matrix(CHANNELS)},
            "x_proj": matrix(CHANNELS, RANK + 2 * STATE),
            "dt_proj": {"weight": matrix(RANK, CHANNELS), "bias": matrix(CHANNELS)},
            "A_log": matrix(CHANNELS, STATE),
            "D": matrix(CHANNELS),
            "out_proj": matrix(CHANNELS, WIDTH),
        }

    p = {f"layer_{index}": parameters() for index in range(layers)}
    p |= {"embedding": matrix(VOCABULARY, WIDTH), "norm": matrix(WIDTH)}
    os.makedirs(folder, exist_ok=True)
    ids = jnp.zeros((batch, tokens), jnp.int32)
    export_stablehlo(
        model, {"input_ids": ids}, os.path.join(folder, "model.mlir"), params=p,
        weights="absent")


def make_scan():
    """The selective scan as an operator of PyTorch: kernels of Triton that load tiles
    of tokens, channels and numbers of the state, and scan each of them as a tree."""
    import torch
    import triton
    import triton.language as tl

    tile = 16  # tokens

    @triton.jit
    def combine(a, u, decay, added):
        return a * decay, decay * u + added

    @triton.jit
    def forward(steps, x, rates, keys, queries, y, states, T, D: tl.constexpr,
                N: tl.constexpr, BT: tl.constexpr, BD: tl.constexpr,
                stride: tl.constexpr):
        b, d = tl.program_id(1), tl.program_id(0) * BD + tl.arange(0, BD)
        n = tl.arange(0, N)
        rate = tl.load(rates + d[None, :, None] * N + n[None, None])
        h = tl.zeros([1, BD, N], tl.float32)
        for first in range(0, T, BT):
            row = b * T + first + tl.arange(0, BT)
            at = row[:, None] * D + d[None]
            tl.store(states + ((b * (T // BT) + first // BT) * D + d[None, :, None]) * N
                     + n[None, None], h)
            step = tl.load(steps + at).to(tl.float32)
            value = tl.load(x + at).to(tl.float32)
            key = tl.load(keys + row[:, None] * stride + n[None]).to(tl.float32)
            query = tl.load(queries + row[:, None] * stride + n[None]).to(tl.float32)
            decay = tl.exp(step[:, :, None] * rate)
            added = (step * value)[:, :, None] * key[:, None]
            product, own = tl.associative_scan((decay, added), 0, combine)
            own += product * h
            tl.store(y + at, tl.sum(own * query[:, None], 2).to(y.dtype.element_ty))
            is_last = (tl.arange(0, BT) == BT - 1)[:, None, None]
            h = tl.sum(tl.where(is_last, own, 0.0), 0, keep_dims=True)

    @triton.jit
    def backward(dy, steps, x, rates, keys, queries, states, dsteps, dx, drates, dkeys,
                 dqueries, T, D: tl.constexpr, N: tl.constexpr, BT: tl.constexpr,
                 BD: tl.constexpr, stride: tl.constexpr):
        b, d = tl.program_id(1), tl.program_id(0) * BD + tl.arange(0, BD)
        n = tl.arange(0, N)
        rate = tl.load(rates + d[None, :, None] * N + n[None, None])
        carry = tl.zeros([1, BD, N], tl.float32)
        drate = tl.zeros([BD, N], tl.float32)
        for back in range(0, T, BT):
            first = T - BT - back
            token = first + tl.arange(0, BT)
            row = b * T + token
            at = row[:, None] * D + d[None]
            h = tl.load(states + ((b * (T // BT) + first // BT) * D + d[None, :, None])
                        * N + n[None, None])
            step = tl.load(steps + at).to(tl.float32)
            next = tl.load(steps + at + D, mask=(token + 1 < T)[:, None], other=0.0)
            value = tl.load(x + at).to(tl.float32)
            of_y = tl.load(dy + at).to(tl.float32)
            key = tl.load(keys + row[:, None] * stride + n[None]).to(tl.float32)
            query = tl.load(queries + row[:, None] * stride + n[None]).to(tl.float32)
            decay = tl.exp(step[:, :, None] * rate)
            added = (step * value)[:, :, None] * key[:, None]
            product, own = tl.associative_scan((decay, added), 0, combine)
            own += product * h
            decays = tl.exp(next.to(tl.float32)[:, :, None] * rate)
            product, du = tl.associative_scan(
                (decays, of_y[:, :, None] * query[:, None]), 0, combine, reverse=True)
            du += product * carry
            is_first = (tl.arange(0, BT) == 0)[:, None, None]
            carry = tl.sum(tl.where(is_first, du, 0.0), 0, keep_dims=True)
            exponent = du * (own - added)
            drate += tl.sum(exponent * step[:, :, None], 0)
            by_key = tl.sum(du * key[:, None], 2)
            tl.store(dsteps + at, (tl.sum(exponent * rate, 2) + by_key * value).to(
                dsteps.dtype.element_ty))
            tl.store(dx + at, (by_key * step).to(dx.dtype.element_ty))
            of_numbers = row[:, None] * N + n[None]
            tl.atomic_add(dkeys + of_numbers,
                          tl.sum(du * (step * value)[:, :, None], 1))
            tl.atomic_add(dqueries + of_numbers, tl.sum(own * of_y[:, :, None], 1))
        tl.atomic_add(drates + d[:, None] * N + n[None], drate)

    def launch(kernel, batch, tokens, channels, *arguments, stride, warps=4, BD=16):
        kernel[(channels // BD, batch)](*arguments, tokens, channels, STATE, tile, BD,
                                        stride, num_warps=warps)

    @torch.library.custom_op("mamba::scan", mutates_args=())
    def scan(steps: torch.Tensor, x: torch.Tensor, rates: torch.Tensor,
             keys: torch.Tensor, queries: torch.Tensor
             ) -> tuple[torch.Tensor, torch.Tensor]:
        b, t, d = x.shape
        y = torch.empty_like(x)
        states = x.new_empty(b, t // tile, d, STATE, dtype=torch.float32)
        launch(forward, b, t, d, steps, x, rates, keys, queries, y, states,
               stride=keys.stride(1))
        return y, states

    @scan.register_fake
    def _(steps, x, rates, keys, queries):
        b, t, d = x.shape
        return torch.empty_like(x), x.new_empty(
            b, t // tile, d, STATE, dtype=torch.float32)

    @torch.library.custom_op("mamba::scan_grad", mutates_args=())
    def scan_grad(dy: torch.Tensor, steps: torch.Tensor, x: torch.Tensor,
                  rates: torch.Tensor, keys: torch.Tensor, queries: torch.Tensor,
                  states: torch.Tensor
                  ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor,
                             torch.Tensor]:
        b, t, d = x.shape
        dsteps, dx = torch.empty_like(steps), torch.empty_like(x)
        drates = torch.zeros_like(rates)
        dkeys, dqueries = (x.new_zeros(b, t, STATE, dtype=torch.float32)
                           for _ in range(2))
        launch(backward, b, t, d, dy.contiguous(), steps, x, rates, keys, queries,
               states, dsteps, dx, drates, dkeys, dqueries, stride=keys.stride(1))
        return dsteps, dx, drates, dkeys.to(keys.dtype), dqueries.to(queries.dtype)

    @scan_grad.register_fake
    def _(dy, steps, x, rates, keys, queries, states):
        b, t, d = x.shape
        return (torch.empty_like(steps), torch.empty_like(x), torch.empty_like(rates),
                *(k.new_empty(b, t, STATE) for k in (keys, queries)))

    def keep(ctx, inputs, output):
        ctx.save_for_backward(*inputs, output[1])

    def differentiate(ctx, dy, dstates):
        return scan_grad(dy, *ctx.saved_tensors)

    scan.register_autograd(differentiate, setup_context=keep)
    return lambda *arguments: scan(*arguments)[0]


def check_scan(scan):
    """The largest errors of its result and gradients, beside the largest value."""
    import torch

    def reference(steps, x, rates, keys, queries):
        h, y = 0, []
        for t in range(x.shape[1]):
            step = steps[:, t, :, None]
            h = torch.exp(step * rates) * h + step * x[:, t, :, None] * keys[:, t, None]
            y.append((h * queries[:, t, None]).sum(-1))
        return torch.stack(y, 1)

    def random(*shape):
        return torch.randn(*shape, device="cuda", dtype=torch.float64)

    b, t, d = 2, 64, 32
    values = [random(b, t, d).abs() * 0.1, random(b, t, d), -random(d, STATE).exp(),
              random(b, t, STATE), random(b, t, STATE)]
    dy = random(b, t, d)
    results = []
    for function, dtype in ((reference, torch.float64), (scan, torch.float32)):
        leaves = [v.to(dtype).requires_grad_() for v in values]
        y = function(*leaves)
        results.append([y, *torch.autograd.grad(y, leaves, dy.to(dtype))])
    return max(float((ours - right).abs().max() / right.abs().max())
               for right, ours in zip(*results))


def time_torch(batch=8, tokens=1024, layers=24):
    import torch
    import torch.nn.functional as F

    scan = make_scan()
    print(f"error of the scan and its gradients: {check_scan(scan):.1e}")

    class Layer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.norm = torch.nn.RMSNorm(WIDTH)
            self.in_proj = torch.nn.Linear(WIDTH, 2 * CHANNELS, bias=False)
            self.conv = torch.nn.Parameter(torch.randn(KERNEL, CHANNELS) * 0.3)
            self.bias = torch.nn.Parameter(torch.zeros(CHANNELS))
            self.x_proj = torch.nn.Linear(CHANNELS, RANK + 2 * STATE, bias=False)
            self.dt_proj = torch.nn.Linear(RANK, CHANNELS)
            self.A_log = torch.nn.Parameter(
                torch.arange(1.0, STATE + 1).log().repeat(CHANNELS, 1))
            self.D = torch.nn.Parameter(torch.ones(CHANNELS))
            self.out_proj = torch.nn.Linear(CHANNELS, WIDTH, bias=False)

        def forward(self, x):
            # Sums of products: cuDNN's depthwise convolution takes longer.
            y, gate = self.in_proj(self.norm(x)).chunk(2, -1)
            padded = F.pad(y, (0, 0, KERNEL - 1, 0))
            y = F.silu(self.bias + sum(
                padded[:, k : k + tokens] * self.conv[k] for k in range(KERNEL))
            ).bfloat16()
            low, keys, queries = self.x_proj(y).split([RANK, STATE, STATE], -1)
            steps = F.softplus(self.dt_proj(low).float()).bfloat16()
            rates = -self.A_log.exp()
            read = scan(steps, y, rates, keys, queries)
            return x + self.out_proj((read + self.D * y) * F.silu(gate))

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = torch.nn.Embedding(VOCABULARY, WIDTH)
            self.layers = torch.nn.ModuleList(Layer() for _ in range(layers))
            self.norm = torch.nn.RMSNorm(WIDTH)

        def forward(self, ids, labels):
            x = self.embedding(ids).bfloat16()
            for layer in self.layers:
                x = layer(x)
            logits = F.linear(self.norm(x), self.embedding.weight)
            return F.cross_entropy(logits.view(-1, VOCABULARY).float(), labels.view(-1))

    model = Model().cuda()
    ids, labels = (torch.randint(VOCABULARY, (batch, tokens), device="cuda")
                   for _ in range(2))
    for name in ("torch.compile", "torch.compile, CUDA graphs"):
        mode = "reduce-overhead" if "graphs" in name else None
        compiled = torch.compile(model, mode=mode)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)

        def step():
            with torch.autocast("cuda", torch.bfloat16):
                loss = compiled(ids, labels)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()

        times = []
        for repeat in range(25):
            if repeat == 5:
                torch.cuda.reset_peak_memory_stats()
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            step()
            end.record()
            end.synchronize()
            times.append(begin.elapsed_time(end))
        peak = torch.cuda.max_memory_allocated() / 2**30
        print(f"{name}: {sorted(times[5:])[10]:.2f} ms, {peak:.2f} GiB", flush=True)
        if not mode:
            with torch.profiler.profile() as profile:
                step()
                torch.cuda.synchronize()
            print(profile.key_averages().table(
                sort_by="self_cuda_time_total", row_limit=25, max_name_column_width=60))


if __name__ == "__main__":
    command, *rest = sys.argv[1:] or [""]
    if command == "export" and rest:
        export(rest[0], *map(int, rest[1:]))
    elif command == "time":
        time_torch(*map(int, rest))
    else:
        sys.exit(__doc__)
