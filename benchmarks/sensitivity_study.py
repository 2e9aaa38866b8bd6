#!/usr/bin/env python3
# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How well 'te-run calibrate' predicts what FP8 in one layer does to the loss.

    sensitivity_study.py model.onnx --weights trained.safetensors --data train.txt \\
        --eval-data eval.txt --out out/sensitivity [-- --init normal:0.02]

Calibrates the model at these weights, which te-run export writes, then compiles it with each
layer alone in FP8 (current scaling), and with all of them, and evaluates each
program at the same weights beside one in bf16. Prints for each layer the predicted
and the measured increase of the loss, their ratio of sums, and Spearman's rank
correlation. What is in the folder already is not run again."""

import argparse
import json
import os

from study import keep, parse, run, tool


def ranks(values):
    """From 1; equal values share the mean of their ranks."""
    ordered = sorted(values)
    return [(2 * ordered.index(v) + ordered.count(v) + 1) / 2 for v in values]


def correlate(a, b):
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    dot = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b))
    squares = sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b)
    return dot / squares**0.5 if squares else float("nan")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--weights", required=True)
    parser.add_argument("--data", required=True, help="of the calibration")
    parser.add_argument("--eval-data", required=True)
    parser.add_argument("--steps", type=int, default=16)
    parser.add_argument("--out", required=True, metavar="FOLDER")
    arguments = parse(parser)
    options = arguments.options
    os.makedirs(arguments.out, exist_ok=True)
    path = lambda name: os.path.join(arguments.out, name)  # noqa: E731

    def calibrate():
        run(tool("te-compile"), arguments.model, "--entry", "calibrate", "--quiet", *options,
            "-o", path("calibrate.so"))
        run(tool("te-run"), "calibrate", path("calibrate.so"), "--data", arguments.data,
            "--steps", str(arguments.steps), "--weights", arguments.weights,
            "--quiet", "-o", path("calibration.json.part"))
        with open(path("calibration.json.part")) as file:
            return json.load(file)

    def evaluate(name, policy):
        program = path(f"{name}.so")
        run(tool("te-compile"), arguments.model, "--entry", "eval", "--recipe",
            "current_scaling", "--policy", policy, "--quiet", *options, "-o", program)
        result = run(tool("te-run"), "eval", program, "--data", arguments.eval_data,
                     "--weights", arguments.weights, "--json", "--quiet")
        os.remove(program)
        return json.loads(result)["loss"]

    products = keep(path("calibration.json"), calibrate)["products"]
    products = [p for p in products if p["product"] == "fprop"]
    base = keep(path("base.json"), lambda: evaluate("base", "*=high"))
    rows = []
    for number, product in enumerate(products):
        name = product["layer"]
        # The braces of a joined layer are alternatives of a glob.
        policy = f"*=high,{name}=fp8"
        loss = keep(path(f"{number:03}.json"), lambda: evaluate(f"{number:03}", policy))
        rows.append((name, product["second_order"]["mean"],
                     product["first_order"]["mean"], loss - base))
    every = keep(path("all.json"), lambda: evaluate("all", "*=fp8")) - base

    print(f"loss {base:.6f}; of the loss, in units of 0.0001 %:\n")
    print("| layer | second order | first order | measured |\n|---|---|---|---|")
    for name, second, one, measured in sorted(rows, key=lambda row: -row[1]):
        print(f"| `{name}` | {1e6 * second / base:.2f} | {1e6 * one / base:+.2f} "
              f"| {1e6 * measured / base:+.2f} |")
    seconds, ones, all_measured = ([row[i] for row in rows] for i in (1, 2, 3))
    both = [a + b for a, b in zip(seconds, ones)]
    print(f"| sum | {1e6 * sum(seconds) / base:.2f} | {1e6 * sum(ones) / base:+.2f} "
          f"| {1e6 * sum(all_measured) / base:+.2f} (all together "
          f"{1e6 * every / base:+.2f}) |\n")
    for title, predicted in (("second order", seconds), ("both orders", both)):
        print(f"{title}: Spearman {correlate(ranks(predicted), ranks(all_measured)):.2f},"
              f" measured / predicted {sum(all_measured) / sum(predicted):.2f}")


if __name__ == "__main__":
    main()
