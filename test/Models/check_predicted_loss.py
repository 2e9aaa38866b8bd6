# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what te-compile predicts of the loss with a calibration: sums of the file's figures,
and for each layer a --quality that makes it FP8, where a smaller one does not.

usage: check_predicted_loss.py TE_COMPILE MODEL CALIBRATION FOLDER"""

import json
import os
import re
import subprocess
import sys

te_compile, model, calibration, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
report = os.path.join(folder, "report.json")
with open(calibration) as file:
    figures = json.load(file)
adds = {p["layer"]: p["second_order"]["mean"] / figures["loss"]["mean"]
        for p in figures["products"] if p["product"] == "fprop"}


def compile_with(quality, emit="te"):
    result = subprocess.run([te_compile, model, "--init=normal:0.02", f"--calibration={calibration}",
                             f"--quality={quality}", f"--emit={emit}", f"--report={report}",
                             "-o", os.path.join(folder, "out")],
                            capture_output=True, text=True, check=True)
    with open(report) as file:
        return {layer["layer"]: layer for layer in json.load(file)["sensitivity"]}, result.stderr


layers, line = compile_with(sum(adds.values()) / 2, emit="so")
assert layers.keys() == adds.keys(), layers
in_fp8 = [name for name, layer in layers.items() if layer["precision"] == "fp8"]
assert 0 < len(in_fp8) < len(layers), in_fp8
predicted = float(re.search(r"FP8 is predicted to add ([0-9.e+-]+) % to the loss", line).group(1))
expected = 100 * sum(adds[name] for name in in_fp8)
assert abs(predicted - expected) <= 0.05 * expected, (predicted, expected)
for name, layer in layers.items():
    assert abs(layer["adds_to_loss"] - adds[name]) <= 1e-9 * adds[name], layer
    for product in figures["products"]:
        if product["layer"] == name:
            assert layer["relative_error"][product["product"]] == product["relative_error"]
            for role in ("input", "weight", "grad_output"):
                if role in product:
                    assert layer["tensors"][role] == product[role], (layer, product)
                    octaves = product[role]["octaves"]
                    assert len(octaves) == 16 and abs(sum(octaves) - 1) < 1e-9, octaves
                    assert octaves[0] > 0, octaves  # the amax itself
# The most sensitive first.
assert list(layers) == sorted(adds, key=lambda name: -adds[name]), list(layers)
for name in (list(layers)[0], list(layers)[-1]):
    enough = layers[name]["quality"]
    assert compile_with(enough)[0][name]["precision"] == "fp8", name
    # Without room for the layer itself it cannot be.
    assert compile_with(adds[name] * 0.99)[0][name]["precision"] == "high", name
