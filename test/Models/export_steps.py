# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports parameters and averages of every step of a run.

    export_steps.py TE_RUN FOLDER PREFIX STEPS
"""

import os
import subprocess
import sys

tool, folder, prefix, steps = sys.argv[1:]
for step in range(1, int(steps) + 1):
    checkpoint = os.path.join(folder, f"step-{step:08}")
    if not os.path.isdir(checkpoint):
        checkpoint += ".safetensors"
    for ending, flags in (("", []), (".ema", ["--ema"])):
        output = f"{prefix}.{step}{ending}.safetensors"
        subprocess.run([tool, "export", checkpoint, "--force", "-o", output, *flags], check=True)
