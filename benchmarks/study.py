# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the studies of FP8's accuracy share: this build's tools, and results that are kept
so that a study can be continued."""

import json
import os
import subprocess
import sys

def tool(name):
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "../build/bin", name)


def run(*command):
    """The output of a command; exits with what it said if it fails."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def keep(path, make):
    """The JSON in a file, made and written if it is not there."""
    if not os.path.exists(path):
        result = make()
        with open(path, "w") as file:
            json.dump(result, file)
    with open(path) as file:
        return json.load(file)
