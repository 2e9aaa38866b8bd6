#!/usr/bin/env python3
# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How well 'te-run calibrate' predicts what FP8 in one layer does to the loss.

    sensitivity_study.py model.onnx --weights trained.safetensors --data train.txt \\
        --eval-data eval.txt --out out/sensitivity [--reference model.py] \\
        [-- --init normal:0.02]

Calibrates the model at these weights, which te-run export writes, then evaluates it at
the same weights in high precision, with each layer alone in FP8 (current scaling), and
with all of them: programs in bf16 by te-compile, or with --reference the model that
make_model() of that file returns, by PyTorch in float32, where bf16's own rounding is
not in the way. Prints for each layer the predicted and the measured increase of the
loss, their ratio of sums, Spearman's rank correlation, and the regret of the
compiler's order: what the layers that it would make FP8 first add to the loss, beyond
the least that layers with as many operations add (of all subsets), as a share of what
all layers add. With --reference also what remains of the measured increases without
their parts that are linear in the error, which change from text to text. What is in
the folder already is not run again."""

import argparse
import bisect
import importlib.util
import itertools
import json
import math
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


class Reference:
    """The model in PyTorch and float32."""

    def __init__(self, model, weights, data):
        import torch
        from safetensors.torch import load_file

        spec = importlib.util.spec_from_file_location("reference", model)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        self.torch = torch
        self.model, inputs = module.make_model()
        self.model.load_state_dict(load_file(weights), strict=False)
        self.model.eval()
        batch, length = inputs["input_ids"].shape
        with open(data, "rb") as file:
            text = file.read()
        windows = len(text) // length // batch * batch
        self.batches = torch.frombuffer(bytearray(text[: windows * length]), dtype=torch.uint8)
        self.batches = self.batches.long().view(-1, batch, length)

    def round(self, x):
        """To E4M3, with a scale from the tensor's own amax."""
        scale = 448 / x.abs().max()
        return (x * scale).to(self.torch.float8_e4m3fn).to(x.dtype) / scale

    def evaluate(self, layers):
        modules = [self.model.get_submodule(name) for name in layers]
        kept = [module.weight for module in modules]
        hooks = []
        for module in modules:
            module.weight = self.torch.nn.Parameter(self.round(module.weight.detach()))
            hooks.append(module.register_forward_pre_hook(
                lambda _, inputs: (self.round(inputs[0]), *inputs[1:])))
        with self.torch.no_grad():
            losses = [self.model(input_ids=ids, labels=ids).loss.item() for ids in self.batches]
        for module, hook, weight in zip(modules, hooks, kept):
            module.weight = weight
            hook.remove()
        return math.fsum(losses) / len(losses)

    def first_orders(self, layers):
        """The part of each layer's increase that is linear in its error: gradient times
        error, on the text that is evaluated."""
        modules = [self.model.get_submodule(name) for name in layers]
        rounded = [self.torch.nn.Parameter(self.round(module.weight.detach()))
                   for module in modules]
        sums = [0.0] * len(layers)
        for ids in self.batches:
            seen = {}

            def look(module, inputs, output, seen=seen):
                output.retain_grad()
                seen[module] = inputs[0].detach(), output

            hooks = [module.register_forward_hook(look) for module in modules]
            self.model(input_ids=ids, labels=ids).loss.backward()
            for hook in hooks:
                hook.remove()
            with self.torch.no_grad():
                for number, module in enumerate(modules):
                    x, y = seen[module]
                    exact, module.weight = module.weight, rounded[number]
                    error = module(self.round(x)) - y
                    module.weight = exact
                    sums[number] += (y.grad * error).sum().item() / len(self.batches)
        return sums


def regrets(predicted, measured, operations):
    """Of the compiler's order, for each number of layers."""
    count = len(predicted)
    sums = [(0.0, 0)]
    for loss, work in zip(measured, operations):
        sums += [(a + loss, b + work) for a, b in sums]
    # The least that so many operations, or more, add.
    sums.sort(key=lambda pair: -pair[1])
    least = list(itertools.accumulate((loss for loss, _ in sums), min))
    works = [-work for _, work in sums]
    order = sorted(range(count), key=lambda i: predicted[i] / operations[i])
    result = []
    for first in range(1, count + 1):
        work = sum(operations[i] for i in order[:first])
        best = least[bisect.bisect_right(works, -work) - 1]
        result.append((sum(measured[i] for i in order[:first]) - best) / sum(measured))
    return result


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--weights", required=True)
    parser.add_argument("--data", required=True, help="of the calibration")
    parser.add_argument("--eval-data", required=True)
    parser.add_argument("--reference", metavar="MODEL.PY")
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

    def count():
        run(tool("te-compile"), arguments.model, "--entry", "eval", "--quiet", *options,
            "--report", path("report.json"), "--emit", "te", "-o", path("eval.mlir"))
        with open(path("report.json")) as file:
            return {p["layer"]: p["flops"] for p in json.load(file)["products"]}

    products = keep(path("calibration.json"), calibrate)["products"]
    products = [p for p in products if p["product"] == "fprop"]
    operations = keep(path("operations.json"), count)
    names = [product["layer"] for product in products]
    if arguments.reference:
        reference = Reference(arguments.reference, arguments.weights, arguments.eval_data)
        kind, measure = "reference.", lambda name, layers: reference.evaluate(layers)
    else:
        # The braces of a joined layer are alternatives of a glob.
        kind, measure = "", lambda name, layers: evaluate(
            name, ",".join(["*=high"] + [f"{layer}=fp8" for layer in layers]))
    base = keep(path(f"{kind}base.json"), lambda: measure("base", []))
    rows = []
    for number, product in enumerate(products):
        name = f"{number:03}"
        loss = keep(path(f"{kind}{name}.json"), lambda: measure(name, [product["layer"]]))
        rows.append((product["layer"], product["second_order"]["mean"],
                     product["first_order"]["mean"], loss - base))
    if arguments.reference:
        linear = keep(path("reference.first.json"), lambda: reference.first_orders(names))
    every = keep(path(f"{kind}all.json"), lambda: measure("all", names)) - base

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
    if arguments.reference:
        rest = [measured - part for measured, part in zip(all_measured, linear)]
        print(f"less the part that is linear in the error: Spearman "
              f"{correlate(ranks(seconds), ranks(rest)):.2f}, measured / predicted "
              f"{sum(rest) / sum(seconds):.2f}")
    found = regrets(seconds, all_measured, [operations[name] for name in names])
    print(f"regret: {sum(found) / len(found):.1%} on average over {len(found)} numbers of "
          f"layers, {max(found):.1%} at most")


if __name__ == "__main__":
    main()
