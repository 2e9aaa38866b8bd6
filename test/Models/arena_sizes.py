"""Checks that arenas take at most FACTOR times what is in use at a time.

usage: arena_sizes.py FACTOR PLAN.json..."""

import json
import sys

factor = float(sys.argv[1])
for path in sys.argv[2:]:
    with open(path) as file:
        memory = json.load(file)["memory"]
    arenas = {entry["entry"]: entry["arena_bytes"] for entry in memory["entries"]}
    assert memory["profiles"], path
    for profile in memory["profiles"]:
        arena, peak = arenas[profile["entry"]], sum(profile["peak"].values())
        assert peak <= arena <= factor * peak, (path, profile["entry"], arena, peak)
        assert max(sum(part.values()) for part in profile["parts"]) == peak
