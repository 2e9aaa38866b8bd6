#!/usr/bin/env python3
# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loss and time of ways to choose the layers that train in FP8.

    choice_study.py compile model.onnx --calibration calibration.json \\
        --quality 0.05%,0.1% --out out/choice [-- --target sm_90]
    choice_study.py train out/choice --data train.bin --eval-data eval.bin \\
        --seeds 4 --steps 4000 --branch 3000 [-- --lr 6e-4 --warmup 400]

`compile` writes a program for each choice: te-compile's default, every layer, what
--quality chooses from a calibration ('te-run calibrate'), all but the first and the
last two blocks, the layers that are large enough by torchao's filter for scaling by
tensor, and two choices with as many operations in FP8 as that of the first quality:
layers at random, and those with the lowest Fisher score (the variance over batches
of gradient times quantization error, by operation). The folder can be moved to another machine.

`train` trains in bf16 until step --branch, from each seed, and continues from there
with every program. All of them share the checkpoint, so that their losses differ by
what the choice does in the last steps, and hardly by chaos: two trainings from the
beginning that differ in one rounding end 0.5 % apart. bf16 runs twice, which shows what
chaos is left. The table has the loss of the evaluation (in bf16), the loss of the last
200 training steps, as the program computes it, and the time of a step. Results in the
folder are not computed again."""

import argparse
import json
import os
import random
import re
import shutil
import statistics

from study import add_run_options, keep, parse, run, run_all, tool

COMPILE = ["--entry", "train,eval", "--init", "normal:0.02", "--quiet"]


def read_layers(report):
    """Operations of fprop and shape of the weight [N, K], by layer, from te-compile's report."""
    layers = {}
    for product in report["products"]:
        if product["entry"] == "train" and product["product"] == "fprop":
            (_, k), (_, n) = product["operands"][0], product["result"]
            layers[product["layer"]] = {"flops": product["flops"], "shape": (n, k),
                                        "fp8": product["precision"] == "fp8"}
    return layers


def is_large_enough(shape):
    """The filter of torchao for dynamic scaling by tensor (_auto_filter_for_tensorwise)."""
    n, k = shape
    return n % 16 == 0 and k % 16 == 0 and not (k <= 4096 and n <= 1024)


def fill(order, layers, flops):
    """The first layers of `order` that fit into so many operations."""
    chosen = []
    for name in order:
        if layers[name]["flops"] <= flops * 1.005:
            flops -= layers[name]["flops"]
            chosen.append(name)
    return chosen


def only(chosen):
    return ["--policy", ",".join(["*=high", *(f"{name}=fp8" for name in chosen)])]


def compile_all(arguments):
    os.makedirs(arguments.out, exist_ok=True)
    programs = {}

    def build(name, *options):
        program = f"{len(programs):02}.so"
        report = os.path.join(arguments.out, "report.json")
        run(tool("te-compile"), arguments.model, *COMPILE, *options, *arguments.options,
            "--report", report, "-o", os.path.join(arguments.out, program))
        programs[name] = program
        with open(report) as file:
            return read_layers(json.load(file))

    build("bf16", "--precision", "bf16")
    layers = build("default")
    head = [name for name, layer in layers.items() if not layer["fp8"]]
    build("every layer", "--policy", "*=fp8")
    qualities = [build(f"quality {quality}", "--calibration", arguments.calibration,
                       "--quality", quality) for quality in arguments.quality.split(",")]
    blocks = sorted({int(m[1]) for name in layers if (m := re.search(r"\.(\d+)\.", name))})
    ends = [*blocks[:2], *blocks[-2:]]
    build("first and last two blocks in bf16", "--policy", ",".join(
        [f"*.{block}.*=high" for block in ends]))
    build("torchao's sizes",
          *only(n for n, layer in layers.items() if is_large_enough(layer["shape"])))
    inner = [name for name in layers if name not in head]
    flops = sum(qualities[0][name]["flops"] for name in inner if qualities[0][name]["fp8"])
    shuffled = random.Random(1).sample(inner, len(inner))
    build("at random", *only(fill(shuffled, layers, flops)))
    with open(arguments.calibration) as file:
        products = json.load(file)["products"]
    deviation = {p["layer"]: p["first_order"]["error"] for p in products
                 if p["product"] == "fprop"}
    ranked = sorted(inner, key=lambda n: deviation[n] ** 2 / layers[n]["flops"])
    build("Fisher score", *only(fill(ranked, layers, flops)))
    with open(os.path.join(arguments.out, "choices.json"), "w") as file:
        json.dump(programs, file, indent=1)


