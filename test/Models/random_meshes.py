# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains random models on random meshes of CPU ranks, against one rank.

    random_meshes.py TE_COMPILE TE_RUN [--seed N] [--count N] [--mesh cp=2]

A model is a language model of te, linalg and tensor ops: tokens meet tables of
rows that repeat in any way, heads have biases, attention has any layout, mask,
bias and number of key heads, weights are shared, columns are cut and joined. After
one step of SGD in float32 the momentum of a parameter is its gradient, which is
compared with that of one rank. A refusal with a message is an answer; anything else
than the same numbers is a failure, and names the model's file."""

import argparse
import array
import collections
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TOLERANCE = 1e-4  # of sums that may cancel
# Gradients that are zero but for rounding, such as those of keys' biases, count as
# zero: the share of the largest of all.
ZERO_BELOW = 1e-4
MESHES = ["cp=2", "cp=4", "tp=2", "tp=4", "tp=2,cp=2", "dp=2", "dp=2,tp=2", "dp=2,cp=2",
          "dp=2,tp=2,cp=2"]


def tensor(*shape, element="f32"):
    return "tensor<" + "".join(f"{size}x" for size in shape) + element + ">"


def affine_map(dims, results):
    names = ", ".join(f"d{i}" for i in range(dims))
    return f"affine_map<({names}) -> ({', '.join(f'd{i}' for i in results)})>"


