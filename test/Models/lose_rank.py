# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts a training of several ranks, sends one of them a signal behind the first step,
and expects that all end soon, with a message that names it.

usage: lose_rank.py RANKS LOST SIGNAL METRICS COMMAND ..."""

import os
import signal
import subprocess
import sys
import time

ranks, lost, name, metrics, *command = sys.argv[1:]
run = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
                       text=True)
deadline = time.monotonic() + 120
while not (os.path.exists(metrics) and os.path.getsize(metrics)):
    if run.poll() is not None or time.monotonic() > deadline:
        run.kill()
        sys.exit(f"no step was made: {run.communicate()[1]}")
    time.sleep(0.02)
with open(f"/proc/{run.pid}/task/{run.pid}/children") as file:
    pids = [int(pid) for pid in file.read().split()]
if len(pids) != int(ranks):
    run.kill()
    sys.exit(f"{len(pids)} ranks run")
os.kill(pids[int(lost)], getattr(signal, name))
try:
    error = run.communicate(timeout=60)[1]
except subprocess.TimeoutExpired:
    run.kill()
    sys.exit("the others did not end")
alive = [pid for pid in pids if os.path.exists(f"/proc/{pid}")]
if run.returncode != 1 or f"rank {lost} (pid {pids[int(lost)]}" not in error or alive:
    sys.exit(f"code {run.returncode}, still there {alive}: {error}")