def train_all(arguments):
    path = lambda name: os.path.join(arguments.out, name)  # noqa: E731
    with open(path("choices.json")) as file:
        programs = json.load(file)
    names = ["bf16", "bf16 again", *list(programs)[1:]]

    def train(program, seed, folder, gpu, *options):
        run(arguments.te_run, "train", path(program), "--data", arguments.data, "--steps",
            str(arguments.steps), "--seed", str(seed), "--checkpoint", folder, "--every", "0",
            "--quiet", *gpu, *options, *arguments.options)

    def start(seed, gpu):
        """The checkpoint from which all choices of a seed continue."""
        folder = path(f"start.{seed}")
        if not os.path.exists(folder):
            train(programs["bf16"], seed, folder, gpu, "--stop-after", str(arguments.branch))
        return os.path.join(folder, f"step-{arguments.branch:08}.safetensors")

    def measure(name, seed, checkpoint, gpu):
        program, folder = programs[name.removesuffix(" again")], path(f"run.{name}.{seed}")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        os.link(checkpoint, os.path.join(folder, os.path.basename(checkpoint)))
        metrics = os.path.join(folder, "metrics.jsonl")
        train(program, seed, folder, gpu, "--resume", "--allow-changes", "--metrics", metrics)
        loss = json.loads(run(arguments.te_run, "eval", path(program), "--data",
                              arguments.eval_data, "--checkpoint", folder, "--json",
                              "--quiet", *gpu))["loss"]
        with open(metrics) as file:
            steps = [json.loads(line) for line in file]
        shutil.rmtree(folder)
        return {"eval": loss, "train": statistics.mean(s["loss"] for s in steps[-200:]),
                "rate": statistics.median(s["tokens_per_second"] for s in steps)}

    def job(seed):
        def study(gpu):
            kept = {name: path(f"{name}.{seed}.json") for name in names}
            checkpoint = None
            if not all(map(os.path.exists, kept.values())):
                checkpoint = start(seed, gpu)
            return {name: keep(kept[name], lambda n=name: measure(n, seed, checkpoint, gpu))
                    for name in names}
        return study

    results = run_all(arguments, [job(seed) for seed in range(arguments.seeds)])

    def above(name, figure):
        gaps = [100 * (r[name][figure] / r["bf16"][figure] - 1) for r in results]
        error = statistics.stdev(gaps) / len(gaps) ** 0.5 if len(gaps) > 1 else float("nan")
        return f"{statistics.mean(gaps):+.3f} ± {error:.3f} %"

    print(f"{len(results)} seeds; mean above bf16 of the same seed ± its standard error\n\n"
          "| layers in FP8 | evaluation | training | time / bf16 |\n|---|---|---|---|")
    for name in names:
        time = statistics.median(r["bf16"]["rate"] / r[name]["rate"] for r in results)
        print(f"| {name} | {above(name, 'eval')} | {above(name, 'train')} | {time:.3f} |")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("compile")
    command.set_defaults(run=compile_all)
    command.add_argument("model")
    command.add_argument("--calibration", required=True)
    command.add_argument("--quality", default="0.05%,0.1%")
    command.add_argument("--out", required=True, metavar="FOLDER")
    command = commands.add_parser("train")
    command.set_defaults(run=train_all)
    command.add_argument("out", metavar="FOLDER", help="that compile wrote")
    command.add_argument("--eval-data", required=True)
    command.add_argument("--seeds", type=int, default=4)
    command.add_argument("--steps", type=int, default=4000)
    command.add_argument("--branch", type=int, default=3000)
    add_run_options(command)
    arguments = parse(parser)
    arguments.run(arguments)


if __name__ == "__main__":
    main()
