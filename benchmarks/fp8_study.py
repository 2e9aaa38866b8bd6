#!/usr/bin/env python3
# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where FP8 costs a model accuracy: one product, layer, format or recipe at a time.

    fp8_study.py compile weights model.onnx --out out/w [-- --target sm_90]
    fp8_study.py weights out/w --data eval.bin --weights trained.safetensors
    fp8_study.py compile train model.onnx --out out/t [-- --target sm_90]
    fp8_study.py train out/t --data train.bin --eval-data eval.bin --seeds 16

`compile` writes a program for each variant, which can run on another machine: one
layer kind, block or product (fprop, dgrad, wgrad) alone in FP8, or alone in bf16,
and for trainings each recipe. `weights` runs all of them at the same weights: the
loss on the data beside that of bf16, and the gradient of one batch beside that of
float32; scales are those of the tensors themselves (current scaling). `train`
trains all of them from several seeds and compares with bf16 in pairs of one seed; a
second bf16 run whose learning rate differs in its seventh digit shows how far chaos
moves a run. `weights` and `train` print tables; what is in the folder already is not
run again. They need numpy and safetensors."""

import argparse
import json
import os
import re

import numpy as np

from study import add_run_options, keep, parse, run, run_all, tool

PRODUCTS = ("fprop", "dgrad", "wgrad")
CURRENT = ["--recipe", "current_scaling"]
# te-compile's options by variant, for each kind of study.
RECIPES = {
    "weights": {
        "FP8": CURRENT,
        "E4M3 gradients": [*CURRENT, "--fp8-format", "e4m3"],
        "blocks": ["--recipe", "block_scaling"],
        "MXFP8": ["--recipe", "mxfp8_scaling"],
    },
    "train": {
        "FP8": [],
        "history 16": ["--amax-history", "16"],
        "margin 1": ["--margin", "1"],
        "most recent, margin 1":
            ["--amax-history", "1", "--amax-algo", "most_recent", "--margin", "1"],
        "E4M3 gradients": ["--fp8-format", "e4m3"],
        "current": CURRENT,
        "current, E4M3 gradients": [*CURRENT, "--fp8-format", "e4m3"],
        "blocks": ["--recipe", "block_scaling"],
        "MXFP8": ["--recipe", "mxfp8_scaling"],
    },
}
ENTRIES = {"weights": ["--entry", "grad,eval"],
           "train": ["--entry", "train,eval", "--fp8-eval", "true"]}
# What is studied is FP8's accuracy, not where it pays.
ALL_LAYERS = ["--fp8-layers", "all"]


def get_layers(te_run, program):
    """Names of the layers that run in FP8, from the slots of their weights."""
    slots = json.loads(run(te_run, "info", program, "--json"))["slots"]
    names = [slot["name"] for slot in slots]
    return [n.removesuffix(".weight") for n in names if n.endswith(".weight")]


def get_globs(layers):
    """A glob for each kind of layer and each block: names that differ by a number."""
    # Braces of joined layers would be alternatives of a glob; the policy asks
    # about each of their parts.
    first = [re.sub(r"\{([^,}]*)[^}]*\}", r"\1", layer) for layer in layers]
    kinds = {re.sub(r"\d+", "*", name): None for name in first}
    blocks = {m[0] + "*": None for name in first if (m := re.match(r".*?\d+\.", name))}
    return list(kinds), list(blocks)


def make_variants(study, layers):
    """te-compile's options by variant. The LM head stays in bf16 in all of them
    but one, as it does by default."""
    recipes = RECIPES[study]
    kinds, blocks = get_globs(layers)
    others = lambda kept: [p for p in PRODUCTS if p != kept]  # noqa: E731
    policies = {}
    for product in PRODUCTS:
        high = ",".join(f"*/{p}=high" for p in others(product))
        policies[f"{product} alone in FP8"] = high
        policies[f"{product} alone in bf16"] = f"*/{product}=high"
    for glob in [*kinds, blocks[0], blocks[-1]]:
        policies[f"`{glob}` alone in FP8"] = f"*=high,{glob}=fp8"
        policies[f"`{glob}` alone in bf16"] = f"{glob}=high"
    policies["LM head in FP8 too"] = "*=fp8"
    return {"f32": ["--precision", "f32"], "bf16": ["--precision", "bf16"], **recipes,
            **{name: [*recipes["FP8"], "--policy", policy]
               for name, policy in policies.items()}}


def compile_all(arguments):
    os.makedirs(arguments.out, exist_ok=True)
    te_compile, te_run = tool("te-compile"), tool("te-run")
    entries = [*ENTRIES[arguments.study], *ALL_LAYERS]

    def build(number, options):
        program = f"{number:02}.so"
        run(te_compile, *arguments.model, *entries, *options, *arguments.options,
            "-o", os.path.join(arguments.out, program))
        return program

    fp8 = build(0, [])
    layers = get_layers(te_run, os.path.join(arguments.out, fp8))
    variants = make_variants(arguments.study, layers)
    wanted = {n: o for n, o in variants.items() if re.search(arguments.only, n)}
    programs = {name: build(number, options)
                for number, (name, options) in enumerate(wanted.items())}
    with open(os.path.join(arguments.out, "variants.json"), "w") as file:
        json.dump(programs, file, indent=1)


def read_variants(arguments):
    with open(os.path.join(arguments.out, "variants.json")) as file:
        programs = json.load(file)
    return {n: p for n, p in programs.items() if re.search(arguments.only, n)}


def make_batch(te_run, program, data, path):
    """The first batch of the data, as the inputs of `grad`."""
    from safetensors.numpy import save_file

    entries = json.loads(run(te_run, "info", program, "--json"))["entries"]
    entry = next(e for e in entries if e["name"] == "grad")
    inputs = [a for a in entry["arguments"] if a["role"] in ("input", "labels")]
    ids = next(a for a in inputs if a["name"] != "labels")
    rows, length = ids["shape"]
    tokens = np.fromfile(data, np.uint16 if data.endswith(".bin") else np.uint8,
                         rows * (length + 1)).astype(np.int64)
    tokens = tokens.reshape(rows, length + 1)
    batch = {ids["name"]: tokens[:, :-1]}
    if len(inputs) > 1:
        batch["labels"] = tokens[:, 1:].reshape(inputs[1]["shape"])
    save_file({k: np.ascontiguousarray(v) for k, v in batch.items()}, path)


def compare_gradients(path, reference):
    """Of all parameters together: cosine, relative error and relative norm. Of each
    parameter alone: median and largest of the relative errors, and whose it is."""
    from safetensors import safe_open

    sums, errors = np.zeros(3), {}
    with safe_open(path, "np") as a, safe_open(reference, "np") as b:
        for name in b.keys():
            if not name.startswith("grad."):
                continue
            x, y = a.get_tensor(name).ravel(), b.get_tensor(name).ravel()
            sums += [float(np.dot(x, x)), float(np.dot(x, y)), float(np.dot(y, y))]
            errors[name.removeprefix("grad.")] = float(
                np.linalg.norm(x - y) / np.linalg.norm(y))
    ours, dot, theirs = sums
    worst = max(errors, key=errors.get)
    return {"cosine": dot / (ours * theirs) ** 0.5, "norm": (ours / theirs) ** 0.5,
            "error": max(0.0, (ours - 2 * dot + theirs) / theirs) ** 0.5,
            "median": float(np.median([*errors.values()])),
            "worst": errors[worst], "worst_name": worst}


def study_weights(arguments):
    te_run = arguments.te_run
    programs = read_variants(arguments)
    batch = os.path.join(arguments.out, "batch.safetensors")
    path = lambda name: os.path.join(arguments.out, programs[name])  # noqa: E731
    make_batch(te_run, path("bf16"), arguments.data, batch)
    weights = ["--weights", arguments.weights]
    reference = os.path.join(arguments.out, "f32.grad")

    def measure(name, gpu):
        out = reference if name == "f32" else f"{path(name)}.grad"
        run(te_run, "grad", path(name), "--inputs", batch, *weights, *gpu,
            "--outputs", out, "--force")
        loss = json.loads(run(
            te_run, "eval", path(name), *weights, *gpu, "--json", "--data",
            arguments.data, *arguments.options))["loss"]
        result = {"loss": loss, **compare_gradients(out, reference)}
        if name != "f32":
            os.remove(out)
        return result

    def job(name):
        kept = f"{path(name)}.{arguments.label}.json"
        return lambda gpu: keep(kept, lambda: measure(name, gpu))

    (first,) = run_all(arguments, [job("f32")])
    names = [name for name in programs if name != "f32"]
    results = dict(zip(names, run_all(arguments, map(job, names))))
    base = results["bf16"]["loss"]
    print(f"f32: loss {first['loss']:.4f}; bf16: {base:.4f}\n")
    print("| | loss above bf16 | gradient beside float32's: cosine | relative norm "
          "| relative error | median of the parameters | worst |\n|---|---|---|---|---"
          "|---|---|")
    for name, r in results.items():
        print(f"| {name} | {100 * (r['loss'] / base - 1):+.3f} % | {r['cosine']:.5f} "
              f"| {r['norm']:.4f} | {r['error']:.4f} | {r['median']:.4f} "
              f"| {r['worst']:.3f} {r['worst_name']} |")


def study_training(arguments):
    programs = read_variants(arguments)
    names = list(programs)
    if "bf16" in programs:
        names.insert(names.index("bf16") + 1, "bf16 again")

    def train(name, seed, gpu):
        rate = arguments.lr * (1 + 1e-6) if name == "bf16 again" else arguments.lr
        program = programs[name.removesuffix(" again")]
        metrics = os.path.join(arguments.out, f"{name.replace('/', '_')}.{seed}.jsonl")
        if os.path.exists(metrics):
            os.remove(metrics)
        run(arguments.te_run, "train", os.path.join(arguments.out, program), "--data",
            arguments.data, "--eval-data", arguments.eval_data, "--steps",
            str(arguments.steps), "--seed", str(seed), "--lr", repr(rate), "--warmup",
            str(arguments.steps // 10), "--schedule", "cosine", "--clip", "1",
            "--metrics", metrics, "--quiet", *gpu, *arguments.options)
        with open(metrics) as file:
            lines = [json.loads(line) for line in file]
        return [line["eval_loss"] for line in lines if "eval_loss" in line][-1]

    def job(name, seed):
        kept = os.path.join(arguments.out, f"{name.replace('/', '_')}.{seed}.json")
        return lambda gpu: keep(kept, lambda: train(name, seed, gpu))

    runs = [(name, seed) for seed in range(arguments.seeds) for name in names]
    losses = run_all(arguments, [job(*one) for one in runs])
    table = {n: np.array([x for (m, _), x in zip(runs, losses) if m == n])
             for n in names}
    print(f"| | loss, mean of {arguments.seeds} seeds | above bf16 of the same seed: mean "
          "| standard error | deviation of a pair |\n|---|---|---|---|---|")
    for name, loss in table.items():
        gap = 100 * (loss / table["bf16"] - 1)
        deviation = gap.std(ddof=1) if len(gap) > 1 else float("nan")
        print(f"| {name} | {loss.mean():.4f} | {gap.mean():+.3f} % "
              f"| {deviation / len(gap) ** 0.5:.3f} % | {deviation:.3f} % |")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)

    def add(name, function):
        command = commands.add_parser(name)
        command.set_defaults(run=function)
        command.add_argument("--only", default="", metavar="REGEX",
                             help="only these variants")
        return command

    command = add("compile", compile_all)
    command.add_argument("study", choices=ENTRIES)
    command.add_argument("model", nargs="+", help="files and options of te-compile")
    command.add_argument("--out", required=True, metavar="FOLDER")
    for name, function in (("weights", study_weights), ("train", study_training)):
        command = add(name, function)
        command.add_argument("out", metavar="FOLDER", help="that compile wrote")
        add_run_options(command)
        if name == "weights":
            command.add_argument("--weights", required=True,
                                 help="parameters, as te-run export writes them")
            command.add_argument("--label", default="weights",
                                 help="a name for the results of these weights")
        else:
            command.add_argument("--eval-data", required=True)
            command.add_argument("--seeds", type=int, default=4)
            command.add_argument("--steps", type=int, default=2000)
            command.add_argument("--lr", type=float, default=1e-3)
    arguments = parse(parser)
    arguments.run(arguments)


if __name__ == "__main__":
    main()
