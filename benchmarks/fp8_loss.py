#!/usr/bin/env python3
# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains small models of many families on text, in FP8 and in bf16, from the same
weights on the same batches, and prints a table of their losses.

    pip install torch transformers onnx onnxscript safetensors jax flax equinox
    python3 benchmarks/fp8_loss.py --text text.txt --out out/fp8_loss [MODEL ...]

Models that predict the next byte learn that; encoders learn bytes that are hidden
from them, and a classifier of images of what kind the character behind a piece of
text is, which it sees as pixels. A MODEL is one of those below, or an ONNX or
StableHLO file of yours that takes ids. What is in --out already is not run again."""

import argparse
import json
import os
import re
import sys

import numpy as np
from safetensors.numpy import save_file

from study import run

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path += [os.path.join(ROOT, "python"), os.path.join(ROOT, "test/Models/Inputs")]

VOCABULARY, HIDDEN, HEADS, BATCH, SEQUENCE = 256, 128, 4, 8, 64
# Bytes that no text has.
HIDDEN_BYTE, PADDING = 1, 0

SIZES = dict(
    batch=BATCH, sequence=SEQUENCE, vocab_size=VOCABULARY, hidden_size=HIDDEN,
    intermediate_size=2 * HIDDEN, max_position_embeddings=SEQUENCE,
    num_attention_heads=HEADS, head_dim=HIDDEN // HEADS,
    query_pre_attn_scalar=HIDDEN // HEADS, sliding_window=SEQUENCE // 4,
    n_embd=HIDDEN, n_positions=SEQUENCE, rotary_dim=16, position_buckets=16,
    hidden_sizes=[64, 128], state_size=8, time_step_rank=8,
)
# Scans are unrolled.
SMALLER = {"mamba": dict(sequence=16)}
CAUSAL, MASKED = "AutoModelForCausalLM", "AutoModelForMaskedLM"
# Beside the families of test/Models.
MORE = {
    "gpt2": (CAUSAL, "gpt2", {"plain": True}, dict(
        vocab_size=0, n_embd=0, n_layer=2, n_head=4, n_positions=0,
        bos_token_id=2, eos_token_id=2)),
    "llama": (CAUSAL, "llama", {}, dict(num_key_value_heads=2)),
    "bert": (MASKED, "bert", {"mask": True}, {}),
}


def export_torch(name, folder):
    import torch
    from make_families import FAMILIES, build, returning_logits
    from temlir_export import export_onnx

    torch.manual_seed(0)
    kind, *rest = {**FAMILIES, **MORE}[name]
    model, inputs = build(kind, *rest, sizes={**SIZES, **SMALLER.get(name, {})})
    returning_logits(model, inputs)
    path = os.path.join(folder, "model.onnx")
    export_onnx(model, inputs, path, output_names=["logits"], allow_unused=True)
    return [path], "causal-lm" if kind == CAUSAL else "cross-entropy"


def export_jax(name, folder):
    import jax
    import jax.numpy as jnp
    import make_jax
    from temlir_export import export_stablehlo

    make_jax.VOCABULARY, make_jax.HIDDEN, make_jax.HEADS = VOCABULARY, HIDDEN, HEADS
    make_jax.FFN, make_jax.SIZE = 2 * HIDDEN, HIDDEN // HEADS
    make_jax.BATCH, make_jax.SEQUENCE = BATCH, SEQUENCE
    ids = jnp.zeros((BATCH, SEQUENCE), jnp.int32)
    model, params = make_jax.MODELS[name](jax.random.key(0), ids)
    if name == "llama_scan":  # which has no initializers
        params = make_jax.shaken(params, 1, scale=0.05)
    inputs = {"ids": ids}
    if name == "bert":
        inputs["attention_mask"] = jnp.ones_like(ids)
    path = os.path.join(folder, "model.mlir")
    export_stablehlo(model, inputs, path, params=params)
    weights = os.path.join(folder, "model.safetensors")
    return [path, "--weights", weights], (
        "cross-entropy" if name == "bert" else "causal-lm"
    )


def list_models():
    """Names in the order of the table, and what exports them."""
    models = {}
    try:
        from make_families import FAMILIES

        models.update({name: export_torch for name in [*MORE, *FAMILIES]})
    except ImportError as error:
        print(f"without PyTorch's models: {error}", file=sys.stderr)
    try:
        from make_jax import MODELS

        models.update({f"jax.{name}": export_jax for name in MODELS})
    except ImportError as error:
        print(f"without JAX's models: {error}", file=sys.stderr)
    return models


def make_data(program, text, steps, path):
    """Batches for every input of the program, cut from `text` at random."""
    generator = np.random.default_rng(0)
    entry = program["entries"][0]
    inputs = {a["name"]: a for a in entry["arguments"] if a["role"] == "input"}
    labels = inputs.pop("labels", None)
    image = next((a for a in inputs.values() if a["dtype"] == "f32"), None)
    count = int(np.prod(image["shape"][1:])) if image else 0
    ids = next((a for a in inputs.values() if a["dtype"] != "f32"), None)
    rows, length = (image["shape"][0], count) if image else ids["shape"]
    starts = generator.integers(0, len(text) - length - 1, (steps, rows))
    windows = text[starts[..., None] + np.arange(length + 1)]
    tensors = {}
    if image:
        tensors[image["name"]] = np.float32(
            (windows[..., :-1].reshape(steps, *image["shape"]) - 80.0) / 40
        )
        tensors["labels"] = kind_of(windows[..., -1])
    else:
        tokens = windows[..., :-1].astype(np.int64)
        mask = np.ones_like(tokens)
        if any("mask" in name for name in inputs):
            # Half of the rows end early.
            ends = generator.integers(length // 2, 3 * length // 2, (steps, rows, 1))
            mask = (np.arange(length) < ends).astype(np.int64)
        if labels:
            # A sixth of the bytes are to be found.
            chosen = (generator.random(tokens.shape) < 1 / 6) & (mask == 1)
            chosen[:, 0, 0] = True
            tensors["labels"] = np.where(chosen, tokens, -100)
            tokens = np.where(chosen, HIDDEN_BYTE, tokens)
        for name in inputs:
            tensors[name] = np.where(mask, tokens, PADDING)
            if "mask" in name:
                tensors[name] = mask
    if labels:
        tensors["labels"] = tensors["labels"].reshape(steps, *labels["shape"])
    save_file({name: np.ascontiguousarray(x) for name, x in tensors.items()}, path)


def kind_of(characters):
    """Letter, space, digit, end of a line, anything else."""
    kinds = np.full(256, 4, np.int64)
    for low, high, kind in (("a", "z", 0), ("A", "Z", 0), (" ", " ", 1),
                            ("0", "9", 2), ("\n", "\n", 3)):
        kinds[ord(low) : ord(high) + 1] = kind
    return kinds[characters]


def read_losses(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def train(arguments, name, export):
    """A row of the table."""
    folder = os.path.join(arguments.out, name.replace("/", "_"))
    done = os.path.join(folder, "row.json")
    if os.path.exists(done):
        return json.load(open(done, encoding="utf-8"))
    os.makedirs(folder, exist_ok=True)
    tool = lambda tool: os.path.join(arguments.build, "bin", tool)  # noqa: E731
    model, loss = export(name.removeprefix("jax."), folder)
    row = {"model": name}
    for precision in ("bf16", "fp8"):
        program = os.path.join(folder, f"{precision}.so")
        options = [*model, "--loss", loss, "--precision", precision]
        run(tool("te-compile"), *options, "-o", program)
        graph = run(tool("te-compile"), *options, "--emit", "te", "-o", "-")
        row[f"{precision}_products"] = len(
            re.findall(r"te\.scaled_(?:expert_)?matmul ", graph))
        row["products"] = row[f"{precision}_products"] + len(
            re.findall(r"te\.(?:expert_)?matmul ", graph))
        data = os.path.join(folder, "data.safetensors")
        if precision == "bf16":
            described = json.loads(run(tool("te-run"), "info", program, "--json"))
            make_data(described, arguments.bytes, arguments.steps, data)
        metrics = os.path.join(folder, f"{precision}.jsonl")
        if os.path.exists(metrics):
            os.remove(metrics)
        run(tool("te-run"), "train", program, "--data", data, "--steps",
            str(arguments.steps), "--lr", str(arguments.lr), "--warmup", "20",
            "--schedule", "cosine", "--clip", "1", "--metrics", metrics)
        steps = read_losses(metrics)
        losses = [step["loss"] for step in steps]
        finite = [x for x in losses[-50:] if x is not None]
        row[f"{precision}_first"] = losses[0]
        row[precision] = float(np.mean(finite)) if finite else float("nan")
        row[f"{precision}_nonfinite"] = sum(
            step["loss"] is None or bool(step.get("skipped")) for step in steps
        )
    with open(done, "w", encoding="utf-8") as file:
        json.dump(row, file)
    return row


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("models", nargs="*", metavar="MODEL")
    parser.add_argument("--text", required=True, help="a text of some 100 kB or more")
    parser.add_argument("--out", default="out/fp8_loss", help="folder (%(default)s)")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--lr", type=float, default=1e-3)
    arguments = parser.parse_args()
    arguments.bytes = np.fromfile(arguments.text, np.uint8)
    known = list_models()
    rows = []
    for name in arguments.models or known:
        if name not in known and not os.path.exists(name):
            sys.exit(f"there is no model {name}; there are {', '.join(known)}")
        export = known.get(name, lambda path, folder: ([path], "causal-lm"))
        rows.append(train(arguments, name, export))
        print(f"{name} is done", file=sys.stderr)
    print("| model | first loss | bf16 | FP8 | FP8 / bf16 | steps not finite "
          "(bf16, FP8) | products in FP8 |")
    print("|---|---|---|---|---|---|---|")
    for row in rows:
        print(
            f"| {row['model']} | {row['bf16_first']:.3f} | {row['bf16']:.4f} "
            f"| {row['fp8']:.4f} | {100 * (row['fp8'] / row['bf16'] - 1):+.2f} % "
            f"| {row['bf16_nonfinite']}, {row['fp8_nonfinite']} "
            f"| {row['fp8_products']} of {row['products']} |"
        )


if __name__ == "__main__":
    main()
