# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the studies of FP8's accuracy share: this build's tools, and results that are kept
so that a study can be continued."""

import concurrent.futures
import json
import os
import queue
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


def add_run_options(parser):
    parser.add_argument("--te-run", default=tool("te-run"))
    parser.add_argument("--data", required=True)
    parser.add_argument("--gpus", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1,
                        help="processes at a time, spread over the GPUs")


def parse(parser):
    """The command line's arguments; what follows `--` is `options`, for the tools."""
    own, options = sys.argv[1:], []
    if "--" in own:
        own, options = own[: own.index("--")], own[own.index("--") + 1 :]
    arguments = parser.parse_args(own)
    arguments.options = options
    return arguments


def run_all(arguments, jobs):
    """Runs `jobs`, functions of te-run's options for a device, `--jobs` at a time."""
    slots = queue.Queue()
    for slot in range(arguments.jobs):
        slots.put(slot)

    def run_one(job):
        slot = slots.get()
        try:
            gpus = arguments.gpus
            return job(["--device", f"cuda:{slot % gpus}"] if gpus else [])
        finally:
            slots.put(slot)

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        return list(pool.map(run_one, jobs))
