# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the Llama workloads of docs/benchmarks.md as models of the te dialect to
standard output: a layer 4096 wide over 2 x 4096 tokens, or Llama 1B, 16 layers
2048 wide with a tied head of 128256 over 4 x 2048 tokens, or two layers of any
size, such as those in llama_shapes.txt. The tables of rotations are constants of
one value: what a program needs and takes does not depend on it.

usage: llama.py layer|1b|layers HIDDEN FFN KV BATCH TOKENS

KV is the width of keys and of values; heads are 128 wide from a hidden size of 2048
on, below it 64. The layers see BATCH sequences of TOKENS."""

import dataclasses
import sys


@dataclasses.dataclass
class Shape:
    batch: int
    tokens: int
    hidden: int
    ffn: int
    heads: int
    kv_heads: int

    @property
    def rows(self):
        return self.batch * self.tokens

    @property
    def head(self):
        return self.hidden // self.heads


def tensor(*sizes, element="f32"):
    return f"tensor<{'x'.join(map(str, sizes))}x{element}>"


class Model:
    """The text of @forward: its arguments and ops."""

    def __init__(self, shape):
        self.shape = shape
        self.arguments = []
        self.ops = []
        self.values = 0

    def argument(self, type, attributes):
        name = f"%arg{len(self.arguments)}"
        self.arguments.append(f"{name}: {type} {{{attributes}}}")
        return name

    def matrix(self, name, rows, cols):
        return self.argument(
            tensor(rows, cols),
            f'te.param = "{name}", te.init = "normal:0,0.02"')

    def op(self, text, location="", results=1):
        self.values += 1
        name = f"%v{self.values}"
        count = f":{results}" if results > 1 else ""
        at = f' loc("{location}")' if location else ""
        self.ops.append(f"  {name}{count} = {text}{at}")
        return name

    def linear(self, x, weight, outputs, inputs, location):
        rows = self.shape.rows
        return self.op(
            f"te.matmul {x}, {weight} {{transpose_b}} : {tensor(rows, inputs)}, "
            f"{tensor(outputs, inputs)} -> {tensor(rows, outputs)}", location)

    def norm(self, x, name):
        s = self.shape
        gamma = self.argument(tensor(s.hidden),
                              f'te.param = "{name}", te.init = 1.0 : f64')
        both = self.op(
            f"te.rms_norm {x}, {gamma} {{eps = 1.0e-5 : f32}} : "
            f"{tensor(s.rows, s.hidden)}, {tensor(s.hidden)} -> "
            f"y {tensor(s.rows, s.hidden)} stats {tensor(s.rows)}", name, 2)
        return both + "#0"

    def heads(self, x, count, rotates):
        s = self.shape
        four = tensor(s.batch, s.tokens, count, s.head)
        x = self.op(
            f"tensor.expand_shape {x} [[0, 1], [2, 3]] output_shape "
            f"[{s.batch}, {s.tokens}, {count}, {s.head}] : "
            f"{tensor(s.rows, count * s.head)} into {four}")
        if not rotates:
            return x
        table = tensor(s.tokens, s.head // 2)
        return self.op(f"te.rope {x}, %cos, %sin : {four}, {table}, {table} "
                       f"-> {four}")

    def attention(self, x, prefix):
        s = self.shape
        width = s.kv_heads * s.head
        weights = [self.matrix(f"{prefix}q", s.hidden, s.hidden),
                   self.matrix(f"{prefix}k", width, s.hidden),
                   self.matrix(f"{prefix}v", width, s.hidden)]
        out = self.matrix(f"{prefix}o", s.hidden, s.hidden)
        q, k, v = (self.linear(x, weight, outputs, s.hidden, prefix + name)
                   for weight, outputs, name in zip(
                       weights, (s.hidden, width, width), "qkv"))
        q = self.heads(q, s.heads, True)
        k = self.heads(k, s.kv_heads, True)
        v = self.heads(v, s.kv_heads, False)
        wide = tensor(s.batch, s.tokens, s.heads, s.head)
        narrow = tensor(s.batch, s.tokens, s.kv_heads, s.head)
        o = self.op(
            f"te.attention {q}, {k}, {v} {{causal, scale = "
            f"{s.head ** -0.5} : f32}} : {wide}, {narrow}, {narrow} -> {wide}, "
            f"{tensor(s.batch, s.heads, s.tokens)}", prefix + "attention", 2)
        o = self.op(f"tensor.collapse_shape {o}#0 [[0, 1], [2, 3]] : {wide} into "
                    f"{tensor(s.rows, s.hidden)}")
        return self.linear(o, out, s.hidden, s.hidden, prefix + "o")

    def feed_forward(self, x, prefix):
        s = self.shape
        gate = self.matrix(f"{prefix}gate", s.ffn, s.hidden)
        up = self.matrix(f"{prefix}up", s.ffn, s.hidden)
        down = self.matrix(f"{prefix}down", s.hidden, s.ffn)
        wide = tensor(s.rows, s.ffn)
        x = self.op(
            f"te.gated_activation silu "
            f"{self.linear(x, gate, s.ffn, s.hidden, prefix + 'gate')} "
            f"up({self.linear(x, up, s.ffn, s.hidden, prefix + 'up')} : {wide}) "
            f": {wide} -> y {wide}", prefix + "act")
        return self.linear(x, down, s.hidden, s.ffn, prefix + "down")

    def layer(self, x, prefix=""):
        type = tensor(self.shape.rows, self.shape.hidden)
        for block, norm in ((self.attention, "ln1"), (self.feed_forward, "ln2")):
            y = block(self.norm(x, prefix + norm), prefix)
            x = self.op(f"te.add {x}, {y} : {type}, {type} -> {type}")
        return x

    def write(self, result, type, name):
        table = tensor(self.shape.tokens, self.shape.head // 2)
        print("func.func @forward(" + ",\n                   ".join(
            self.arguments) + f')\n    -> ({type} {{te.output = "{name}"}}) {{')
        print(f"  %cos = arith.constant dense<1.0> : {table}")
        print(f"  %sin = arith.constant dense<0.0> : {table}")
        print("\n".join(self.ops))
        print(f"  return {result} : {type}\n}}")


def write_layers(shape, count):
    model = Model(shape)
    s = shape
    type = tensor(s.batch, s.tokens, s.hidden)
    rows = tensor(s.rows, s.hidden)
    x = model.argument(type, 'te.input = "x"')
    x = model.op(f"tensor.collapse_shape {x} [[0, 1], [2]] : {type} into {rows}")
    y = x
    for index in range(count):
        y = model.layer(y, f"{index}." if count > 1 else "")
    y = model.op(f"tensor.expand_shape {y} [[0, 1], [2]] output_shape "
                 f"[{s.batch}, {s.tokens}, {s.hidden}] : {rows} into {type}")
    model.write(y, type, "y")


def write_layer():
    write_layers(Shape(2, 4096, 4096, 14336, 32, 8), 1)


def write_sizes(hidden, ffn, kv, batch, tokens):
    head = 128 if hidden >= 2048 else 64
    if min(ffn, kv, batch, tokens) < 1 or hidden % head or kv % head or hidden % kv:
        sys.exit(__doc__)
    write_layers(Shape(batch, tokens, hidden, ffn, hidden // head, kv // head), 2)


def write_1b(layers=16, vocab=128256):
    model = Model(Shape(4, 2048, 2048, 8192, 32, 8))
    s = model.shape
    ids_type = tensor(s.batch, s.tokens, element="i64")
    ids = model.argument(ids_type, 'te.input = "input_ids"')
    table = model.matrix("embed", vocab, s.hidden)
    ids = model.op(f"tensor.collapse_shape {ids} [[0, 1]] : {ids_type} into "
                   f"{tensor(s.rows, element='i64')}")
    x = model.op(f"te.embedding {ids}, {table} : "
                 f"{tensor(s.rows, element='i64')}, {tensor(vocab, s.hidden)} "
                 f"-> {tensor(s.rows, s.hidden)}", "embed")
    for index in range(layers):
        x = model.layer(x, f"{index}.")
    x = model.linear(model.norm(x, "norm"), table, vocab, s.hidden, "lm_head")
    type = tensor(s.batch, s.tokens, vocab)
    x = model.op(f"tensor.expand_shape {x} [[0, 1], [2]] output_shape "
                 f"[{s.batch}, {s.tokens}, {vocab}] : {tensor(s.rows, vocab)} "
                 f"into {type}")
    model.write(x, type, "logits")


if __name__ == "__main__":
    writers = {"layer": write_layer, "1b": write_1b, "layers": write_sizes}
    command, *sizes = sys.argv[1:] or [""]
    if command not in writers or len(sizes) != (5 if command == "layers" else 0) \
            or not all(size.isdecimal() for size in sizes):
        sys.exit(__doc__)
    writers[command](*map(int, sizes))
