# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes tosa/: a tiny Llama in the tosa dialect, with implicit broadcasts, gathers and
products in batches as torch-mlir writes them; its parameters, and PyTorch's logits, loss
(mean cross-entropy, labels not shifted) and gradients in float64, of the same model in
PyTorch.

usage: make_tosa.py"""

import os

import numpy as np
import torch
from safetensors.numpy import save_file

HERE = os.path.dirname(os.path.abspath(__file__))
VOCABULARY, HIDDEN, FFN, HEADS, BATCH, SEQUENCE = 48, 16, 24, 2, 2, 8
SIZE = HIDDEN // HEADS
PARAMETERS = {
    "tokens": (VOCABULARY, HIDDEN), "norm_1": (HIDDEN,), "q": (HIDDEN, HIDDEN),
    "k": (HIDDEN, HIDDEN), "v": (HIDDEN, HIDDEN), "o": (HIDDEN, HIDDEN), "norm_2": (HIDDEN,),
    "gate": (FFN, HIDDEN), "up": (FFN, HIDDEN), "down": (HIDDEN, FFN), "bias": (HIDDEN,),
    "norm": (HIDDEN,), "head": (VOCABULARY, HIDDEN)}
ANGLES = np.float32(np.outer(np.arange(SEQUENCE), 100.0 ** (-np.arange(0, SIZE, 2) / SIZE)))
COS, SIN = (np.concatenate([f(ANGLES)] * 2, -1) for f in (np.cos, np.sin))
MASK = np.triu(np.full((SEQUENCE, SEQUENCE), -np.inf, np.float32), 1)


def torch_model(p, ids):
    def norm(x, g):
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) * g

    def heads(x, w, turned=True):
        x = (x @ w.T).reshape(BATCH, SEQUENCE, HEADS, SIZE).transpose(1, 2)
        a, b = x.chunk(2, -1)
        cos, sin = (torch.tensor(t).to(x.dtype) for t in (COS, SIN))
        return x * cos + torch.cat([-b, a], -1) * sin if turned else x

    x = p["tokens"][ids]
    h = norm(x, p["norm_1"])
    q, k, v = heads(h, p["q"]), heads(h, p["k"]), heads(h, p["v"], turned=False)
    scores = q @ k.transpose(-1, -2) * SIZE**-0.5 + torch.tensor(MASK).to(x.dtype)
    y = torch.softmax(scores, -1) @ v
    x = x + y.transpose(1, 2).reshape(BATCH, SEQUENCE, HIDDEN) @ p["o"].T
    h = norm(x, p["norm_2"])
    gate = h @ p["gate"].T
    x = x + (gate * torch.sigmoid(gate) * (h @ p["up"].T)) @ p["down"].T + p["bias"]
    return norm(x, p["norm"]) @ p["head"].T


class Writer:
    """Operations one by one; a value is its name and its shape."""

    def __init__(self):
        self.lines, self.count = [], 0

    def op(self, name, operands, shape, attributes="", element="f32"):
        self.count += 1
        types = ", ".join(self.type(o) for o in operands)
        names = ", ".join(o[0] for o in operands)
        result = (f"%{self.count}", tuple(shape), element)
        self.lines.append(f'    {result[0]} = "tosa.{name}"({names}){attributes} : ({types}) -> '
                          f"{self.type(result)}")
        return result

    @staticmethod
    def type(value):
        name, shape, element = value
        if element == "shape":
            return f"!tosa.shape<{shape[0]}>"
        return f"tensor<{'x'.join([*map(str, shape), element])}>"

    def constant(self, array, element="f32"):
        array = np.asarray(array)
        text = np.array2string(array, separator=", ", threshold=10**6, floatmode="unique",
                               formatter={"float_kind": lambda v: "0xFF800000" if v == -np.inf
                                          else f"{v:.9e}"})
        self_type = f"tensor<{'x'.join([*map(str, array.shape), element])}>"
        return self.op("const", [], array.shape,
                       f" <{{values = dense<{text}> : {self_type}}}>", element)

    def number(self, value, rank):
        return self.constant(np.full([1] * rank, value, np.float32))

    def shape(self, sizes):
        self.count += 1
        self.lines.append(
            f'    %{self.count} = "tosa.const_shape"() <{{values = dense<{list(sizes)}> : '
            f"tensor<{len(sizes)}xindex>}}> : () -> !tosa.shape<{len(sizes)}>")
        return (f"%{self.count}", (len(sizes),), "shape")

    def reshape(self, x, shape):
        return self.op("reshape", [x, self.shape(shape)], shape, "", x[2])

    def transpose(self, x, order):
        return self.op("transpose", [x], [x[1][i] for i in order],
                       f" <{{perms = array<i32: {', '.join(map(str, order))}>}}>")

    def binary(self, name, x, y):
        return self.op(name, [x, y], np.broadcast_shapes(x[1], y[1]))

    def mul(self, x, y):
        shift = self.constant(np.zeros(1, np.int8), "i8")
        return self.op("mul", [x, y, shift], np.broadcast_shapes(x[1], y[1]))

    def reduce(self, name, x, axis):
        shape = [1 if i == axis else size for i, size in enumerate(x[1])]
        return self.op(name, [x], shape, f" <{{axis = {axis} : i32}}>")

    def matmul(self, x, y):
        zero = self.constant(np.zeros(1, np.float32))
        return self.op("matmul", [x, y, zero, zero], (*x[1][:2], y[1][2]))

    def concat(self, inputs, axis):
        shape = list(inputs[0][1])
        shape[axis] = sum(x[1][axis] for x in inputs)
        return self.op("concat", inputs, shape, f" <{{axis = {axis} : i32}}>")

    def slice(self, x, start, size):
        return self.op("slice", [x, self.shape(start), self.shape(size)], size)

    def linear(self, x, w):
        """[rows, in] by a weight of [out, in], as a product of one batch."""
        rows = self.reshape(x, (1, BATCH * SEQUENCE, w[1][1]))
        weight = self.reshape(self.transpose(w, (1, 0)), (1, w[1][1], w[1][0]))
        return self.reshape(self.matmul(rows, weight), (BATCH, SEQUENCE, w[1][0]))


def norm(t, x, g):
    mean = t.mul(t.reduce("reduce_sum", t.mul(x, x), 2), t.number(1 / HIDDEN, 3))
    scale = t.op("rsqrt", [t.binary("add", mean, t.number(1e-6, 3))], mean[1])
    return t.mul(t.mul(x, scale), t.reshape(g, (1, 1, HIDDEN)))


def heads(t, x, w, turned=True):
    x = t.reshape(t.linear(x, w), (BATCH, SEQUENCE, HEADS, SIZE))
    x = t.transpose(x, (0, 2, 1, 3))
    if turned:
        half = (BATCH, HEADS, SEQUENCE, SIZE // 2)
        a, b = t.slice(x, (0, 0, 0, 0), half), t.slice(x, (0, 0, 0, SIZE // 2), half)
        zero = t.constant(np.zeros(1, np.float32))
        rotated = t.concat([t.op("negate", [b, zero, zero], half), a], 3)
        cos, sin = (t.constant(table[None, None]) for table in (COS, SIN))
        x = t.binary("add", t.mul(x, cos), t.mul(rotated, sin))
    return t.reshape(x, (BATCH * HEADS, SEQUENCE, SIZE))


def write():
    t = Writer()
    p = {name: (f"%{name}", shape, "f32") for name, shape in PARAMETERS.items()}
    ids = t.reshape(("%ids", (BATCH, SEQUENCE), "i32"), (1, BATCH * SEQUENCE))
    rows = t.op("gather", [t.reshape(p["tokens"], (1, VOCABULARY, HIDDEN)), ids],
                (1, BATCH * SEQUENCE, HIDDEN))
    x = t.reshape(rows, (BATCH, SEQUENCE, HIDDEN))
    h = norm(t, x, p["norm_1"])
    q, k, v = heads(t, h, p["q"]), heads(t, h, p["k"]), heads(t, h, p["v"], turned=False)
    scores = t.mul(t.matmul(q, t.transpose(k, (0, 2, 1))), t.number(SIZE**-0.5, 3))
    scores = t.binary("add", scores, t.constant(MASK[None]))
    shifted = t.binary("sub", scores, t.reduce("reduce_max", scores, 2))
    weights = t.op("exp", [shifted], shifted[1])
    total = t.reduce("reduce_sum", weights, 2)
    weights = t.mul(weights, t.op("reciprocal", [total], total[1]))
    y = t.reshape(t.matmul(weights, v), (BATCH, HEADS, SEQUENCE, SIZE))
    y = t.reshape(t.transpose(y, (0, 2, 1, 3)), (BATCH, SEQUENCE, HIDDEN))
    x = t.binary("add", x, t.linear(y, p["o"]))
    h = norm(t, x, p["norm_2"])
    gate = t.linear(h, p["gate"])
    gate = t.mul(gate, t.op("sigmoid", [gate], gate[1]))
    down = t.linear(t.mul(gate, t.linear(h, p["up"])), p["down"])
    x = t.binary("add", t.binary("add", x, down), t.reshape(p["bias"], (1, 1, HIDDEN)))
    logits = t.linear(norm(t, x, p["norm"]), p["head"])
    arguments = [f'%{name}: {t.type(p[name])} {{te.param = "{name}"}}' for name in PARAMETERS]
    arguments.append(f'%ids: tensor<{BATCH}x{SEQUENCE}xi32> {{te.input = "ids"}}')
    separator = ",\n                "
    return "\n".join([
        f"func.func @main({separator.join(arguments)})",
        f'    -> ({t.type(logits)} {{te.output = "logits"}}) attributes {{te.model}} {{',
        *t.lines, f"    return {logits[0]} : {t.type(logits)}", "}", ""])


def main():
    generator = np.random.default_rng(3)
    p = {name: np.float32(generator.normal(0, 0.3, shape) + (len(shape) == 1))
         for name, shape in PARAMETERS.items()}
    ids, labels = (generator.integers(0, VOCABULARY, (BATCH, SEQUENCE)) for _ in range(2))
    folder = os.path.join(HERE, "tosa")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "model.mlir"), "w", encoding="utf-8") as file:
        file.write(write())
    save_file(p, os.path.join(folder, "model.safetensors"))
    wide = {name: torch.tensor(value, dtype=torch.float64, requires_grad=True)
            for name, value in p.items()}
    logits = torch_model(wide, torch.tensor(ids))
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), torch.tensor(labels).flatten())
    loss.backward()
    reference = {"input.ids": np.int32(ids), "labels": labels,
                 "logits": logits.detach().float().numpy(), "loss": loss.detach().float().numpy()}
    for name, value in wide.items():
        reference[f"grad.{name}"] = value.grad.float().numpy()
    save_file(reference, os.path.join(folder, "reference.safetensors"))


if __name__ == "__main__":
    main()