class Model:
    """The text of one model; values are names of the IR's."""

    def __init__(self, seed):
        self.random = r = random.Random(seed)
        self.batch, self.length = r.choice([1, 1, 2, 2, 4]), r.choice([4, 8, 8, 16])
        self.tokens = self.batch * self.length
        self.width, self.vocabulary = r.choice([16, 32]), r.choice([48, 51, 64, 96])
        self.heads, self.head_size = r.choice([2, 4, 4, 8]), r.choice([4, 8])
        self.parameters, self.lines, self.values = {}, [], 0
        logits = self.build()
        arguments = "".join(f', %{name}: {tensor(*shape)} {{te.param = "{name}"}}'
                            for name, shape in self.parameters.items())
        ids = tensor(self.batch, self.length, element="i64")
        y = tensor(self.batch, self.length, self.vocabulary)
        body = "\n".join(f"  {line}" for line in self.lines)
        self.text = (f'func.func @forward(%ids: {ids} {{te.input = "ids"}}{arguments})\n'
                     f'    -> ({y} {{te.output = "logits"}}) {{\n'
                     f"{body}\n  return {logits} : {y}\n}}\n")

    def chance(self, share):
        return self.random.random() < share

    def add_op(self, text, results=1):
        """Adds "= text" and returns the names of its results, the first alone if
        nobody asks for more."""
        names = [f"%v{self.values + i}" for i in range(results)]
        self.values += results
        self.lines.append(f"{', '.join(names)} = {text}")
        return names[0] if results == 1 else names

    def parameter(self, *shape, name=None):
        name = name or f"p{len(self.parameters)}"
        self.parameters[name] = shape
        return f"%{name}"

    def rows(self, columns):
        return tensor(self.tokens, columns)

    # Ops on [tokens, columns].

    def linear(self, x, inputs, outputs):
        transposed = self.chance(0.7)
        shape = (outputs, inputs) if transposed else (inputs, outputs)
        same = [name for name, other in self.parameters.items()
                if other == shape and name != "tokens"]
        weight = (f"%{self.random.choice(same)}" if same and self.chance(0.15)
                  else self.parameter(*shape))
        bias = (f" bias({self.parameter(outputs)} : {tensor(outputs)})" if self.chance(0.4)
                else "")
        return self.add_op(f"te.matmul {x}, {weight}{bias} {'{transpose_b} ' if transposed else ''}"
                           f": {self.rows(inputs)}, {tensor(*shape)} -> {self.rows(outputs)}")

    def add(self, a, b):
        y = self.rows(self.width)
        return self.add_op(f"te.add {a}, {b} : {y}, {y} -> {y}")

    def add_rows(self, x):
        """Adds rows of a parameter that repeat."""
        divisors = [d for d in range(1, self.tokens + 1) if self.tokens % d == 0]
        count = self.random.choice(divisors + [self.length, self.length, 1])
        y = self.rows(self.width)
        return self.add_op(f"te.add {x}, {self.parameter(count, self.width)} "
                           f": {y}, {tensor(count, self.width)} -> {y}")

    def norm(self, x):
        y, vector, stats = self.rows(self.width), tensor(self.width), tensor(self.tokens)
        gain = self.parameter(self.width)
        if self.chance(0.5):
            return self.add_op(f"te.rms_norm {x}, {gain} {{eps = 1.0e-5 : f32}} "
                               f": {y}, {vector} -> y {y} stats {stats}", 2)[0]
        bias = self.parameter(self.width)
        return self.add_op(f"te.layer_norm {x}, {gain}, {bias} {{eps = 1.0e-5 : f32}} "
                           f": {y}, {vector}, {vector} -> y {y} stats {stats}, {stats}", 3)[0]

    def activation(self, x, columns):
        kind = self.random.choice(["gelu_tanh", "relu", "silu", "tanh"])
        y = self.rows(columns)
        return self.add_op(f"te.activation {kind} {x} : {y} -> y {y}")

    def combine(self, x, shape, dims):
        """x times, or plus, a parameter along some of its dimensions."""
        own = [shape[dim] for dim in dims]
        y, other, all_dims = tensor(*shape), tensor(*own), list(range(len(shape)))
        empty = self.add_op(f"tensor.empty() : {y}")
        maps = ", ".join([affine_map(len(shape), all_dims), affine_map(len(shape), dims),
                          affine_map(len(shape), all_dims)])
        kinds = ", ".join(['"parallel"'] * len(shape))
        op = self.random.choice(["arith.mulf", "arith.addf"])
        return self.add_op(
            f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
            f"ins({x}, {self.parameter(*own)} : {y}, {other}) outs({empty} : {y}) {{\n"
            f"  ^bb0(%a: f32, %b: f32, %old: f32):\n    %c = {op} %a, %b : f32\n"
            f"    linalg.yield %c : f32\n  }} -> {y}")

    def combine_tokens(self, x):
        """The same along positions or sequences."""
        shape = (self.batch, self.length, self.width)
        y = self.combine(self.reshape(x, (self.tokens, self.width), shape, [[0, 1], [2]]),
                         shape, self.random.choice([[1], [1, 2], [0, 2], [0]]))
        return self.reshape(y, shape, (self.tokens, self.width), [[0, 1], [2]])

    def swap_columns(self, x, columns):
        half = columns // 2
        part, y = self.rows(half), self.rows(columns)
        low, high = (self.add_op(f"tensor.extract_slice {x}[0, {offset}] [{self.tokens}, {half}] "
                                 f"[1, 1] : {y} to {part}") for offset in (0, half))
        low = self.activation(low, half) if self.chance(0.5) else low
        return self.add_op(f"tensor.concat dim(1) {high}, {low} : ({part}, {part}) -> {y}")

    def mlp(self, x):
        inner = self.random.choice([32, 48, 64])
        if self.chance(0.4):
            both = self.linear(x, self.width, 2 * inner)
            h = self.add_op(f"te.gated_activation silu {both} : {self.rows(2 * inner)} "
                            f"-> y {self.rows(inner)}")
        else:
            h = self.activation(self.linear(x, self.width, inner), inner)
        if self.chance(0.2):
            h = self.combine(h, (self.tokens, inner), [1])
        if self.chance(0.15):
            h = self.swap_columns(h, inner)
        return self.linear(h, inner, self.width)

    # Attention.

    def reshape(self, x, shape, other, groups):
        if len(other) > len(shape):
            sizes = ", ".join(map(str, other))
            return self.add_op(f"tensor.expand_shape {x} {groups} output_shape [{sizes}] "
                               f": {tensor(*shape)} into {tensor(*other)}")
        return self.add_op(f"tensor.collapse_shape {x} {groups} "
                           f": {tensor(*shape)} into {tensor(*other)}")

    def transpose(self, x, shape, permutation):
        to = tensor(*(shape[dim] for dim in permutation))
        empty = self.add_op(f"tensor.empty() : {to}")
        return self.add_op(f"linalg.transpose ins({x} : {tensor(*shape)}) outs({empty} : {to}) "
                           f"permutation = {permutation}")

    def to_heads(self, x, heads, permutation, angles):
        """[batch, length, heads, size], with a bias or rotated, then permuted."""
        flat, split = (self.tokens, heads * self.head_size), (self.tokens, heads, self.head_size)
        shape = (self.batch, self.length, heads, self.head_size)
        if self.chance(0.3):
            rows = (self.tokens * heads, self.head_size)
            count = self.random.choice([heads, heads, 1, heads * self.length, rows[0]])
            x = self.reshape(self.reshape(x, flat, split, [[0], [1, 2]]), split, rows,
                             [[0, 1], [2]])
            x = self.add_op(f"te.add {x}, {self.parameter(count, self.head_size)} "
                            f": {tensor(*rows)}, {tensor(count, self.head_size)} "
                            f"-> {tensor(*rows)}")
            x = self.reshape(x, rows, shape, [[0, 1, 2], [3]])
        else:
            x = self.reshape(x, flat, shape, [[0, 1], [2, 3]])
        if angles:
            table, y = tensor(self.length, self.head_size // 2), tensor(*shape)
            x = self.add_op(f"te.rope {x}, {angles}, {angles} : {y}, {table}, {table} -> {y}")
        return x if permutation == [0, 1, 2, 3] else self.transpose(x, shape, permutation)

    def make_angles(self):
        row = lambda: ", ".join(f"{self.random.uniform(-1, 1):.3f}"
                                for _ in range(self.head_size // 2))
        rows = ", ".join(f"[{row()}]" for _ in range(self.length))
        return self.add_op(f"arith.constant dense<[{rows}]> "
                           f": {tensor(self.length, self.head_size // 2)}")

    def attention(self, x, source):
        r, heads, size = self.random, self.heads, self.head_size
        key_heads = r.choice([count for count in (1, 2, 4) if heads % count == 0])
        # Each permutation is its own inverse.
        layout, permutation = r.choice([("bshd", [0, 1, 2, 3]), ("bshd", [0, 1, 2, 3]),
                                        ("bhsd", [0, 2, 1, 3]), ("sbhd", [1, 0, 2, 3])])
        counts = [heads, key_heads, key_heads]
        if source == x and self.chance(0.4):
            columns = sum(counts) * size
            joined = self.linear(x, self.width, columns)
            types = ", ".join(self.rows(count * size) for count in counts)
            qkv = self.add_op(f"te.split {joined} axis 1 : {self.rows(columns)} -> {types}", 3)
        else:
            qkv = [self.linear(of, self.width, count * size)
                   for of, count in zip((x, source, source), counts)]
        angles = self.make_angles() if self.chance(0.4) else None
        q, k, v = (self.to_heads(of, count, permutation, table)
                   for of, count, table in zip(qkv, counts, (angles, angles, None)))
        shapes = [(self.batch, self.length, count, size) for count in counts]
        types = [tensor(*(shape[dim] for dim in permutation)) for shape in shapes]
        attributes = ["scale = 0.35 : f32"]
        if self.chance(0.6):
            attributes.append("causal")
        if self.chance(0.2):
            attributes.append(f"window = {r.choice([2, 3, self.length])} : i64")
        if layout != "bshd":
            attributes.append(f"layout = #te.attention_layout<{layout}>")
        bias = ""
        if self.chance(0.3):
            shape = (r.choice([1, self.batch]), r.choice([1, heads]),
                     r.choice([1, self.length, self.length]), self.length)
            bias = f" bias({self.parameter(*shape)} : {tensor(*shape)})"
        y = self.add_op(f"te.attention {q}, {k}, {v}{bias} {{{', '.join(attributes)}}} "
                        f": {', '.join(types)} -> {types[0]}, "
                        f"{tensor(self.batch, heads, self.length)}", 2)[0]
        if layout != "bshd":
            y = self.transpose(y, [shapes[0][dim] for dim in permutation], permutation)
        y = self.reshape(y, shapes[0], (self.tokens, heads * size), [[0, 1], [2, 3]])
        return self.linear(y, heads * size, self.width)

    # The whole.

    def embed(self):
        ids = tensor(self.batch, self.length, element="i64")
        flat, y = tensor(self.tokens, element="i64"), self.rows(self.width)
        ids = self.add_op(f"tensor.collapse_shape %ids [[0, 1]] : {ids} into {flat}")
        table = self.parameter(self.vocabulary, self.width, name="tokens")
        x = self.add_op(f"te.embedding {ids}, {table} "
                        f": {flat}, {tensor(self.vocabulary, self.width)} -> {y}")
        if self.chance(0.3):
            ones = self.add_op(f"arith.constant dense<1> : {flat}")
            x = self.add(x, self.add_op(f"te.embedding {ones}, {self.parameter(3, self.width)} "
                                        f": {flat}, {tensor(3, self.width)} -> {y}"))
        x = self.add_rows(x) if self.chance(0.7) else x
        return self.combine_tokens(x) if self.chance(0.3) else x

    def build(self):
        x = self.embed()
        before = [x]
        for layer in range(self.random.choice([1, 2, 2, 3])):
            y = self.norm(x) if self.chance(0.6) else x
            kind = 0 if layer == 0 else self.random.random()
            if kind < 0.5:
                z = self.attention(y, y if self.chance(0.8) else self.random.choice(before))
            elif kind < 0.85:
                z = self.mlp(y)
            elif kind < 0.93:
                z = self.add_rows(self.combine(y, (self.tokens, self.width), [1]))
            elif kind < 0.97:
                z = self.combine_tokens(y)
            else:
                z = self.swap_columns(y, self.width)
            x = self.add(x, z) if self.chance(0.9) else z
            before.append(x)
        x = self.norm(x) if self.chance(0.6) else x
        logits = self.rows(self.vocabulary)
        if self.chance(0.5):
            y = self.add_op(f"te.matmul {x}, %tokens {{transpose_b}} : {self.rows(self.width)}, "
                            f"{tensor(self.vocabulary, self.width)} -> {logits}")
        else:
            y = self.linear(x, self.width, self.vocabulary)
        return self.reshape(y, (self.tokens, self.vocabulary),
                            (self.batch, self.length, self.vocabulary), [[0, 1], [2]])


class Failure(Exception):
    pass


class Refusal(Exception):
    pass


class Case:
    """One model in a folder, and what ranks make of it."""

    def __init__(self, tools, seed, folder):
        self.te_compile, self.te_run = tools
        self.folder = folder
        model = Model(seed)
        self.path = folder / f"model-{seed}.mlir"
        self.path.write_text(model.text)
        self.random = random.Random(seed + 1)
        self.data = folder / "tokens.bin"
        self.data.write_bytes(array.array(
            "H", (self.random.randrange(model.vocabulary) for _ in range(4000))).tobytes())

    def run(self, *command):
        try:
            done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                                  timeout=120, check=False)
        except subprocess.TimeoutExpired as error:
            raise Failure(f"{command[0]} did not end") from error
        return done.returncode, done.stdout + done.stderr

    def train(self, name, flags, ranks):
        program, kept = self.folder / f"{name}.so", self.folder / name
        shutil.rmtree(kept, ignore_errors=True)
        code, text = self.run(self.te_compile, self.path, "--init", "normal:0.2", "--loss",
                              "cross-entropy", "--precision", "f32", "--optimizer",
                              "sgd<momentum=0.9>", *flags, "-o", program, "--force")
        if code == 1 and "error: " in text:
            raise Refusal(text.split("error: ")[1].splitlines()[0])
        if code != 0:
            raise Failure(f"te-compile ended with {code}: {text}")
        devices = ["--devices", ranks, "--check-replicas", 1] if ranks > 1 else []
        code, text = self.run(self.te_run, "train", program, "--data", self.data, "--tokens",
                              "u16", "--steps", 1, "--lr", 0.1, "--checkpoint", kept, *devices)
        if code != 0:
            raise Failure(f"te-run ended with {code}: {text}")
        parts = kept / "step-00000001"
        return parts if parts.is_dir() else parts.with_suffix(".safetensors")

    def check(self, mesh):
        sizes = {axis: int(size) for axis, size in (part.split("=") for part in mesh.split(","))}
        ranks = 1
        for size in sizes.values():
            ranks *= size
        alone = ["--microbatches", sizes["dp"]] if "dp" in sizes else []
        levels = ["--zero", self.random.choice("0123")] if "dp" in sizes else []
        try:
            one = self.train("one", alone, 1)
        except Refusal as refusal:
            raise Failure(f"the model is refused: {refusal}") from refusal
        many = self.train("many", ["--mesh", mesh, *levels], ranks)
        code, text = self.run(self.te_run, "compare", many, one, "--tolerance", TOLERANCE,
                              "--absolute-below", ZERO_BELOW, "--rows", 3)
        if code != 0:
            raise Failure(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("te_compile")
    parser.add_argument("te_run")
    parser.add_argument("--seed", type=int, default=0, help="of the first model")
    parser.add_argument("--count", type=int, default=10, help="models, two meshes each")
    parser.add_argument("--mesh", help="this one alone")
    parser.add_argument("--refusals", action="store_true", help="print them")
    options = parser.parse_args()
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.count):
            case = Case((options.te_compile, options.te_run), seed, Path(folder))
            meshes = [options.mesh] if options.mesh else case.random.sample(MESHES, 2)
            for mesh in meshes:
                try:
                    case.check(mesh)
                    counts["same"] += 1
                except Refusal as refusal:
                    counts["refused"] += 1
                    if options.refusals:
                        print(f"{seed}, {mesh}: {refusal}", flush=True)
                except Failure as failure:
                    counts["failed"] += 1
                    kept = Path(f"model-{seed}.mlir")
                    shutil.copy(case.path, kept)
                    print(f"{seed}, {mesh}: {kept.absolute()}: {failure}", flush=True)
    print(", ".join(f"{counts[kind]} {kind}" for kind in ("same", "refused", "failed")))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
