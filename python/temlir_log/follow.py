# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading a run's metrics (docs/checkpoint.md) while te-run writes them."""

import json
import math
import os
import time


class LogError(Exception):
    """What is wrong, and what to do."""


def find_metrics(run):
    """The file of metrics of a run: its folder of --checkpoint, or the file."""
    path = os.path.join(run, "metrics.jsonl") if os.path.isdir(run) else run
    if not os.path.isfile(path):
        raise LogError(
            f"'{path}' does not exist: give the FOLDER of te-run train --checkpoint, or "
            "the file of --metrics"
        )
    return path


def read_settings(run):
    """{option: value} of the run.toml in a run's folder; {} without one, or where
    Python has no tomllib (before 3.11)."""
    path = os.path.join(run, "run.toml")
    try:
        import tomllib
    except ImportError:
        return {}
    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError):
        return {}


def flatten(record):
    """{name: number} of a line of metrics. Numbers of objects, such as amaxes, have
    names with slashes; crossed thresholds are "watch/WHAT/SLOT". What is not finite,
    and what is no number, is left out."""
    numbers = {}

    def add(name, value):
        if isinstance(value, dict):
            for key, inner in value.items():
                add(f"{name}/{key}" if name else key, inner)
        elif isinstance(value, (bool, int, float)) and math.isfinite(value):
            numbers[name] = float(value) if isinstance(value, bool) else value

    add("", {key: value for key, value in record.items() if key not in ("step", "watch")})
    events = record.get("watch")
    for event in events if isinstance(events, list) else ():
        if isinstance(event, dict):
            place = event.get("slot") or event.get("layer")
            name = "/".join(str(part) for part in ("watch", event.get("what"), place) if part)
            add(name, event.get("value"))
    return numbers


class _Lines:
    """The complete lines that have been added to a file. te-run replaces the file
    when a run is continued from an earlier step: then it is read anew."""

    def __init__(self, path):
        self._path, self._inode, self._offset, self._rest = path, None, 0, b""

    def read(self):
        try:
            with open(self._path, "rb") as file:
                status = os.fstat(file.fileno())
                if status.st_ino != self._inode or status.st_size < self._offset:
                    self._inode, self._offset, self._rest = status.st_ino, 0, b""
                file.seek(self._offset)
                data = file.read()
        except FileNotFoundError:  # while it is replaced
            return []
        self._offset += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        return lines


def follow(run, log, idle=None, period=1.0):
    """Calls log(step, {name: number}) for every step of a run, in order, once for each
    step. Without `idle` that is what is in the file; with it, for as long as another
    line comes within so many seconds. Returns the number of steps.

    A step that was logged is not logged again when a continued run repeats it."""
    lines, last, count = _Lines(find_metrics(run)), 0, 0
    heard = time.monotonic()
    while True:
        for line in lines.read():
            heard = time.monotonic()
            try:
                record = json.loads(line)
            except ValueError:
                continue
            step = record.get("step") if isinstance(record, dict) else None
            if isinstance(step, int) and step > last:
                log(step, flatten(record))
                last = step
                count += 1
        if idle is None or time.monotonic() - heard > idle:
            return count
        time.sleep(min(period, idle))
