# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the probes in a record of a run (--metrics) of `gpt2_vocab509` with a learning
rate of 0: their loss is that of PyTorch in float32, of the same parameters and data.

usage: check_probe.py METRICS REFERENCE CALIBRATION STEPS OWN|OTHER [BAD_SLOT]
       (STEPS: those with a probe, "2,4"; CALIBRATION: of te-run calibrate, of this data;
       OWN: probes had the steps' batches)"""

import json
import sys

import tensor_files

metrics, reference, calibration, steps, data, *bad = sys.argv[1:]
expected = tensor_files.loss(tensor_files.read(reference))


def near(a, b, tolerance):
    assert abs(a - b) <= tolerance * abs(b), (a, b, tolerance)


with open(calibration) as file:
    products = {(p["layer"], p["product"]): p for p in json.load(file)["products"]}
with open(metrics) as file:
    records = [json.loads(line) for line in file]
assert [r["step"] for r in records if "probe" in r] == [int(step) for step in steps.split(",")]
for record in records:
    if "probe" not in record:
        continue
    probe = record["probe"]
    near(probe["loss"], expected, 1e-3)  # bf16
    if data == "OWN":
        assert abs(probe["gap"] - (record["loss"] - probe["loss"])) < 1e-6, record
        # A model that has learned nothing has a gradient, which tells the sign.
        assert abs(probe["first_order"] - probe["gap"]) < 0.5 * abs(probe["gap"]) + 3e-4, probe
    else:
        assert "gap" not in probe, probe
    # The layers that are FP8, and their sum.
    assert "lm_head" not in probe["layers"] and len(probe["layers"]) == 8, probe["layers"]
    near(sum(layer["second_order"] for layer in probe["layers"].values()),
         probe["second_order"], 1e-9)
    for name, layer in probe["layers"].items():
        for product, error in layer["relative_error"].items():
            near(error, products[name, product]["relative_error"], 1e-6)
        near(layer["second_order"], products[name, "fprop"]["second_order"]["mean"], 1e-6)
    # Scales that were calibrated on this data fit it.
    assert len(probe["slots"]) == 24, len(probe["slots"])
    for slot in probe["slots"].values():
        near(slot["scaled"], 1, 0.25)
    flushed = [name for name, slot in probe["slots"].items() if slot["flushed"] > 0.5]
    assert flushed == bad, flushed
first = [r for r in records if "probe" in r][0]
events = [event for record in records for event in record.get("watch", [])]
assert [event["slot"] for event in events if event["what"] == "flushed"] == bad, events
layers = {slot.rsplit(".", 1)[0] for slot in bad}
assert {event["layer"] for event in events if event["what"] == "error"} == layers, events
assert {event["what"] for event in events} <= {"flushed", "error"}, events
assert not bad or len(first["watch"]) == len(events), events
