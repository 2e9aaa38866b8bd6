#!/usr/bin/env python3
# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a GPT-2 or a Llama of any depth as PyTorch exports them, without
weights, to measure how compiling grows with the model (docs/compile-time.md).

    pip install onnx
    python3 deep_model.py gpt2 --layers 96 model.onnx
    te-compile model.onnx --init normal:0.02 --target sm_90 -o model.so
"""

import argparse
from dataclasses import dataclass, fields

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


@dataclass
class Shapes:
    batch: int
    sequence: int
    vocabulary: int
    hidden: int
    heads: int
    kv_heads: int
    inner: int
    layers: int


PRESETS = {
    "gpt2": Shapes(16, 1024, 50257, 768, 12, 12, 3072, 12),
    "llama_1b": Shapes(4, 2048, 128256, 2048, 32, 8, 8192, 16),
    "llama_70b": Shapes(1, 4096, 128256, 8192, 64, 8, 28672, 80),
}


class Graph:
    """Nodes and initializers of a model, and names for its values."""

    def __init__(self):
        self.nodes = []
        self.initializers = []
        self.counter = 0
        self.offset = 0
        self.module = ""

    def op(self, kind, *inputs, **attributes):
        """Appends a node with one output and returns the output's name."""
        self.counter += 1
        name = f"{kind.lower()}_{self.counter}"
        node = helper.make_node(
            kind, list(inputs), [name], name=f"node_{name}", **attributes
        )
        scopes = [""]
        for part in filter(None, self.module.split(".")):
            scopes.append(f"{scopes[-1]}.{part}".lstrip("."))
        node.metadata_props.add(
            key="pkg.torch.onnx.name_scopes", value=repr(scopes + [name])
        )
        self.nodes.append(node)
        return name

    def constant(self, value):
        """A constant node, one for each use as exporters write them."""
        value = np.asarray(value)
        value = value.astype(np.int64 if value.dtype.kind == "i" else np.float32)
        return self.op("Constant", value=numpy_helper.from_array(value))

    def parameter(self, name, *shape):
        """A parameter whose data lies in a file that is not there."""
        if any(known.name == name for known in self.initializers[-16:]):
            return name
        length = 4 * int(np.prod(shape, dtype=np.int64))
        tensor = TensorProto(
            name=name,
            dims=shape,
            data_type=TensorProto.FLOAT,
            data_location=TensorProto.EXTERNAL,
        )
        for key, value in [
            ("location", "weights.bin"),
            ("offset", self.offset),
            ("length", length),
        ]:
            tensor.external_data.add(key=key, value=str(value))
        self.offset += length
        self.initializers.append(tensor)
        return name

    def reshape(self, value, *shape):
        return self.op("Reshape", value, self.constant(list(shape)), allowzero=1)

    def split_heads(self, value, s, heads):
        value = self.reshape(value, s.batch, s.sequence, heads, s.hidden // s.heads)
        return self.op("Transpose", value, perm=[0, 2, 1, 3])

    def attention(self, q, k, v, s, **attributes):
        scale = (s.hidden // s.heads) ** -0.5
        value = self.op("Attention", q, k, v, is_causal=1, scale=scale)
        value = self.op("Transpose", value, perm=[0, 2, 1, 3])
        return self.reshape(value, s.batch, s.sequence, s.hidden)


def write_gpt2(g, s):
    rows = s.batch * s.sequence

    def conv1d(name, value, columns_in, columns_out):
        g.module = name
        value = g.op(
            "Gemm",
            g.reshape(value, rows, columns_in),
            g.parameter(f"{name}.weight", columns_in, columns_out),
            g.parameter(f"{name}.bias", columns_out),
        )
        return g.reshape(value, s.batch, s.sequence, columns_out)

    def layer_norm(name, value):
        g.module = name
        scale, bias = (g.parameter(f"{name}.{p}", s.hidden) for p in ("weight", "bias"))
        return g.op("LayerNormalization", value, scale, bias, axis=-1, epsilon=1e-5)

    def gelu(value):
        cube = g.op("Pow", value, g.constant(3.0))
        inner = g.op("Add", value, g.op("Mul", cube, g.constant(0.044715)))
        tanh = g.op("Tanh", g.op("Mul", inner, g.constant((2 / np.pi) ** 0.5)))
        half = g.op("Mul", value, g.constant(0.5))
        return g.op("Mul", half, g.op("Add", tanh, g.constant(1.0)))

    head = g.parameter("lm_head.weight", s.vocabulary, s.hidden)
    positions = g.parameter("transformer.wpe.weight", s.sequence, s.hidden)
    ids = g.constant(np.arange(s.sequence)[None])
    x = g.op("Gather", head, "input_ids")
    x = g.op("Add", x, g.op("Gather", positions, ids))
    for i in range(s.layers):
        layer = f"transformer.h.{i}"
        qkv = conv1d(
            f"{layer}.attn.c_attn",
            layer_norm(f"{layer}.ln_1", x),
            s.hidden,
            3 * s.hidden,
        )
        g.module = f"{layer}.attn"
        parts = []
        for part in range(3):
            bounds = [g.constant([b]) for b in (part * s.hidden, (part + 1) * s.hidden)]
            piece = g.op("Slice", qkv, *bounds, g.constant([2]), g.constant([1]))
            parts.append(g.split_heads(piece, s, s.heads))
        y = conv1d(
            f"{layer}.attn.c_proj", g.attention(*parts, s), s.hidden, s.hidden
        )
        g.module = layer
        x = g.op("Add", y, x)
        y = layer_norm(f"{layer}.ln_2", x)
        y = conv1d(f"{layer}.mlp.c_fc", y, s.hidden, s.inner)
        g.module = f"{layer}.mlp.act"
        y = conv1d(f"{layer}.mlp.c_proj", gelu(y), s.inner, s.hidden)
        g.module = layer
        x = g.op("Add", x, y)
    x = layer_norm("transformer.ln_f", x)
    g.module = "lm_head"
    return g.op("MatMul", x, g.op("Transpose", head, perm=[1, 0]))


def write_llama(g, s):
    size = s.hidden // s.heads

    def linear(name, value, columns_in, columns_out):
        g.module = name
        weight = g.parameter(f"{name}.weight", columns_out, columns_in)
        return g.op("MatMul", value, g.op("Transpose", weight, perm=[1, 0]))

    def rms_norm(name, value):
        g.module = name
        square = g.op("Pow", value, g.constant(2.0))
        mean = g.op("ReduceMean", square, g.constant([-1]), keepdims=1)
        root = g.op("Sqrt", g.op("Add", mean, g.constant(1e-5)))
        value = g.op("Mul", value, g.op("Reciprocal", root))
        return g.op("Mul", g.parameter(f"{name}.weight", s.hidden), value)

    def rotate(value):
        halves = []
        for first, last in ((0, size // 2), (size // 2, size)):
            bounds = [g.constant([first]), g.constant([last])]
            halves.append(
                g.op("Slice", value, *bounds, g.constant([3]), g.constant([1]))
            )
        turned = g.op("Concat", g.op("Neg", halves[1]), halves[0], axis=-1)
        return g.op("Add", g.op("Mul", value, cos), g.op("Mul", turned, sin))

    def repeat_heads(value):
        groups = s.heads // s.kv_heads
        value = g.op("Unsqueeze", value, g.constant([2]))
        shape = [s.batch, s.kv_heads, groups, s.sequence, size]
        value = g.op("Expand", value, g.constant(shape))
        return g.reshape(value, s.batch, s.heads, s.sequence, size)

    embedding = g.parameter("model.embed_tokens.weight", s.vocabulary, s.hidden)
    frequencies = 500000.0 ** (-np.arange(0, size, 2) / size)
    angles = np.outer(np.arange(s.sequence), np.tile(frequencies, 2))[None, None]
    cos, sin = g.constant(np.cos(angles)), g.constant(np.sin(angles))
    x = g.op("Gather", embedding, "input_ids")
    for i in range(s.layers):
        layer = f"model.layers.{i}"
        y = rms_norm(f"{layer}.input_layernorm", x)
        attention = f"{layer}.self_attn"
        q, k, v = (
            g.split_heads(
                linear(f"{attention}.{name}_proj", y, s.hidden, heads * size),
                s,
                heads,
            )
            for name, heads in (("q", s.heads), ("k", s.kv_heads), ("v", s.kv_heads))
        )
        g.module = attention
        y = g.attention(
            rotate(q), repeat_heads(rotate(k)), repeat_heads(v), s
        )
        y = linear(f"{attention}.o_proj", y, s.hidden, s.hidden)
        g.module = layer
        x = g.op("Add", x, y)
        y = rms_norm(f"{layer}.post_attention_layernorm", x)
        gate = linear(f"{layer}.mlp.gate_proj", y, s.hidden, s.inner)
        up = linear(f"{layer}.mlp.up_proj", y, s.hidden, s.inner)
        g.module = f"{layer}.mlp"
        y = g.op("Mul", g.op("Mul", gate, g.op("Sigmoid", gate)), up)
        y = linear(f"{layer}.mlp.down_proj", y, s.inner, s.hidden)
        g.module = layer
        x = g.op("Add", x, y)
    return linear("lm_head", rms_norm("model.norm", x), s.hidden, s.vocabulary)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("preset", choices=PRESETS)
    parser.add_argument("output")
    for field in fields(Shapes):
        parser.add_argument(
            f"--{field.name}", type=int, help="in place of the preset's"
        )
    arguments = parser.parse_args()
    shapes = PRESETS[arguments.preset]
    for field in fields(Shapes):
        if (value := getattr(arguments, field.name)) is not None:
            setattr(shapes, field.name, value)
    graph = Graph()
    write = write_gpt2 if arguments.preset == "gpt2" else write_llama
    graph.nodes.append(
        helper.make_node("Identity", [write(graph, shapes)], ["logits"])
    )
    ids = [shapes.batch, shapes.sequence]
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            arguments.preset,
            [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ids)],
            [
                helper.make_tensor_value_info(
                    "logits", TensorProto.FLOAT, ids + [shapes.vocabulary]
                )
            ],
            graph.initializers,
        ),
        opset_imports=[helper.make_opsetid("", 23)],
        ir_version=10,
    )
    onnx.save(model, arguments.output)


if __name__ == "__main__":
    main()
